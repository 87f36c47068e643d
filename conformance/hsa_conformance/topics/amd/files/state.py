"""Files that devices transfer to and from."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.session.model import Fact, Model

#: What a driver offers that moves bytes between files and GPUs.
FEATURE = "file transfers"

_DESCRIPTOR = (1 << 32) - 1


def descriptor_of(handle: int) -> int:
    """Return the file descriptor in a hsa_amd_ais_file_handle_t."""
    number = handle & _DESCRIPTOR
    return number - (1 << 32) if number >> 31 else number


def _is_usable(model: Model, handle: int) -> bool:
    return model.is_open(descriptor_of(handle))


FACTS: Mapping[str, Fact] = {
    "file_is_usable": _is_usable,
    # Nothing that the suite does makes a file system fail.
    "transfer_succeeds": lambda model, handle, size: model.supports(FEATURE),
}
