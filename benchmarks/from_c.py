"""Measures the calls of a C program, on the reference and beside it on ROCr 7.2.

The argument is the path of the reference's library.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hsa_adapters.hosts import HostError, create
from hsa_adapters.virtual_kfd import DEFAULT, cached, load_machine, prepare

HERE = Path(__file__).parent
#: The queues that `many` makes are more than a GPU has otherwise.
MANY = {"HSA_REFERENCE_MACHINE": str(HERE / "many.yaml")}
#: What the reference shall do, by the names that client.c prints.
TARGETS = {
    "a program's start and end": "0.2",
    "signal load": "1",
    "queue index load": "1",
    "attribute query, system": "4",
    "attribute query, agent": "4",
    "attribute query, pool": "4",
    "virtual memory map and unmap": "60",
    "barrier packets through one queue": "20000",
    "resident memory with 100000 signals as well": "300",
}


@dataclass(frozen=True)
class Subject:
    """A library that the program runs on.

    Attributes:
        name: for the head of its column.
        before: what stands before the program in a command.
        library: its path.
        variables: of the environment.

    """

    name: str
    before: tuple[str, ...]
    library: Path
    variables: Mapping[str, str]

    def run(self, program: Path, part: str) -> str:
        """Run a part of the program and return what it prints; nothing where it fails."""
        command = [*self.before, str(program), str(self.library), part]
        environment = {**os.environ, **self.variables, **(MANY if part == "many" else {})}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""


def measured(subject: Subject, program: Path) -> dict[str, tuple[str, str]]:
    """Return what was measured on a subject: a figure and its unit by name."""
    wall, processor = start(subject, program)
    figures = {
        "a program's start and end": (f"{wall:.3f}", "s"),
        "the same, processor time": (f"{processor:.3f}", "s"),
    }
    for part in ("calls", "vmem", "packets", "many"):
        for line in subject.run(program, part).splitlines():
            name, figure, unit = line.split("\t")
            figures[name] = figure, unit
    return figures


def start(subject: Subject, program: Path) -> tuple[float, float]:
    """Return the seconds from a process's start to its end, and those of the processor: medians."""
    wall, processor = [], []
    for _ in range(7):
        before, spent = time.perf_counter(), children()
        subject.run(program, "start")
        wall.append(time.perf_counter() - before)
        processor.append(children() - spent)
    return statistics.median(wall), statistics.median(processor)


def children() -> float:
    """Return the processor time of the processes that were waited for, in seconds."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def rocr(folder: Path) -> Subject:
    """Return ROCr of the host `experimental`, on a machine that is imitated in a folder.

    Raises:
        HostError: the host cannot be made.

    """
    host = create("experimental")
    folder.mkdir()
    kfd = prepare(load_machine(DEFAULT), folder, library=cached())
    loader = str(host.root / "usr/lib64/ld-linux-x86-64.so.2")
    before = (loader, "--library-path", str(host.library.parent))
    return Subject(f"ROCr {host.rocr_version}", before, host.library, kfd.environment())


def from_c(library: Path) -> None:
    """Measure the reference, and ROCr of the host `experimental` on an imitated machine."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "client"
        subjects = [Subject("reference", (), library, {})]
        try:
            subjects.append(rocr(Path(folder) / "machine"))
        except HostError as error:
            print(f"no ROCr beside it: {error}")
        options = ["-O2", "-o", str(program), str(HERE / "client.c"), "-ldl"]
        subprocess.run(["cc", *options], check=True)
        results = [measured(subject, program) for subject in subjects]
    heads = "".join(f"{subject.name:>14}" for subject in subjects)
    print(f"{'from C':<46}{heads}  {'unit':<5} target")
    for name, (_, unit) in results[0].items():
        cells = "".join(f"{each.get(name, ('-',))[0]:>14}" for each in results)
        print(f"{name:<46}{cells}  {unit:<5} {TARGETS.get(name, '-')}")


if __name__ == "__main__":
    from_c(Path(sys.argv[1]))
