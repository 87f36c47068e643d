"""Files for direct transfers, and memory for them."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, NotOnMachine
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.amd.files.state import FEATURE
from hsa_conformance.topics.amd.pools.fixtures import allocate, known_pools
from hsa_conformance.topics.shared.discovery import is_lacking


def discover(fixtures: Fixtures) -> None:
    """Find out, once, whether the driver moves bytes between files and GPUs."""
    session = fixtures.session
    if session.model.find("discover", 3) is not None:
        return
    session.model.add("discover", 3, thing="files")
    pools = known_pools(fixtures, lambda p: p.allocatable and p.location == "gpu")
    if not pools:
        return
    file = session.open_file(fixtures.granule())
    # Not one that is chosen: only the first example of a process would have such a choice.
    address = allocate(fixtures, pools[0], pools[0].granule)
    answer = session.call(
        "hsa_amd_ais_file_write",
        handle=file,
        devicePtr=address,
        size=session.model.page_size,
        file_offset=0,
        size_copied=session.place(bytes(8), "&size_copied"),
        status=session.place(bytes(4), "&status"),
    )
    if not is_lacking(answer):
        session.model.features.add(FEATURE)


def _usable(b: Builder, handle: str) -> None:
    b.values[handle] = b.session.open_file(4 * b.granule())


def _unusable(b: Builder, handle: str) -> None:
    if b.choose(["never", "closed"]) == "never":
        b.values[handle] = (1 << 32) - 1
        return
    descriptor = b.session.open_file(b.granule())
    b.session.close_descriptor(descriptor)
    b.values[handle] = descriptor


def _transferable(b: Builder, *_: str) -> None:
    if not b.session.model.supports(FEATURE):
        raise NotOnMachine("the driver moves nothing between files and GPUs")


def _untransferable(_: Builder, *__: str) -> None:
    raise CannotMake("no input makes a file system fail")


GENERATORS: Mapping[str, Generators] = {
    "file_is_usable": Generators(_usable, _unusable),
    "transfer_succeeds": Generators(_transferable, _untransferable),
}
