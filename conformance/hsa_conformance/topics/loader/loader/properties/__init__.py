"""The loader: loaded code objects, segments, addresses, executables, readers of parts of files."""

from hsa_conformance.topics.loader.loader.properties import (
    addresses,
    attributes,
    readers,
    segments,
    traversal,
)

PROOFS = tuple(module.proves for module in (addresses, attributes, readers, segments, traversal))
