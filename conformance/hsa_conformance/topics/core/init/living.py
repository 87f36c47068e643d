"""Something that lives in a runtime, one of each kind that an implementation and a machine have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.amd.dmabuf import generators as dmabufs
from hsa_conformance.topics.amd.dmabuf.state import FEATURE
from hsa_conformance.topics.amd.ipc import generators as ipc
from hsa_conformance.topics.amd.locks.generators import host_memory, lock
from hsa_conformance.topics.amd.pools.fixtures import known_pools, new_block
from hsa_conformance.topics.amd.signals.properties.creating import HANDLER
from hsa_conformance.topics.amd.vmem import fixtures as vmem
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import group, signal
from hsa_conformance.topics.images.images.discovery import image_agents
from hsa_conformance.topics.images.images.fixtures import image
from hsa_conformance.topics.images.samplers.generators import sampler
from hsa_conformance.topics.loader.loader.fixtures import loaded
from hsa_conformance.topics.shared.code.generators import gpus

#: What a kind is called, what makes an object of it, and the functions that this takes.
_Kind = tuple[str, Callable[[], object], tuple[str, ...]]

_FOREVER: Final = (1 << 64) - 1


def living(fixtures: Fixtures) -> dict[str, Callable[[], object]]:
    """Return what makes an object of each kind that can be made here, by what it is called.

    The first makes nothing.
    """
    found: dict[str, Callable[[], object]] = {"nothing": lambda: None}
    for kinds in (_signals, _executed, _images, _memory, _virtual):
        for name, make, needs in kinds(fixtures):
            if all(map(fixtures.session.offers, needs)):
                found[name] = partial(_made, fixtures, make)
    return found


def _made(fixtures: Fixtures, make: Callable[[], object]) -> object:
    """Make an object: what it is made of is tried with the functions that make it."""
    axes = fixtures.session.axes
    before = set(axes.offered)
    thing = make()
    axes.withdraw(axes.offered.keys() - before)
    return thing


def _signals(f: Fixtures) -> Iterator[_Kind]:
    yield "signal", lambda: signal(f), ("hsa_signal_create",)
    yield "group", lambda: group(f, [signal(f)]), ("hsa_signal_group_create",)
    yield "handler", lambda: _watched(f), ("hsa_amd_signal_async_handler",)
    yield "wait", lambda: _awaited(f), ("hsa_signal_create", "hsa_signal_wait_scacquire")
    shared = ("hsa_amd_signal_create", "hsa_amd_ipc_signal_create")
    yield "named signal", lambda: ipc.name_of_signal(f, ipc.shareable_signal(f)), shared


def _watched(f: Fixtures) -> None:
    """Create a signal with a handler that waits for it."""
    f.session.set_up(
        "hsa_amd_signal_async_handler",
        signal=signal(f),
        cond=0,
        value=1,
        handler=Callback(HANDLER, (0,)),
        arg=0,
    )


def _awaited(f: Fixtures) -> None:
    """Let a thread wait for a signal that nobody sets."""
    arguments = {"signal": signal(f), "condition": 0, "compare_value": 1}
    waiting = {**arguments, "timeout_hint": _FOREVER, "wait_state_hint": 0}
    f.session.start("hsa_signal_wait_scacquire", waiting)


def _executed(f: Fixtures) -> Iterator[_Kind]:
    if f.session.offers("hsa_queue_create") and queues.agents_with_queues(f):
        yield "queue", lambda: queues.queue(f), ()
    yield "executable", lambda: executables.executable(f), ("hsa_executable_destroy",)
    if f.session.offers(executables.LOAD) and gpus(f):
        yield "code", lambda: loaded(f), ()


def _images(f: Fixtures) -> Iterator[_Kind]:
    needs = ("hsa_ext_image_create", "hsa_ext_sampler_create")
    if all(map(f.session.offers, needs)) and (able := image_agents(f)):
        yield "image", lambda: image(f, able[0].handle), needs
        yield "sampler", lambda: sampler(f, able[0].handle), needs


def _memory(f: Fixtures) -> Iterator[_Kind]:
    if not f.session.offers("hsa_amd_memory_pool_allocate"):
        return
    if known_pools(f, lambda p: p.allocatable):
        yield "block", lambda: new_block(f), ()
    page = f.session.model.page_size
    yield "locked memory", lambda: lock(f, host_memory(f, 1), page), ("hsa_amd_memory_lock",)
    if known_pools(f, lambda p: p.allocatable and p.location == "gpu"):
        named, exported = "hsa_amd_ipc_memory_create", "hsa_amd_portable_export_dmabuf"
        yield "named block", lambda: ipc.name_of(f, ipc.gpu_block(f)), (named,)
        if f.session.offers(exported) and _lets_export(f):
            yield "exported block", lambda: _exported(f), ()


def _lets_export(f: Fixtures) -> bool:
    """Return whether GPUs can export memory, which only releases with the function can be asked."""
    dmabufs.discover(f)
    return f.session.model.supports(FEATURE)


def _exported(f: Fixtures) -> None:
    block = dmabufs.exportable_block(f)
    dmabufs.export(f, block.address, block.size)


def _virtual(f: Fixtures) -> Iterator[_Kind]:
    able = f.session.model.supports("virtual memory") and f.session.offers("hsa_amd_vmem_map")
    if not able or not known_pools(f, lambda p: p.allocatable and p.location == "gpu"):
        return
    yield "reservation", lambda: vmem.reserve(f, f.session.model.page_size), ()
    yield "memory handle", lambda: vmem.create_handle(f), ()
    yield "mapping", lambda: vmem.new_mapping(f), ()
    yield "mapping with access", lambda: _accessible(f), ("hsa_amd_vmem_set_access",)
    exported = ("hsa_amd_vmem_export_shareable_handle",)
    yield "exported handle", lambda: vmem.export_handle(f), exported


def _accessible(f: Fixtures) -> None:
    """Map a handle, and let the first GPU reach it."""
    vmem.grant_access(f, vmem.new_mapping(f), known_agents(f, "gpu")[0].handle)
