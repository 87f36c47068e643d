"""Where in a library a process ended by a signal."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hsa_adapters import Call, Ended, LibraryAdapter, Outcome, Place
from tests.library.adapters.fixture_registry import function, make_registry

if platform.machine() != "x86_64":
    pytest.skip("no other processor has code that notes places", allow_module_level=True)

FUNCTIONS = {
    "cr_follow": ("uint32_t", "const uint64_t*"),
    "cr_follow_too": ("uint32_t", "const uint64_t*"),
    "cr_follow_elsewhere": ("uint32_t", "const uint64_t*"),
    "cr_length": ("uint32_t", "const char*"),
    "cr_copy": ("uint32_t", "const void*", "size_t"),
    "cr_abort": ("uint32_t", "uint32_t"),
    "cr_trap": ("uint32_t",),
    "cr_break": ("uint32_t",),
    "cr_jump": ("uint32_t", "void*"),
    "cr_overflow": ("uint32_t", "uint32_t"),
    "cr_thread": ("uint32_t", "void*"),
    "cr_thread_overflow": ("uint32_t",),
    "cr_handle": ("uint32_t", "const uint64_t*"),
    "cr_chain": ("uint32_t", "const uint64_t*"),
    "cr_send": ("uint32_t", "uint32_t"),
    "cr_blind": ("uint32_t", "const uint64_t*"),
    "cr_slot": ("uint32_t", "uint32_t"),
    "cr_missing": ("uint32_t",),
}
BUILD = "c0ffee"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that compiles the library with more options; each build once."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    source = Path(__file__).with_name("crashing.c")
    made: dict[tuple[str, ...], Path] = {}

    def build(*options: str) -> Path:
        if options not in made:
            target = tmp_path_factory.mktemp("crashing") / "libcrashing.so"
            usual = ["-shared", "-fPIC", "-O2", "-fno-optimize-sibling-calls"]
            usual += ["-fno-reorder-blocks-and-partition"]  # which gives a part no name
            mark = [] if "-Wl,--build-id=none" in options else [f"-Wl,--build-id=0x{BUILD}"]
            command = [compiler, *usual, *mark, *options, "-pthread", "-o", str(target)]
            subprocess.run([*command, str(source)], check=True)
            made[options] = target
        return made[options]

    return build


@pytest.fixture(scope="module")
def end(build: Callable[..., Path]) -> Iterator[Callable[..., Ended]]:
    """Return a function that says how a call ends a process of a build."""
    registry = make_registry([function(name, *types) for name, types in FUNCTIONS.items()])
    adapters: dict[tuple[str, ...], LibraryAdapter] = {}

    def end(name: str, *arguments: int, options: tuple[str, ...] = ()) -> Ended:
        if options not in adapters:
            adapters[options] = LibraryAdapter(build(*options), registry)
            adapters[options].start()
        process = adapters[options].process()
        with pytest.raises(Ended) as caught:
            assert process.call(Call(name, arguments, budget=20.0)) is None
        return caught.value

    yield end
    for adapter in adapters.values():
        adapter.close()


def instruction(library: Path, offset: int) -> str:
    """Return the instruction that has a byte of the library, as binutils have it."""
    objdump = shutil.which("objdump")
    if objdump is None:
        pytest.skip("needs objdump")
    command = [objdump, "-d", "--no-show-raw-insn", str(library)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = [line.strip().split(":", 1) for line in text.splitlines() if ":\t" in line]
    return [words for at, words in found if int(at, 16) <= offset][-1]


def place(ended: Ended) -> Place:
    assert ended.place is not None, ended
    return ended.place


def test_the_place_is_the_instruction_that_faulted(
    end: Callable[..., Ended], build: Callable[..., Path]
) -> None:
    found = place(end("cr_follow", 0))
    assert ("libcrashing.so", BUILD, "followed") == (found.file, found.build, found.function)
    assert "(%rdi)" in instruction(build(), found.offset)


def test_two_functions_that_fail_in_one_place_have_one_place(end: Callable[..., Ended]) -> None:
    """Which address they cannot read makes no difference."""
    assert place(end("cr_follow", 0)) == place(end("cr_follow_too", 1 << 60))


def test_two_places_differ(end: Callable[..., Ended]) -> None:
    found = place(end("cr_follow_elsewhere", 0))
    assert "also_followed" == found.function
    assert found.offset != place(end("cr_follow", 0)).offset


@pytest.mark.parametrize(
    ("name", "arguments", "signal"),
    [
        ("cr_length", (0,), "SIGSEGV"),
        ("cr_copy", (0, 32), "SIGSEGV"),
        ("cr_abort", (1,), "SIGABRT"),
        ("cr_jump", (0,), "SIGSEGV"),
    ],
    ids=["strlen", "memcpy", "abort", "a pointer to no code"],
)
def test_what_ends_elsewhere_has_the_call_in_the_library_as_its_place(
    end: Callable[..., Ended],
    build: Callable[..., Path],
    name: str,
    arguments: tuple[int, ...],
    signal: str,
) -> None:
    ended = end(name, *arguments)
    found = place(ended)
    assert (signal, name) == (ended.detail, found.function)
    assert "call" in instruction(build(), found.offset)


@pytest.mark.parametrize(
    ("slot", "function", "operand"),
    [
        (0, "cr_first_slot", "*(%rdi)"),
        (3, "cr_near_slot", "*0x18(%rdi)"),
        (20, "cr_far_slot", "*0xa0(%rdi)"),
        (5, "cr_any_slot", "*(%rdi,%rsi,8)"),
    ],
)
def test_a_jump_through_an_empty_slot_of_a_table_has_the_call_as_its_place(
    end: Callable[..., Ended],
    build: Callable[..., Path],
    slot: int,
    function: str,
    operand: str,
) -> None:
    found = place(end("cr_slot", slot))
    assert function == found.function
    assert ["call", operand] == instruction(build(), found.offset).split()


def test_a_call_of_a_missing_function_is_its_place(
    end: Callable[..., Ended], build: Callable[..., Path]
) -> None:
    found = place(end("cr_missing"))
    assert "cr_missing" == found.function
    assert "<cr_defined_nowhere@plt>" in instruction(build(), found.offset)


@pytest.mark.parametrize(
    ("name", "signal"), [("cr_trap", "SIGILL"), ("cr_break", "SIGTRAP")], ids=["ud2", "int3"]
)
def test_traps_have_their_places(end: Callable[..., Ended], name: str, signal: str) -> None:
    ended = end(name)
    assert (signal, name) == (ended.detail, place(ended).function)


def test_a_stack_that_is_used_up_has_no_place(end: Callable[..., Ended]) -> None:
    """Which call met the end of the stack is chance; the signal is the same as ever."""
    for name, arguments in (("cr_overflow", (0,)), ("cr_thread_overflow", ())):
        ended = end(name, *arguments)
        assert ("CRASH", "SIGSEGV", None) == (ended.kind, ended.detail, ended.place)


def test_a_thread_of_the_library_has_a_place(end: Callable[..., Ended]) -> None:
    """It has no stack for handlers."""
    assert place(end("cr_follow", 0)) == place(end("cr_thread", 0))


def test_a_handler_of_the_library_goes_first(build: Callable[..., Path]) -> None:
    """What it fixes goes on; the process lives."""
    registry = make_registry([function("cr_handle", *FUNCTIONS["cr_handle"])])
    adapter = LibraryAdapter(build(), registry)
    adapter.start()
    try:
        process = adapter.process()
        assert [Outcome(1)] * 3 == [process.call(Call("cr_handle", (0,))) for _ in range(3)]
    finally:
        adapter.close()


def test_a_handler_that_calls_the_one_before_does_not_hang(end: Callable[..., Ended]) -> None:
    ended = end("cr_chain", 0)
    assert ("CRASH", "SIGSEGV", "followed") == (ended.kind, ended.detail, place(ended).function)


@pytest.mark.parametrize("number", [4, 5, 6, 7, 8, 11])
def test_signals_that_are_sent_end_the_process_as_ever(
    end: Callable[..., Ended], number: int
) -> None:
    names = {4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV"}
    ended = end("cr_send", number)
    assert ("CRASH", names[number]) == (ended.kind, ended.detail)


@pytest.mark.parametrize("options", [("-s",), ("-Wl,-z,lazy", "-s")], ids=["stripped", "lazy"])
def test_a_library_without_symbols_has_the_offset(
    end: Callable[..., Ended], options: tuple[str, ...]
) -> None:
    """The exported function before it, which does not cover the instruction, lends no name."""
    found = place(end("cr_follow", 0, options=options))
    assert (BUILD, None) == (found.build, found.function)
    assert "cr_abort" == place(end("cr_abort", 1, options=options)).function


def test_a_library_without_a_build_id_has_a_place_all_the_same(end: Callable[..., Ended]) -> None:
    found = place(end("cr_follow", 0, options=("-Wl,--build-id=none",)))
    assert (None, "followed") == (found.build, found.function)


def test_the_end_of_another_process_takes_no_place_away(build: Callable[..., Path]) -> None:
    """Both are noted, whichever is told of first."""
    registry = make_registry([function("cr_follow", *FUNCTIONS["cr_follow"])])
    adapter = LibraryAdapter(build(), registry)
    adapter.start()
    try:
        process = adapter.process()
        peer = process.peer()
        found = []
        for each in (peer, process):
            with pytest.raises(Ended) as caught:
                each.call(Call("cr_follow", (0,)))
            found.append(place(caught.value).function)
        assert ["followed"] * 2 == found
    finally:
        adapter.close()


def test_a_library_that_closes_descriptors_ends_as_ever(end: Callable[..., Ended]) -> None:
    assert end("cr_blind", 0).kind in ("CRASH", "EXIT")
