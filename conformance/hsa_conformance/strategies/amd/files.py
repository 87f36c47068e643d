"""Files for direct transfers, and memory for them."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.model.amd.files import FEATURE
from hsa_conformance.strategies.amd.ipc import gpu_block
from hsa_conformance.strategies.builder import Builder, CannotMake, Lacking, Stock
from hsa_conformance.strategies.makers import Makers


def survey(stock: Stock) -> None:
    """Find out, once, whether the driver moves bytes between files and GPUs."""
    session = stock.session
    if session.model.find("survey", 3) is not None:
        return
    session.model.keep("survey", 3, thing="files")
    if not stock.pools(lambda p: p.allocatable and p.location == "gpu"):
        return
    file, block = session.open_file(stock.granule()), gpu_block(stock)
    answer = session.call(
        "hsa_amd_ais_file_write",
        handle=file,
        devicePtr=block.address,
        size=session.model.page_size,
        file_offset=0,
        size_copied=session.place(bytes(8), "&size_copied"),
        status=session.place(bytes(4), "&status"),
    )
    if answer.ok:
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
        raise Lacking("the driver moves nothing between files and GPUs")


def _untransferable(_: Builder, *__: str) -> None:
    raise CannotMake("no input makes a file system fail")


MAKERS: Mapping[str, Makers] = {
    "file_is_usable": Makers(_usable, _unusable),
    "transfer_succeeds": Makers(_transferable, _untransferable),
}
