"""Words about attributes of signals."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "signal_has_attributes",
        ("signal",),
        "{0} was made with HSA_AMD_SIGNAL_AMD_GPU_ONLY or HSA_AMD_SIGNAL_IPC",
        "{0} was made without HSA_AMD_SIGNAL_AMD_GPU_ONLY and HSA_AMD_SIGNAL_IPC",
    ),
)
