"""Words about instruction set architectures and wavefronts."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("isa", "an instruction set architecture"),
    thing("wavefront", "a wavefront"),
    fact(
        "names_isa",
        ("name",),
        "the text at {0} names an instruction set architecture",
        "the text at {0} names no instruction set architecture",
    ),
    fact(
        "has_call_convention",
        ("isa", "index"),
        "{0} has a call convention {1}",
        "{0} has no call convention {1}",
    ),
)
