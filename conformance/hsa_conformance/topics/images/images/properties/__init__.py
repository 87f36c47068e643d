"""Properties of images: what agents support, what data needs, images themselves, and copies."""

from hsa_conformance.topics.images.images.properties import (
    capabilities,
    copies,
    creation,
    needs,
    parts,
    sharing,
)

PROOFS = tuple(
    module.proves
    for module in (
        capabilities,
        copies,
        creation,
        needs,
        parts,
        sharing,
    )
)
