"""Calls that work: values, memory, callbacks, batches, descriptors, peers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hsa_adapters import AdapterError, Call, Callback, LibraryAdapter, Outcome
from hsa_adapters.library.process import WorkerProcess


def test_arguments_and_results_keep_their_width_and_sign(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Each code of a signature carries the values of its C type."""
    assert process.call(call("fx_add", 2**32 - 1, 3)) == Outcome(2)
    assert process.call(call("fx_minus", 7)) == Outcome(-7)
    assert process.call(call("fx_handle", 2**64 - 1)) == Outcome(2**64 - 1)
    assert process.call(call("fx_not", 0)) == Outcome(1)
    assert process.call(call("fx_nothing")) == Outcome(0)


def test_outputs_are_read_after_the_call(process: WorkerProcess) -> None:
    """What a function writes through a pointer is part of the outcome."""
    out, _ = process.scratch
    value = 0x1122334455667788
    outcome = process.call(Call("fx_store", (out, value), reads=((out, 8), (out, 2))))
    assert outcome == Outcome(0, (value.to_bytes(8, "little"), b"\x88\x77"))


def test_inputs_are_written_before_the_call(process: WorkerProcess) -> None:
    """A call can bring the memory that its pointers point to."""
    place, _ = process.scratch
    assert (
        process.call(Call("fx_load", (place,), writes=((place, b"\x05" + bytes(7)),))).result == 5
    )


def test_a_structure_by_value_is_given_by_its_address(process: WorkerProcess) -> None:
    """A structure that fits into no register is copied from the caller's memory."""
    place, _ = process.scratch
    pair = b"".join(n.to_bytes(8, "little") for n in (9, 5, 2))
    mirrored = Call("fx_mirror", (place, 3), writes=((place, pair),))
    assert 21 == process.call(mirrored).result


def test_an_input_that_cannot_be_written_is_an_error_of_the_caller(process: WorkerProcess) -> None:
    """The call is not made, and the message says where the memory was."""
    with pytest.raises(AdapterError, match="cannot write 1 bytes at 0x10 before fx_nothing"):
        process.call(Call("fx_nothing", (), writes=((16, b"x"),)))


def test_callbacks_record_their_arguments(process: WorkerProcess) -> None:
    """Every invocation is recorded, in order."""
    outcome = process.call(Call("fx_iterate", (3, Callback("visitor"), 99)))
    assert outcome == Outcome(0, (), ((1, 99), (2, 99), (3, 99)))


def test_callbacks_answer_in_turn_and_start_again_with_every_call(process: WorkerProcess) -> None:
    """The last answer repeats; an answer that stops an iteration stops it each time."""
    call = Call("fx_iterate", (5, Callback("visitor", (0, 4096)), 0))
    expected = Outcome(4096, (), ((1, 0), (2, 0)))
    assert [process.call(call), process.call(call)] == [expected, expected]


def test_allocators_answer_with_memory_that_stays(process: WorkerProcess) -> None:
    """The memory is the process's own, of the size asked for, and still there later."""
    out, _ = process.scratch
    made = Callback("allocator", allocate=True)
    outcome = process.call(Call("fx_allocate", (5000, made, out), reads=((out, 8),)))
    assert (outcome.result, outcome.callbacks) == (0, ((5000,),))
    address = int.from_bytes(outcome.reads[0] or b"", "little")
    assert process.read(address, 5000) == b"\x07" * 5000


def test_an_allocation_that_is_too_large_answers_null(process: WorkerProcess) -> None:
    """An allocator fails as malloc does."""
    made = Callback("allocator", allocate=True)
    outcome = process.call(Call("fx_allocate", (2**62, made, process.scratch[0])))
    assert outcome.result == 1


def test_a_null_callback_is_an_ordinary_argument(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Zero is passed as NULL."""
    assert process.call(call("fx_iterate", 0, 0, 0)) == Outcome(0)


def test_a_batch_answers_call_by_call(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """Outcomes come in the order of the calls."""
    calls = [call("fx_add", i, i) for i in range(100)]
    assert process.batch(calls) == [Outcome(2 * i) for i in range(100)]
    assert process.batch([]) == []


def test_a_missing_function_is_an_error_of_the_caller(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """The message names the function."""
    with pytest.raises(AdapterError, match="no function fx_absent"):
        process.call(call("fx_absent"))


def test_memory_that_cannot_be_accessed_is_an_answer(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Reads and writes of unmapped or protected memory fail without a crash."""
    guarded = process.call(call("fx_map")).result
    assert process.read(0, 8) is None
    assert process.read(guarded, 1) is None
    assert process.read(2**64 - 8, 8) is None
    assert not process.write(0, b"x")
    assert not process.write(guarded, bytes(200_000))
    assert process.write(process.scratch[0], b"x")


def test_memory_outside_the_scratch_space_is_read_and_written(process: WorkerProcess) -> None:
    """Any size, to the byte; a read that runs into a hole fails as a whole."""
    out, _ = process.scratch
    made = Callback("allocator", allocate=True)
    outcome = process.call(Call("fx_allocate", (300_000, made, out), reads=((out, 8),)))
    address = int.from_bytes(outcome.reads[0] or b"", "little")
    data = bytes(range(250)) * 1200
    assert process.write(address, data)
    assert process.read(address, len(data)) == data
    assert process.read(address, 2**40) is None


def test_a_read_of_the_heap_ends_where_the_heap_ends(process: WorkerProcess) -> None:
    """The copies of what is read may not make the heap longer than the read is."""
    out, _ = process.scratch
    made = Callback("allocator", allocate=True)
    outcome = process.call(Call("fx_allocate", (64, made, out), reads=((out, 8),)))
    address = int.from_bytes(outcome.reads[0] or b"", "little")
    assert process.read(address, 2**40) is None


def test_failed_writes_leave_nothing_behind(process: WorkerProcess) -> None:
    """A later write is not mixed up with one that failed."""
    assert not process.write(0, bytes(range(256)))
    address = process.scratch[0] + process.scratch[1] - 4
    assert not process.write(0, b"zzzz")
    assert process.write(address, b"abcd")
    assert process.read(address, 4) == b"abcd"


def test_descriptors_of_the_worker_are_left_out(process: WorkerProcess) -> None:
    """A fresh process has none; a file that is opened appears, and goes when it is closed."""
    assert process.descriptors() == {}
    number = process.open_file(4096)
    assert list(process.descriptors()) == [number]
    assert process.close_descriptor(number)
    assert not process.close_descriptor(number)
    assert process.descriptors() == {}


def test_mappings_count_what_the_library_maps(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Looking does not change the count; a new mapping does."""
    process.mappings()  # the first look may take memory of its own
    before = process.mappings()
    assert process.mappings() == before
    process.call(call("fx_map"))
    assert process.mappings() == before + 1


def test_output_is_captured_and_does_no_harm(process: WorkerProcess) -> None:
    """Standard output and error of the library never reach the conversation."""
    place, _ = process.scratch
    process.call(Call("fx_print", (place,), writes=((place, b"=1 [0,[],[]]\n!0 {}\n\0"),)))
    assert process.captured() == "=1 [0,[],[]]\n!0 {}\n"


def test_a_peer_is_another_process(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """It has the library too, and nothing in common with the first."""
    peer = process.peer()
    assert peer.call(call("fx_add", 1, 2)) == Outcome(3)
    assert peer.write(peer.scratch[0], b"peer")
    assert process.read(process.scratch[0], 4) == bytes(4)
    assert process.call(call("fx_parent")) == peer.call(call("fx_parent"))


def test_a_descriptor_can_be_sent_to_the_peer_and_back(process: WorkerProcess) -> None:
    """The number that comes back refers to the same file over there."""
    peer = process.peer()
    number = process.open_file(1)
    there = process.send_descriptor(number)
    assert peer.descriptors()[there] == process.descriptors()[number]
    back = peer.send_descriptor(there)
    assert process.descriptors()[back] == process.descriptors()[number]


def test_sending_a_descriptor_needs_a_peer_and_an_open_descriptor(process: WorkerProcess) -> None:
    """The message says what is missing."""
    with pytest.raises(AdapterError, match="start a peer"):
        process.send_descriptor(0)
    process.peer()
    with pytest.raises(AdapterError, match="Bad file descriptor"):
        process.send_descriptor(900)


def test_a_second_peer_replaces_the_first(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """There is one peer at a time, and it has none of its own."""
    process.peer()
    peer = process.peer()
    assert peer.call(call("fx_add", 1, 1)) == Outcome(2)
    with pytest.raises(AdapterError, match="no peer of its own"):
        peer.peer()


def test_a_closed_peer_leaves_the_process_alone(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Ending the peer ends only the peer."""
    peer = process.peer()
    peer.close()
    peer.close()
    with pytest.raises(AdapterError, match="closed"):
        peer.call(call("fx_nothing"))
    assert process.call(call("fx_add", 1, 1)) == Outcome(2)
    assert process.peer().call(call("fx_add", 2, 2)) == Outcome(4)


def test_processes_live_side_by_side(adapter: LibraryAdapter, call: Callable[..., Any]) -> None:
    """Each is served by a worker of its own."""
    first, second = adapter.process(), adapter.process()
    assert first.call(call("fx_parent")) != second.call(call("fx_parent"))
    first.close()
    assert second.call(call("fx_add", 1, 1)) == Outcome(2)
    second.close()
    with pytest.raises(AdapterError, match="closed"):
        second.call(call("fx_nothing"))


def test_a_worker_is_used_again(adapter: LibraryAdapter, call: Callable[..., Any]) -> None:
    """The next process comes from the worker whose process was closed."""
    first = adapter.process()
    parent = first.call(call("fx_parent"))
    first.close()
    second = adapter.process()
    assert second.call(call("fx_parent")) == parent
    second.close()
