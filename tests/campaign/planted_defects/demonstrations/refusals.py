"""What a function does when the driver refuses one call of each kind that it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from hsa_adapters.calls import Argument, Callback
from hsa_adapters.errors import Ended
from hsa_adapters.protocol import Adapter
from hsa_adapters.virtual_kfd.errnos import ERRNOS
from tests.campaign.planted_defects.demonstrations.bench import IPC, Bench

Arguments = tuple[Argument, ...]

#: Arguments of a call that succeeds.
CALLS: Final[Mapping[str, Callable[[Bench], Arguments]]] = {
    "hsa_init": lambda bench: (),
    "hsa_amd_memory_pool_allocate": lambda b: (b.pools(b.gpu())[0], 4096, 0, b.room()),
    "hsa_memory_allocate": lambda b: (b.region(), 4096, b.room()),
    "hsa_queue_create": lambda b: (b.gpu(), 64, 0, 0, 0, 2**32 - 1, 2**32 - 1, b.room()),
    "hsa_amd_memory_lock": lambda b: (b.room(4096), 4096, 0, 0, b.room()),
    "hsa_signal_create": lambda b: (1, 0, 0, b.room()),
    "hsa_amd_vmem_handle_create": lambda b: (b.pools(b.gpu())[0], 2**21, 0, 0, b.room()),
    "hsa_amd_vmem_set_access": lambda b: (b.mapped(), 2**21, b.access(b.gpu()), 1),
    "hsa_amd_agents_allow_access": lambda b: (1, b.words([b.gpu()]), 0, b.host_block()),
    "hsa_amd_ipc_memory_create": lambda b: (b.block(), 4096, b.room(32)),
    "hsa_amd_portable_export_dmabuf": lambda b: (b.block(), 4096, b.room(), b.room()),
    "hsa_amd_vmem_export_shareable_handle": lambda b: (b.room(), b.memory_handle(), 0),
    "hsa_amd_memory_pool_free": lambda b: (b.block(),),
    "hsa_memory_free": lambda b: (b.made("hsa_memory_allocate", b.region(), 4096),),
    "hsa_amd_queue_cu_set_mask": lambda b: (b.queue(), 32, b.room(4, b"\3\0\0\0")),
    "hsa_amd_vmem_map": lambda b: (b.reserved(), 2**21, 0, b.memory_handle(), 0),
    "hsa_amd_vmem_import_shareable_handle": lambda b: (b.exported(), b.room()),
    "hsa_amd_queue_set_priority": lambda b: (b.queue(), 1),
    "hsa_queue_inactivate": lambda b: (b.queue(),),
    "hsa_amd_interop_map_buffer": lambda b: (
        1,
        b.words([b.gpu()]),
        b.exported(),
        0,
        b.room(),
        b.room(),
        b.room(),
        b.room(),
    ),
    "hsa_amd_ipc_signal_create": lambda b: (
        b.made("hsa_amd_signal_create", 1, 0, 0, IPC),
        b.room(32),
    ),
    "hsa_amd_svm_attributes_set": lambda b: (b.pages(), 4096, b.words([512, b.gpu()]), 1),
    "hsa_amd_svm_prefetch_async": lambda b: (b.pages(), 4096, b.gpu(), 0, 0, b.signal()),
    "hsa_amd_vmem_unmap": lambda b: (b.mapped(), 2**21),
}


@dataclass(frozen=True)
class Observation:
    """What came of a refusal: the answer, that of the same call later, and what was gained.

    An answer is None where the process ended or hung.
    """

    answer: int | None
    again: int | None = None
    works: int | None = None
    gained: tuple[tuple[str, int], ...] = ()


def observe(adapter: Adapter, function: str) -> Mapping[str, Observation]:
    """Return what comes of each kind of driver call that is refused once, where it is."""
    found = {call: _refused(adapter, function, call) for call in ERRNOS}
    return {call: observed for call, observed in found.items() if observed is not None}


def _refused(adapter: Adapter, function: str, call: str) -> Observation | None:
    """Return what comes of a refusal, or None where no such call was made."""
    faults = adapter.faults()
    assert faults is not None
    process = adapter.process()
    bench = Bench(process)
    answers: list[int] = []
    gained: dict[str, int] = {}
    hits = 0
    try:
        if function != "hsa_init":
            bench.init()
        arguments = CALLS[function](bench)
        before = process.ledger()
        faults.arm(call, ERRNOS[call][0], 0, lasting=False)
        try:
            answers.append(bench.call(function, *arguments, budget=2.0).result)
        finally:
            hits = faults.hits()
            faults.disarm()
        after = process.ledger()
        gained = {k: after[k] - before.get(k, 0) for k in after if not k.startswith("bytes of")}
        answers.append(bench.call(function, *arguments, budget=2.0).result)
        answers.append(bench.call("hsa_iterate_agents", Callback("hsa_agent_callback"), 0).result)
    except Ended:
        pass
    finally:
        process.close()
    if not hits:
        return None
    answer, again, works = [*answers, None, None, None][:3]
    return Observation(answer, again, works, tuple(sorted((k, n) for k, n in gained.items() if n)))
