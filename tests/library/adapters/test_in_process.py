"""The in-process adapter, and that it agrees with the worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hsa_adapters import AdapterError, Call, Callback, Ended, InProcessAdapter, Outcome
from hsa_adapters.in_process import InProcess
from hsa_adapters.library.process import WorkerProcess
from hsa_adapters.request_faults import RequestFaults
from hsa_reference.requests import FILE, OBJECT, POOL, Requests
from hsa_spec import Registry


class Counter:
    """A runtime with a state: one function that counts, and some that go wrong."""

    def __init__(self) -> None:
        self.count = 0

    def fx_random(self) -> int:
        self.count += 1
        return self.count

    def functions(self) -> dict[str, Callable[..., Any]]:
        def leave() -> None:
            raise SystemExit(3)

        return {
            "fx_random": self.fx_random,
            "fx_abort": lambda: 1 // 0,
            "fx_exit": leave,
            "unknown": lambda: 0,
        }


@pytest.fixture
def counter(registry: Registry) -> Iterator[InProcessAdapter]:
    adapter = InProcessAdapter("counter", lambda: Counter().functions(), registry)
    yield adapter
    adapter.close()


def test_every_operation_has_the_same_outcome_either_way(either: InProcess | WorkerProcess) -> None:
    """One executor stands behind both."""
    place, size = either.scratch
    assert (size, either.page_size) == (1 << 20, 4096)
    outcomes = either.batch(
        [
            Call("fx_add", (2**32 - 1, 3)),
            Call("fx_minus", (7,)),
            Call("fx_nothing", ()),
            Call("fx_load", (place,), writes=((place, b"\x05" + bytes(7)),)),
            Call("fx_store", (place, 258), reads=((place, 3), (0, 4))),
            Call("fx_iterate", (5, Callback("visitor", (0, 9)), 1)),
            Call("fx_allocate", (10, Callback("allocator", allocate=True), place)),
        ]
    )
    assert outcomes == [
        Outcome(2),
        Outcome(-7),
        Outcome(0),
        Outcome(5),
        Outcome(0, (b"\x02\x01\0", None)),
        Outcome(9, (), ((1, 1), (2, 1))),
        Outcome(0, (), ((10,),)),
    ]
    before = either.descriptors()
    number = either.open_file(100)
    assert set(either.descriptors()) - set(before) == {number}
    with pytest.raises(AdapterError, match="start a peer before"):
        either.send_descriptor(number)
    peer = either.peer()
    there = peer.descriptors()
    sent = either.send_descriptor(number)
    assert set(peer.descriptors()) - set(there) == {sent}
    with pytest.raises(AdapterError, match="no peer of its own"):
        peer.peer()
    with pytest.raises(AdapterError, match="Bad file descriptor"):
        either.send_descriptor(901)
    assert peer.close_descriptor(sent)
    assert either.close_descriptor(number)
    assert not either.close_descriptor(number)
    assert either.write(place, b"abc")
    assert not either.write(8, b"abc")
    assert either.read(place, 3) == b"abc"
    assert either.read(8, 3) is None
    assert either.mappings() > 0
    assert either.captured() == ""
    with pytest.raises(AdapterError, match="no function fx_absent"):
        either.call(Call("fx_absent", ()))
    either.close()
    either.close()
    with pytest.raises(AdapterError, match="this process was closed"):
        either.call(Call("fx_nothing", ()))


def test_the_subject_names_what_the_registry_knows(counter: InProcessAdapter) -> None:
    """Other functions of the implementation are its own affair."""
    subject = counter.start()
    assert (subject.adapter, subject.path) == ("counter", None)
    assert subject.exports == {"fx_random", "fx_abort", "fx_exit"}


def test_a_process_is_a_fresh_instance(counter: InProcessAdapter) -> None:
    """Nothing is left of earlier ones, and a peer is an instance, too."""
    first = counter.process()
    call = Call("fx_random", ())
    assert [first.call(call).result for _ in range(3)] == [1, 2, 3]
    assert counter.process().call(call).result == 1
    assert first.peer().call(call).result == 1


def test_an_exception_is_a_crash(counter: InProcessAdapter) -> None:
    """With its traceback, and for good."""
    process = counter.process()
    fatal = Call("fx_abort", ())
    with pytest.raises(Ended) as caught:
        process.call(fatal)
    ended = caught.value
    assert ("CRASH", fatal) == (ended.kind, ended.call)
    assert "ZeroDivisionError" in ended.detail
    assert "Traceback" in ended.stderr
    with pytest.raises(Ended):
        process.call(Call("fx_random", ()))


def test_leaving_is_an_exit(counter: InProcessAdapter) -> None:
    """As it is for a C library."""
    with pytest.raises(Ended, match="EXIT: exit status 3 in fx_exit"):
        counter.process().call(Call("fx_exit", ()))


class Frugal(dict[str, Callable[..., Any]]):
    """Functions that tell what they hold."""

    def holdings(self) -> dict[str, int]:
        return {"object": 3}


def test_what_an_instance_says_that_it_holds_is_in_its_ledger(registry: Registry) -> None:
    """Mappings of the process are then left out: threads of others have some."""
    adapter = InProcessAdapter("frugal", lambda: Frugal(Counter().functions()), registry)
    assert {"file descriptor": 0, "object": 3} == adapter.process().ledger()
    adapter.close()


def test_requests_are_refused_by_the_names_that_stand_for_them(registry: Registry) -> None:
    requests = Requests()
    faults = RequestFaults(
        requests, {"memory": ("ENOMEM", (OBJECT, POOL)), FILE: ("EMFILE", (FILE,))}
    )
    adapter = InProcessAdapter("asking", dict, registry, faults=faults)
    assert faults is adapter.faults()
    faults.arm("memory", "ENOMEM", 1, lasting=False)
    requests.ask(OBJECT)
    requests.ask(FILE)
    with pytest.raises(OSError, match="memory"):
        requests.ask(POOL)
    assert ({"memory": 2, FILE: 1}, 1) == (faults.made(), faults.hits())
    assert (("EMFILE",), ()) == (faults.errors(FILE), faults.errors(POOL))
    with pytest.raises(ValueError, match="memory cannot be refused with EMFILE"):
        faults.arm("memory", "EMFILE", 0, lasting=False)
    adapter.close()
