"""Properties of the queries for extensions, and of their tables."""

from hsa_conformance.topics.core.extensions.properties import names, support, tables

PROOFS = tuple(
    module.proves
    for module in (
        names,
        support,
        tables,
    )
)
