"""Properties of instruction set architectures and wavefronts."""

from hsa_conformance.topics.core.isas.properties import (
    attributes,
    compatible,
    names,
    policies,
    targets,
    traversals,
)

PROOFS = tuple(
    module.proves
    for module in (
        attributes,
        compatible,
        names,
        policies,
        targets,
        traversals,
    )
)
