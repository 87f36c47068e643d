"""Measures a run as a whole: wall, processor time, examples, calls, round trips, processes.

Give the command of another installation with --beside to have both measured in turn.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
HOST = ("--host", "experimental", "--virtual-kfd", "--baseline", "rocr")


@dataclass(frozen=True)
class Run:
    """What a run took, in seconds, and what its results say of it."""

    wall: float
    processor: float
    examples: int
    calls: int


def processor_time() -> float:
    """Return the seconds of all processes that were waited for, and of those they waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def timed(command: list[str]) -> Run:
    """Run the suite with the options of a command, and return what it took."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        started, before = time.perf_counter(), processor_time()
        subprocess.run([*command, "--out", str(out)], check=False, capture_output=True)
        wall, processor = time.perf_counter() - started, processor_time() - before
        lines = (out / "events.jsonl").read_text(encoding="utf-8").splitlines()
    results = [e for e in map(json.loads, lines) if e["event"] == "result"]
    members = ("satisfied", "near_misses", "discarded")
    examples = sum(result[member] for result in results for member in members)
    return Run(wall, processor, examples, sum(result["calls"] for result in results))


def counted(python: Path, options: list[str]) -> dict[str, int]:
    """Run the suite in one process, and return how often each operation was asked of a worker."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(python), str(HERE / "counted.py"), "run", *options, "--out", f"{folder}/run"]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    counts: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return counts


def show(what: str, values: list[float], unit: str) -> None:
    """Print a figure of each installation."""
    print(f"{what:<44}" + "".join(f"{value:12,.2f}" for value in values) + f"  {unit}", flush=True)


def main() -> None:
    """Measure this installation, and another one beside it."""
    parser = argparse.ArgumentParser(description=__doc__)
    own = Path(sys.executable).parent
    parser.add_argument(
        "--beside", metavar="FOLDER", type=Path, help="the folder of another installation's python"
    )
    parser.add_argument("--times", type=int, default=1, help="how often each is measured")
    parser.add_argument("--reference", action="store_true", help="the reference, not ROCr 7.2")
    parser.add_argument("--select", action="append", default=[], help="as of run")
    parser.add_argument("-n", dest="workers", default="2", help="as of run")
    given = parser.parse_args()
    folders = [given.beside, own] if given.beside else [own]
    options = [*(() if given.reference else HOST), *(f"--select={name}" for name in given.select)]
    commands = [[str(f / "hsa-conformance"), "run", *options, "-n", given.workers] for f in folders]
    taken = [
        list(each)
        for each in zip(*([timed(c) for c in commands] for _ in range(given.times)), strict=True)
    ]
    runs = [min(each, key=lambda run: run.processor) for each in taken]
    show("wall, median", [statistics.median(r.wall for r in each) for each in taken], "s")
    show("processor time of all processes, least", [r.processor for r in runs], "s")
    show("examples", [r.examples for r in runs], "")
    show("calls of examples", [r.calls for r in runs], "")
    show("processor time a call", [1e3 * r.processor / max(1, r.calls) for r in runs], "ms")
    if given.reference:
        return
    counts = [counted(folder / "python", options) for folder in folders]
    show("calls in all", [c.get("call", 0) for c in counts], "")
    rest = [1 - r.calls / c["call"] for r, c in zip(runs, counts, strict=True)]
    show("of them outside examples", [100 * share for share in rest], "%")
    show("round trips", [sum(c.values()) for c in counts], "")
    show("processes", [c["hello"] for c in counts], "")


if __name__ == "__main__":
    main()
