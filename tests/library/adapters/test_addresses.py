"""Calls of functions that are known by their address alone, in a worker and in process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from hsa_adapters import (
    AdapterError,
    Call,
    Callback,
    Ended,
    InProcessAdapter,
    LibraryAdapter,
    Outcome,
    Process,
    Repeat,
)
from hsa_spec.model import Registry
from tests.library.adapters.fixture_registry import TABLE

#: Returns a call of a member of the table that a process has.
Member = Callable[..., Call]


def members_of(process: Process) -> Member:
    """Read the table of a process."""
    place, _ = process.scratch
    size = 8 * len(TABLE)
    table = process.call(Call("fx_table", (place, size), reads=((place, size),))).reads[0]
    assert table is not None
    addresses = {
        name: int.from_bytes(table[8 * i : 8 * i + 8], "little") for i, name in enumerate(TABLE)
    }
    return lambda name, *args, **more: Call(name, args, address=addresses[name], **more)


def put(process: Process, place: int, value: int) -> None:
    assert process.write(place, value.to_bytes(8, "little"))


def test_a_member_of_a_table_is_called_as_any_function(either: Process) -> None:
    """Memory, structures by value, callbacks and batches work as for symbols."""
    place, _ = either.scratch
    member = members_of(either)
    pair = b"".join(n.to_bytes(8, "little") for n in (9, 5, 2))
    calls = [
        member("fx_hidden_add", 2**32 - 1, 3),
        member("fx_hidden_mirror", place, 3, writes=((place, pair),), reads=((place, 2),)),
        member("fx_hidden_iterate", 5, Callback("visitor", (0, 9)), 1),
        Call("fx_add", (1, 2)),
    ]
    expected = [
        Outcome(2),
        Outcome(21, (b"\x09\x00",)),
        Outcome(9, (), ((1, 1), (2, 1))),
        Outcome(3),
    ]
    assert expected == either.batch(calls)
    assert expected == [either.call(call) for call in calls]


def test_whether_there_is_code_at_an_address_can_be_told(either: Process) -> None:
    """There is some at the address of a function, and none where data is, or nothing at all."""
    place, _ = either.scratch
    function = members_of(either)("fx_hidden_add").address
    assert function is not None
    told = [either.exported_beside(address) for address in (function, place, 0)]
    assert [{}, None, None] == told


def test_a_member_of_a_table_is_called_in_a_thread(either: Process) -> None:
    """It waits there for what another call stores."""
    place, _ = either.scratch
    member = members_of(either)
    put(either, place, 1)
    either.start(member("fx_hidden_await", place, 1, reads=((place, 1),)))
    assert Outcome(0) == either.call(Call("fx_store", (place, 7)))
    assert Outcome(7, (b"\x07",)) == either.join()


def test_a_member_of_a_table_is_called_again_and_again(either: Process) -> None:
    """Each number was put there once, so what came back and what was left is all of them."""
    place, _ = either.scratch
    member = members_of(either)
    put(either, place, 1)
    either.start(member("fx_hidden_exchange", place, 1), Repeat(1 << 40, 2))
    back = 0
    for token in range(1, 30):
        previous = either.call(member("fx_hidden_exchange", place, token << 32)).result
        back += previous % (1 << 32) == 0
    outcome = either.join()
    content = either.read(place, 4)
    assert 29 == outcome.zeros + back + (content == bytes(4))


def test_a_peer_has_a_table_of_its_own(adapter: LibraryAdapter) -> None:
    """Its addresses are called in the peer."""
    process = adapter.process()
    peer = process.peer()
    calls = [(each, members_of(each)("fx_hidden_add", 1, 2)) for each in (process, peer)]
    assert [3, 3] == [each.call(call).result for each, call in calls]
    process.close()


@pytest.mark.parametrize(
    ("member", "kind", "detail"),
    [
        ("fx_hidden_abort", "CRASH", "SIGABRT"),
        ("fx_hidden_hang", "HANG", "the call did not return within its budget"),
    ],
)
def test_a_death_in_a_member_is_that_of_its_call(
    adapter: LibraryAdapter, member: str, kind: str, detail: str
) -> None:
    """The call was noted before it was made, in a batch too, and has a budget."""
    process = adapter.process()
    deadly = members_of(process)(member, budget=0.3)
    with pytest.raises(Ended) as caught:
        process.batch([Call("fx_nothing", ()), deadly, Call("fx_nothing", ())])
    assert (kind, detail, deadly) == (caught.value.kind, caught.value.detail, caught.value.call)


def test_null_is_the_address_of_no_function(either: Process) -> None:
    """Such a call is refused, and the process lives on."""
    with pytest.raises(AdapterError, match="the address of fx_hidden_add is NULL"):
        either.call(Call("fx_hidden_add", (1, 2), address=0))
    with pytest.raises(AdapterError, match="the address of fx_hidden_add is NULL"):
        either.start(Call("fx_hidden_add", (1, 2), address=0))
    assert Outcome(3) == either.call(Call("fx_add", (1, 2)))


def test_what_the_registry_lacks_cannot_be_called_by_address(either: Process) -> None:
    """Its signature is not known."""
    with pytest.raises(AdapterError, match="nothing says how fx_unheard_of is called"):
        either.call(Call("fx_unheard_of", (), address=4096))


def test_a_call_where_there_is_no_code_is_a_crash(either: Process) -> None:
    """It is the library's table that led there; in process the suite survives it, too."""
    place, _ = either.scratch
    wild = Call("fx_hidden_add", (1, 2), address=place)
    with pytest.raises(Ended) as caught:
        either.call(wild)
    assert ("CRASH", wild) == (caught.value.kind, caught.value.call)
    assert caught.value.detail in ("SIGSEGV", f"NoCodeError('{place:#x}')")


def test_a_symbol_is_looked_up_by_its_name_alone(either: Process) -> None:
    """A function of a table is not one that the library exports."""
    with pytest.raises(AdapterError, match="the implementation has no function fx_hidden_add"):
        either.call(Call("fx_hidden_add", (1, 2)))


def test_the_table_of_a_runtime_in_python_holds_its_callbacks(registry: Registry) -> None:
    """An implementation without a C compiler can have a table, too."""

    number = ctypes.c_uint32
    add = ctypes.CFUNCTYPE(number, number, number)(lambda first, second: first + second)

    def fill(table: int, size: int) -> int:
        ctypes.memmove(table, ctypes.addressof(add), size)
        return 0

    process = InProcessAdapter("python", lambda: {"fx_table": fill}, registry).process()
    place, _ = process.scratch
    filled = process.call(Call("fx_table", (place, 8), reads=((place, 8),)))
    assert filled.reads[0] is not None
    address = int.from_bytes(filled.reads[0], "little")
    assert Outcome(12) == process.call(Call("fx_hidden_add", (5, 7), address=address))
    process.close()
