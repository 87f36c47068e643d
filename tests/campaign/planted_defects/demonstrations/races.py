"""Calls of several threads, and of several processes, that provoke what they do to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from hsa_adapters.calls import Call
from hsa_adapters.errors import Ended
from hsa_adapters.protocol import Adapter
from tests.campaign.planted_defects.demonstrations.bench import IPC, Bench
from tests.campaign.planted_defects.demonstrations.calls import ALONE, CREATED, TWO, Checked, used

ROUNDS: Final = 20
_NO_TIMEOUT: Final = 2**64 - 1
_FREQUENCY: Final = 3  # HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY
_HALF_A_SECOND: Final = 5 * 10**8


def kept_argument(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether calls with different arguments get each other's answers."""
    return some_round(adapter, lambda bench: _is_mixed(bench, TWO[place["FUNCTION"]](bench)))


def first_use(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether the first calls of a process differ from the later ones."""
    function = place["FUNCTION"]

    def differs(bench: Bench) -> bool:
        calls = [(ALONE | CREATED)[function](bench) for _ in range(4)]
        answers = [timed.outcome.result for [timed] in bench.process.together([[c] for c in calls])]
        return len(set(answers)) > 1

    return some_round(adapter, differs)


def lost_update(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether updates of several threads are lost."""
    function = place["FUNCTION"]

    def loses(bench: Bench) -> bool:
        on_queue = "queue" in function
        made = bench.queue() if on_queue else bench.signal(0)
        load = "hsa_queue_load_write_index_relaxed" if on_queue else "hsa_signal_load_relaxed"
        values = range(1, 5) if "exchange" in function else [1] * 4
        lanes = [[Call(function, (made, v))] * 201 for v in values]
        answers = bench.process.together(lanes)
        last = bench.call(load, made).result
        if "exchange" in function:  # each value comes out as often as it went in
            out = [t.outcome.result for lane in answers for t in lane] + [last]
            return any(out.count(v) != 201 for v in values)
        wanted = {"add": 804, "subtract": -804, "xor": 0}
        expected = next(n for word, n in wanted.items() if word in function)
        return (last - expected) % 2**64 != 0

    return some_round(adapter, loses)


def unguarded_count(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether initialisations of several threads are not all counted."""
    del place

    def loses(bench: Bench) -> bool:
        lanes = [[Call("hsa_init", ())] * 10 for _ in range(4)]
        bench.process.together(lanes)
        return any(bench.call("hsa_shut_down").result for _ in range(40))

    return some_round(adapter, loses)


def unguarded_list(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether what several threads make cannot be given back."""
    creator = place["CREATORS"][-1 if "queue" not in place["DESTROYER"] else 0][0]

    def loses(bench: Bench) -> bool:
        lanes = [[CREATED[creator](bench) for _ in range(4)] for _ in range(4)]
        bench.process.together(lanes)
        made = [bench.output(c, 0 if "vmem" in creator else -1) for lane in lanes for c in lane]
        rest = (2**21,) if "vmem" in creator else ()
        return any(bench.call(place["DESTROYER"], m, *rest).result for m in made)

    return some_round(adapter, loses)


def lost_wake_up(
    adapter: Adapter, place: Mapping[str, Any], store: str = "hsa_signal_store_screlease"
) -> bool:
    """Return whether a wait goes on although the value has changed."""
    lengths = count(step=20)

    def sleeps(bench: Bench) -> bool:
        signal, now = bench.signal(1), bench.room()
        bench.must("hsa_system_get_info", _FREQUENCY, now)
        wait = Call(place["FUNCTION"], (signal, 0, 0, bench.word(now), 1))
        meanwhile = [Call("hsa_signal_load_relaxed", (signal,))] * next(lengths)
        [[waited], _] = bench.process.together([[wait], [*meanwhile, Call(store, (signal, 0))]])
        return waited.ended - waited.began > _HALF_A_SECOND

    return some_round(adapter, sleeps)


def two_locks(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether two functions wait for each other for ever."""

    def hangs(bench: Bench) -> bool:
        first, second = place["FUNCTION"], place["OTHER"]
        lanes = [[CREATED[first](bench)], [used(bench, second)]]
        return _ends(lambda: bench.process.together(lanes, 2.0))

    return some_round(adapter, hangs)


def free_list(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether two threads get one signal."""
    del place

    def shares(bench: Bench) -> bool:
        bench.signal()
        calls = [CREATED["hsa_signal_create"](bench) for _ in range(4)]
        bench.process.together([[call] for call in calls])
        return len({bench.output(call) for call in calls}) < len(calls)

    return some_round(adapter, shares)


def lock_in_wait(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether a function does not come back while a wait lasts."""

    def hangs(bench: Bench) -> bool:
        function = place["FUNCTION"]
        signal = bench.signal(1)
        call = CREATED[function](bench) if function in CREATED else used(bench, function)
        bench.process.start(Call(place["WAIT"], (signal, 0, 0, _NO_TIMEOUT, 1)))
        bench.call("hsa_system_get_info", 0, bench.room())
        return _ends(lambda: bench.call(call.function, *call.args, budget=2.0))

    return some_round(adapter, hangs, 3)


def kept_by_thread(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether calls in new threads keep something that calls in one thread do not."""
    function = place["FUNCTION"]
    thing = "file descriptor" if "KEEPS_DESCRIPTOR" in place else "memory mapping"

    def grows(bench: Bench) -> bool:
        make = (ALONE | CREATED).get(function) or (lambda b: used(b, function))
        calls = [make(bench) for _ in range(4)]
        bench.process.together([[calls[0]], [calls[1]]])
        before = bench.process.ledger()[thing]
        bench.process.together([[calls[2]], [calls[3]]])
        return bench.process.ledger()[thing] >= before + 2

    return some_round(adapter, grows, 3)


def held_by_peer(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether nobody can attach once a process that had attached was killed."""
    with_memory = "memory" in place["FUNCTION"]
    first = Bench(adapter.process())
    try:
        first.init()
        name = first.room(32)
        if with_memory:
            first.must("hsa_amd_ipc_memory_create", first.block(4096), 4096, name)
        else:
            first.must(
                "hsa_amd_ipc_signal_create", first.made("hsa_amd_signal_create", 1, 0, 0, IPC), name
            )
        content = first.process.read(name, 32) or b""
        peer = Bench(first.process.peer())
        peer.init()
        handle = peer.room(32, content)
        attach = (handle, 4096, 0, 0) if with_memory else (handle,)
        peer.call(place["FUNCTION"], *attach, peer.room())
        peer.process.close()
        other = Bench(first.process.peer())
        other.init()
        handle = other.room(32, content)
        attach = (handle, 4096, 0, 0) if with_memory else (handle,)
        return _ends(lambda: other.call(place["FUNCTION"], *attach, other.room(), budget=2.0))
    finally:
        first.process.close()


def file_left(adapter: Adapter, place: Mapping[str, Any]) -> bool:
    """Return whether a file is left of a process that is killed."""
    before = set(Path("/dev/shm").iterdir())
    process = adapter.process()
    bench = Bench(process)
    bench.init()
    if "memory" in place["FUNCTION"]:
        bench.must("hsa_amd_ipc_memory_create", bench.block(), 4096, bench.room(32))
    if "signal" in place["FUNCTION"]:
        signal = bench.made("hsa_amd_signal_create", 1, 0, 0, IPC)
        bench.must("hsa_amd_ipc_signal_create", signal, bench.room(32))
    process.close()
    left = set(Path("/dev/shm").iterdir()) - before
    for path in left:
        path.unlink()
    return bool(left)


def some_round(adapter: Adapter, shows: Callable[[Bench], bool], rounds: int = ROUNDS) -> bool:
    """Return whether something shows in one of some fresh processes, which are initialised."""
    for _ in range(rounds):
        bench = Bench(adapter.process())
        try:
            bench.init()
            if shows(bench):
                return True
        finally:
            bench.process.close()
    return False


def _ends(act: Callable[[], object]) -> bool:
    """Return whether the process dies of something, or hangs."""
    try:
        act()
    except Ended:
        return True
    return False


def _is_mixed(bench: Bench, pairs: Sequence[Checked]) -> bool:
    try:
        answers = bench.process.together([[call] for call, _ in pairs])
    except Ended:
        return True
    return not all(
        is_right(bench, timed.outcome.result)
        for [timed], (_, is_right) in zip(answers, pairs, strict=True)
    )
