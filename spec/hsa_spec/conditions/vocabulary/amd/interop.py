"""Words about buffers of a graphics API."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "can_export_buffer",
        ("agent", "handle"),
        "the handle {1} names a buffer that can be mapped for the agents at {0}",
        "the handle {1} names no buffer that can be mapped for the agents at {0}",
    ),
    fact(
        "is_interop_buffer",
        ("address",),
        "{0} is the start of a buffer from hsa_amd_interop_map_buffer",
        "{0} is not the start of a buffer from hsa_amd_interop_map_buffer",
    ),
)
