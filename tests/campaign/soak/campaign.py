"""Starts two processes of soak.c on the reference's library, and watches what they hold."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hsa_reference import implemented, load_machine
from hsa_reference.library import build
from hsa_spec import load
from hsa_spec.c_header import c_header
from hsa_spec.compiler import compile_c
from hsa_spec.releases import Release
from tests.golden.code import code_object

SOURCE = Path(__file__).with_name("soak.c")
#: Seconds between two looks at the processes.
PERIOD = 5.0
#: What a process may hold more at the end than after the first rounds.
MORE_MEMORY, MORE_DESCRIPTORS, MORE_MAPPINGS = 16 << 20, 64, 64
#: Rounds after which caches are full and lists have their size.
WARM = 3


@dataclass(frozen=True)
class ResourceUse:
    """What a process holds: bytes of memory, descriptors and mappings."""

    memory: int
    descriptors: int
    mappings: int

    @classmethod
    def by(cls, pid: int) -> ResourceUse:
        """Look at a process.

        Raises:
            OSError: it is gone.

        """
        folder = Path(f"/proc/{pid}")
        pages = int((folder / "statm").read_text().split()[1])
        mappings = len((folder / "maps").read_text().splitlines())
        return cls(
            pages * os.sysconf("SC_PAGE_SIZE"), len(list((folder / "fd").iterdir())), mappings
        )

    def __str__(self) -> str:
        """Return it in words."""
        memory = f"{self.memory >> 20} MiB"
        return f"{memory}, {self.descriptors} descriptors, {self.mappings} mappings"

    def grown_since(self, before: ResourceUse) -> list[str]:
        """Return what is more than before, in words."""
        kinds = (
            ("bytes of memory", before.memory, self.memory, MORE_MEMORY),
            ("descriptors", before.descriptors, self.descriptors, MORE_DESCRIPTORS),
            ("mappings", before.mappings, self.mappings, MORE_MAPPINGS),
        )
        return [
            f"{what} grew from {old} to {new}" for what, old, new, more in kinds if new > old + more
        ]


@dataclass(frozen=True)
class Outcome:
    """What came of it: the rounds of each process, and what speaks against the library."""

    rounds: tuple[int, ...]
    problems: tuple[str, ...]

    def __str__(self) -> str:
        """Return it in words."""
        done = " and ".join(map(str, self.rounds))
        return "\n".join((f"{done} rounds", *(self.problems or ("nothing crashed, nothing grew",))))


class Process:
    """One process of the program.

    Args:
        command: how to start it.
        environment: of the process.
        output: a file for what it prints.
        peer: the descriptor that it inherits.

    """

    def __init__(
        self, command: list[str], environment: dict[str, str], output: Path, peer: int
    ) -> None:
        self.output = output
        with output.open("w") as file:
            self.running = subprocess.Popen(
                command, env=environment, pass_fds=[peer], stdout=file, stderr=file
            )
        self.warm: ResourceUse | None = None
        self.last: ResourceUse | None = None

    @property
    def rounds(self) -> int:
        """How many rounds it has ended."""
        return self.output.read_text().count("round ")

    def look(self) -> None:
        """Note what it holds, once it is warm."""
        if self.rounds < WARM or self.running.poll() is not None:
            return
        self.last = ResourceUse.by(self.running.pid)
        self.warm = self.warm or self.last

    def problems(self) -> list[str]:
        """Return what speaks against the library, in words."""
        status = self.running.wait()
        if self.warm and self.last:
            found = self.last.grown_since(self.warm)
        else:
            found = [f"{self.rounds} rounds are too few to see growth, {WARM} warm it up"]
        if status == 0:
            return found
        said = [line for line in self.output.read_text().splitlines() if "round" not in line]
        return [f"a process ended with {status}: {' / '.join(said[-5:])}", *found]


def run(
    folder: Path, seconds: float, seed: int, machine: str, say: Callable[[str], object]
) -> Outcome:
    """Build the library and the program, run two processes of it, and say what came of it.

    Args:
        folder: for what is built and written.
        seconds: how long new rounds begin.
        seed: of what the threads draw.
        machine: that the library models: a name or a file.
        say: is given a line about each look at the processes.

    """
    registry = load()
    library = build(folder, implemented(registry))
    program, code = folder / "soak", folder / "code.o"
    # Debian's newest header may lack the virtual memory API.
    header = c_header(registry, Release.parse("7.2"))
    (folder / "hsa_of_release.h").write_text(header, encoding="utf-8")
    options = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", str(folder)]
    compile_c([*options, *map(str, (SOURCE, library, "-o", program))], "soak.c")
    code.write_bytes(code_object("kernel", _processor(machine)))
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(library.parent),
        "HSA_REFERENCE_MACHINE": machine,
    }
    with ExitStack() as stack:
        ends = [stack.enter_context(end) for end in socket.socketpair()]
        processes = [
            Process(
                [*map(str, (program, end.fileno(), int(seconds), seed + number, code))],
                environment,
                folder / f"process{number}.txt",
                end.fileno(),
            )
            for number, end in enumerate(ends)
        ]
        for process in processes:
            stack.callback(process.running.wait)
            stack.callback(process.running.kill)
        for end in ends:
            end.close()
        _watch(processes, seconds, say)
        problems = [problem for process in processes for problem in process.problems()]
    return Outcome(tuple(process.rounds for process in processes), tuple(problems))


def _watch(processes: list[Process], seconds: float, say: Callable[[str], object]) -> None:
    start = time.monotonic()
    while any(p.running.poll() is None for p in processes):
        time.sleep(PERIOD)
        for process in processes:
            process.look()
        past = time.monotonic() - start
        held = ", ".join(f"{p.rounds} rounds, {p.last}" for p in processes if p.last)
        say(f"{past:.0f} s: {held}")
        if past > seconds + 120:
            # What hangs is found out by its end.
            for process in processes:
                process.running.kill()


def _processor(machine: str) -> str:
    """Return the name of the first GPU's target, such as "gfx90a"."""
    gpus = (a for a in load_machine(machine, load()).agents if a.isas)
    name = next(gpus).isas[0].name
    return name.rpartition("--")[2].partition(":")[0]
