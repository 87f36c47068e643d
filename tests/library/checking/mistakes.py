"""What the client's mistakes are called, and how what is said of each begins."""

from collections.abc import Mapping

MISTAKES: Mapping[str, tuple[str, str]] = {
    "double-free": ("hsa_amd_memory_pool_free: given back twice", "not-a-block"),
    "use-after-free": ("hsa_memory_copy: use after free", "beyond-src"),
    "copy-too-long": ("hsa_memory_copy: wrong size", "beyond-dst"),
    "wrong-size": (
        "hsa_amd_vmem_address_free: answered HSA_STATUS_ERROR_INVALID_ARGUMENT",
        "size-differs",
    ),
    "wrong-kind": ("hsa_amd_memory_pool_free: wrong kind", "not-a-block"),
    "wrong-dimensions": ("hsa_signal_store_screlease: wrong dimensions", ""),
    "missing-fence": ("hsa_signal_wait_scacquire: missing fence", "release-fence"),
    "beyond-ring": ("hsa_signal_store_screlease: index beyond the ring", ""),
    "destroyed-in-use": ("hsa_signal_destroy: destroyed in use", "in-use"),
    "destroyed-signal": ("hsa_signal_wait_scacquire: use after destruction", "invalid-signal"),
    "null": ("hsa_signal_create: answered HSA_STATUS_ERROR_INVALID_ARGUMENT", "signal-null"),
    "left": ("hsa_amd_memory_pool_allocate: left at shut down", ""),
}
