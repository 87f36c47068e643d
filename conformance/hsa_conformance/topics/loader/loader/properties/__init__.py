"""The loader: loaded code objects, segments, addresses, executables, readers of parts of files."""

from hsa_conformance.topics.loader.loader.properties import (
    addresses,
    attributes,
    blocking,
    readers,
    segments,
    traversal,
)

PROOFS = tuple(
    module.proves
    for module in (
        addresses,
        attributes,
        blocking,
        readers,
        segments,
        traversal,
    )
)
