"""Properties of instruction set architectures and wavefronts."""

from hsa_conformance.topics.core.isas.properties import attributes, names, policies, traversals

PROOFS = tuple(
    module.proves
    for module in (
        attributes,
        names,
        policies,
        traversals,
    )
)
