"""What provokes the defects that are edits of the project's own sources, by kind."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Final

from hsa_adapters.calls import Call
from hsa_adapters.errors import Ended
from hsa_adapters.protocol import Adapter
from hsa_conformance.code_objects import TARGETS, Code, build
from hsa_conformance.subjects import reference
from hsa_spec import load
from tests.campaign.planted_defects.demonstrations import races
from tests.campaign.planted_defects.demonstrations.bench import Bench

_LANES: Final = 4
_EACH: Final = 25


def _lost(adapter: Adapter, calls: Callable[[Bench], list[Call]], give_back: str) -> bool:
    """Return whether something that several threads made cannot be given back."""

    def loses(bench: Bench) -> bool:
        lanes = [calls(bench) for _ in range(_LANES)]
        try:
            bench.process.together(lanes)
            made = [_made(bench, call) for lane in lanes for call in lane]
            return any(bench.call(give_back, *row).result for row in made)
        except Ended:
            return True

    return races.some_round(adapter, loses)


def _made(bench: Bench, call: Call) -> tuple[int, ...]:
    """Return the arguments that give back what a call made."""
    if call.function == "hsa_memory_register":
        return tuple(a for a in call.args if isinstance(a, int))
    return (bench.output(call),)


def _allocations(bench: Bench) -> list[Call]:
    region = bench.region()
    return [Call("hsa_memory_allocate", (region, 64, bench.room())) for _ in range(_EACH)]


def _registrations(bench: Bench) -> list[Call]:
    return [Call("hsa_memory_register", (bench.room(64), 64)) for _ in range(_EACH)]


def _signals(bench: Bench) -> list[Call]:
    return [Call("hsa_signal_create", (1, 0, 0, bench.room())) for _ in range(_EACH)]


def _two_of_one_number(adapter: Adapter) -> bool:
    def share(bench: Bench) -> bool:
        agent = bench.agents(0)[0]
        calls = [
            Call("hsa_queue_create", (agent, 16, 0, 0, 0, 0, 0, bench.room()))
            for _ in range(_LANES)
        ]
        bench.process.together([[call] for call in calls])
        numbers = [bench.word(_made(bench, call)[0] + 32) for call in calls]
        return len(set(numbers)) < len(numbers)

    return races.some_round(adapter, share)


def _refused_thread(adapter: Adapter) -> bool:
    """Return whether a refused thread is told as a success, or counts as a queue."""
    faults, process = adapter.faults(), adapter.process()
    assert faults is not None
    bench = Bench(process)
    try:
        bench.init()
        agent = next(a for a in bench.agents() if a not in bench.agents(0))
        for _ in range(8):
            faults.arm("pthread_create", "EAGAIN", 0, lasting=False)
            answer = bench.call("hsa_queue_create", agent, 16, 1, 0, 0, 0, 0, bench.room()).result
            if faults.hits() and answer == 0:
                return True
        faults.disarm()
        return bench.call("hsa_queue_create", agent, 16, 1, 0, 0, 0, 0, bench.room()).result != 0
    finally:
        faults.disarm()
        process.close()


def _shared_signal(adapter: Adapter) -> bool:
    def shares(bench: Bench) -> bool:
        lanes = [_signals(bench) for _ in range(_LANES)]
        bench.process.together(lanes)
        made = [_made(bench, call) for lane in lanes for call in lane]
        return len(set(made)) < len(made)

    return races.some_round(adapter, shares)


def _cannot_be_read(adapter: Adapter) -> bool:
    """Return whether a code object with a note that holds no metadata is no invalid one."""
    bench = Bench(adapter.process())
    bench.init()
    code = bytearray(build(Code(TARGETS["gfx942"])))
    place = code.index(b"AMDGPU\0") + 8
    code[place] = 0xC1  # no type of MessagePack
    bench.process.write(content := bench.room(len(code)), bytes(code))
    out = bench.room()
    if bench.call("hsa_code_object_reader_create_from_memory", content, len(code), out).result:
        return False
    empty = bench.room()
    executable = bench.made("hsa_executable_create_alt", 1, 1, empty)
    load_it = "hsa_executable_load_agent_code_object"
    try:
        answer = bench.call(load_it, executable, bench.gpu(), bench.word(out), empty, 0).result
    except Ended:
        return True
    return answer != 0x1010  # HSA_STATUS_ERROR_INVALID_CODE_OBJECT


SHOWS: Final[Mapping[str, Callable[[Adapter], bool]]] = {
    "memory is allocated without the lock": lambda a: _lost(a, _allocations, "hsa_memory_free"),
    "registrations are listed without the lock": lambda a: _lost(
        a, _registrations, "hsa_memory_deregister"
    ),
    "signals are listed without the lock": lambda a: _lost(a, _signals, "hsa_signal_destroy"),
    "queues are numbered without the lock": _two_of_one_number,
    "a change between look and sleep wakes nobody": lambda a: races.lost_wake_up(
        a, {"FUNCTION": "hsa_signal_wait_relaxed"}, store="hsa_signal_store_release"
    ),
    "initialisations are counted without the lock": lambda a: races.unguarded_count(a, {}),
    "a refused thread leaves a queue without its processor": _refused_thread,
    "a refused thread leaves a queue counted": _refused_thread,
    "a spare signal is taken without the lock": _shared_signal,
    "what a last note lacks is not looked at": _cannot_be_read,
}


if __name__ == "__main__":
    sys.exit(SHOWS[sys.argv[1]](reference(None, load())))
