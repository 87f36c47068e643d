"""Properties of copies that are not waited for, of copy engines, and of fills."""

from hsa_conformance.topics.amd.copies.properties import batches, boxes, engines, fills, linear

PROOFS = tuple(
    module.proves
    for module in (
        batches,
        boxes,
        engines,
        fills,
        linear,
    )
)
