"""Memory that a library is refused, by what is preloaded into its process."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.calls import Call
from hsa_adapters.library.process import WorkerProcess
from hsa_adapters.memory import ERROR, MEMORY, MemoryFaults
from hsa_spec import load

SOURCE = """
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *volatile kept[3];
static uint32_t missing;

static void *ask(void *unused)
{
    void *aligned = NULL;
    errno = 0;
    kept[0] = malloc(10);
    kept[1] = realloc(calloc(2, 8), 32);
    kept[2] = posix_memalign(&aligned, 64, 64) ? NULL : aligned;
    missing = 0;
    for (int i = 0; i < 3; i++) {
        missing |= (uint32_t)!kept[i] << i;
        free(kept[i]);
    }
    return unused;
}

/* Return which of three blocks there was no memory for. */
uint32_t hsa_init(void)
{
    ask(NULL);
    return missing | (uint32_t)(missing && errno != ENOMEM) << 8;
}

uint32_t hsa_shut_down(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, ask, NULL);
    pthread_join(thread, NULL);
    return missing;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("library") / "libasks.so"
    source = made.with_suffix(".c")
    source.write_text(SOURCE, encoding="ascii")
    command = ["cc", "-shared", "-fPIC", "-O0", "-pthread", "-o", str(made), str(source)]
    subprocess.run(command, check=True)
    return made


@pytest.fixture
def refusing(library: Path) -> Iterator[tuple[WorkerProcess, MemoryFaults]]:
    """Return a process of a library that asks for memory four times, and what refuses it."""
    adapter = LibraryAdapter(library, load())
    adapter.start()
    memory = adapter.memory()
    assert isinstance(memory, MemoryFaults)
    yield adapter.process(), memory
    adapter.close()


def test_requests_of_the_library_are_counted(
    refusing: tuple[WorkerProcess, MemoryFaults],
) -> None:
    """What the worker itself asks for is not."""
    process, memory = refusing
    memory.watch()
    assert {} == memory.made()
    assert 0 == process.call(Call("hsa_init", ())).result
    assert {MEMORY: 4} == memory.made()


@pytest.mark.parametrize(
    ("after", "lasting", "missing", "hits"),
    [(0, False, 1, 1), (1, False, 0, 1), (2, False, 2, 1), (3, False, 4, 1), (0, True, 7, 4)],
)
def test_one_request_is_refused_or_all_from_there_on(
    refusing: tuple[WorkerProcess, MemoryFaults],
    after: int,
    lasting: bool,
    missing: int,
    hits: int,
) -> None:
    """Each function of the heap refuses in its own way; a block of NULL is made anew."""
    process, memory = refusing
    memory.arm(MEMORY, ERROR, after, lasting=lasting)
    assert missing == process.call(Call("hsa_init", ())).result
    assert hits == memory.hits()
    memory.disarm()
    assert 0 == process.call(Call("hsa_init", ())).result


@pytest.mark.parametrize("garbage", [b"\xee", b"\x01", b"\x7f"])
def test_a_library_that_overwrites_what_its_processes_share_is_refused_nothing(
    refusing: tuple[WorkerProcess, MemoryFaults], garbage: bytes
) -> None:
    """Otherwise later processes would lack memory, and what counts requests would be wrong."""
    process, memory = refusing
    memory.watch()
    with Path(memory.environment()["HSA_CONFORMANCE_MEMORY"]).open("r+b") as state:
        state.write(garbage * 32)
    assert {} == memory.made()
    assert 0 == memory.hits()
    assert [] == memory.noted()
    assert 0 == process.call(Call("hsa_init", ())).result


def test_what_was_refused_is_told_and_what_came_next(
    library: Path, refusing: tuple[WorkerProcess, MemoryFaults]
) -> None:
    """A request has its function, its bytes and its place in the library; none before it does."""
    process, memory = refusing
    memory.arm(MEMORY, ERROR, 1, lasting=False)
    assert [] == memory.noted()
    process.call(Call("hsa_init", ()))
    told = [request.rpartition("+") for request in memory.noted()]
    assert [
        f"{request} bytes at {library.name}"
        for request in ("calloc of 16", "realloc of 32", "posix_memalign of 64")
    ] == [before for before, _, _ in told]
    symbols = subprocess.run(["nm", library], check=True, capture_output=True, text=True).stdout
    ask, init = (
        int(line.split()[0], 16)
        for name in (" ask", " hsa_init")
        for line in symbols.splitlines()
        if line.endswith(name)
    )
    places = [int(place, 16) for _, _, place in told]
    assert sorted(places) == places
    assert ask < places[0] < places[-1] < init
    memory.watch()
    assert [] == memory.noted()


def test_what_was_refused_is_told_from_others_by_its_size(
    refusing: tuple[WorkerProcess, MemoryFaults],
) -> None:
    """Its number among the requests of one size does not depend on those of others."""
    process, memory = refusing
    assert (0, 0) == memory.alike()
    memory.arm(MEMORY, ERROR, 5, lasting=True)
    process.call(Call("hsa_init", ()))
    assert (0, 0) == memory.alike()
    process.call(Call("hsa_init", ()))
    assert (16, 1) == memory.alike()
    memory.arm(MEMORY, ERROR, 0, lasting=False)
    process.call(Call("hsa_init", ()))
    assert (10, 0) == memory.alike()


def test_a_request_of_the_runtime_of_cpp_has_the_place_of_the_library(tmp_path: Path) -> None:
    """What `new` asks for is asked for by whom it serves."""
    source, library = tmp_path / "new.cc", tmp_path / "libnew.so"
    source.write_text(
        '#include <new>\nextern "C" unsigned hsa_init() { return !new (std::nothrow) char[24]; }\n',
        encoding="ascii",
    )
    subprocess.run(["c++", "-shared", "-fPIC", "-o", library, source], check=True)
    adapter = LibraryAdapter(library, load())
    adapter.start()
    memory = adapter.memory()
    assert isinstance(memory, MemoryFaults)
    process = adapter.process()
    memory.arm(MEMORY, ERROR, 0, lasting=True)
    assert 1 == process.call(Call("hsa_init", ())).result
    first, *_ = memory.noted()
    adapter.close()
    assert first.startswith("malloc of 24 bytes at libnew.so+0x")


def test_other_threads_are_refused_nothing(
    refusing: tuple[WorkerProcess, MemoryFaults],
) -> None:
    """What a runtime's own threads do is nothing that the call asked for."""
    process, memory = refusing
    memory.arm(MEMORY, ERROR, 0, lasting=True)
    assert (0, {}) == (process.call(Call("hsa_shut_down", ())).result, memory.made())


def test_no_other_call_can_be_refused() -> None:
    """What is asked of a driver is another one's to refuse."""
    memory = MemoryFaults()
    with pytest.raises(ValueError, match="ACQUIRE_VM cannot be refused"):
        memory.arm("ACQUIRE_VM", ERROR, 0, lasting=False)
    memory.close()


def test_a_library_elsewhere_says_why_not(library: Path) -> None:
    """Nothing of this machine can be preloaded there."""
    adapter = LibraryAdapter(library, load(), via="{argv}")
    adapter.start()
    reason = adapter.memory()
    adapter.close()
    assert "memory can be refused on this machine alone" == reason
