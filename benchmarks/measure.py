"""Measures parts against targets: registry, reports, calls, programs in C, ROCr's start."""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from hsa_adapters import Call, LibraryAdapter
from hsa_conformance.subjects import reference
from hsa_reference import Runtime, implemented
from hsa_reference.library import build
from hsa_spec import load

HERE = Path(__file__).parent
COMMAND = str(Path(sys.executable).with_name("hsa-conformance"))
PARTS = ["spec", "reports", "calls", "client", "imitation"]
RUNS = sorted((HERE.parent / "reports" / "published").glob("*.*.*"))
MAJOR = "HSA_SYSTEM_INFO_VERSION_MAJOR"


def report(what: str, value: float, unit: str, target: str) -> None:
    print(f"{what:<58} {value:9.3f} {unit:<8} target {target}", flush=True)


def median(measure: Callable[[], float], times: int = 7) -> float:
    return statistics.median(measure() for _ in range(times))


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=False, capture_output=True)
    return time.perf_counter() - started


def specification() -> None:
    """Measure what is done with the whole registry, each in a process of its own."""
    program = (
        "import time, hsa_spec; t = time.perf_counter(); hsa_spec.load(); "
        "print(time.perf_counter() - t)"
    )

    def loading(environment: dict[str, str]) -> float:
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        return float(done.stdout)

    with tempfile.TemporaryDirectory() as empty:
        report(
            "the registry loaded, cache used", median(lambda: loading({**os.environ})), "s", "0.25"
        )
        once = loading({**os.environ, "XDG_CACHE_HOME": empty})
        report("the registry loaded, no cache yet", once, "s", "-")
    for words, target in (
        (["lint"], "10"),
        (["lint", "--ambiguities"], "-"),
        (["verify-headers", "/usr/include/hsa"], "5"),
    ):
        value = median(lambda w=words: seconds([COMMAND, "spec", *w]), 3)  # type: ignore[misc]
        report(f"hsa-conformance spec {' '.join(words)}", value, "s", target)


def reports(folder: Path) -> None:
    """Measure what is made of the published runs, which are whole ones."""
    for kind in ("html", "markdown", "junit"):
        command = [COMMAND, "report", kind, str(RUNS[-1]), "--out", str(folder / kind)]
        report(f"report {kind} of a whole run", median(partial(seconds, command), 3), "s", "3")
    command = [COMMAND, "compare", *map(str, RUNS)]
    report(f"compare {len(RUNS)} whole runs", median(partial(seconds, command), 3), "s", "5")


def per_call(body: Callable[[], object], calls: int) -> float:
    """Return microseconds per call, the body making `calls` of them."""
    started = time.perf_counter()
    body()
    return (time.perf_counter() - started) / calls * 1e6


def calls(library: Path) -> None:
    registry = load()
    attribute = registry.constants[MAJOR]

    adapter = reference()
    adapter.start()
    process = adapter.process()
    address, _ = process.scratch
    functions = Runtime().functions()
    functions["hsa_init"]()
    query = functions["hsa_system_get_info"]

    def in_process() -> None:
        for _ in range(20_000):
            query(attribute, address)

    report(
        "attribute query, reference in process",
        median(lambda: per_call(in_process, 20_000)),
        "us",
        "3",
    )
    adapter.close()

    worker = LibraryAdapter(library, registry)
    worker.start()
    child = worker.process()
    child.call(Call("hsa_init", ()))
    room, _ = child.scratch
    one = Call("hsa_system_get_info", (attribute, room))

    def singly() -> None:
        for _ in range(2_000):
            child.call(one)

    def batched() -> None:
        child.batch([one] * 2_000)

    report(
        "attribute query, worker, one at a time",
        median(lambda: per_call(singly, 2_000)),
        "us",
        "25",
    )
    report(
        "attribute query, worker, batch of 2000",
        median(lambda: per_call(batched, 2_000)),
        "us",
        "3",
    )
    child.close()
    worker.close()


def imitation() -> None:
    """Measure real ROCr on an imitated machine: the installed one, and a host."""
    init = [COMMAND, "virtual-kfd", "run", "--", sys.executable, str(HERE / "init.py")]

    def first() -> float:
        done = subprocess.run(init, capture_output=True, text=True, check=True)
        return float(done.stdout)

    report("hsa_init of the installed ROCr, imitated machine", median(first), "s", "0.04")
    with tempfile.TemporaryDirectory() as folder:
        made = seconds([COMMAND, "hosts", "create", "trixie", "--out", f"{folder}/host"])
    report("hsa-conformance hosts create trixie", made, "s", "60")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PARTS)
    only = parser.parse_args().only
    folder = Path(tempfile.mkdtemp())
    try:
        library = build(folder, implemented(load()))
        if only in (None, "spec"):
            specification()
        if only in (None, "reports"):
            reports(folder)
        if only in (None, "calls"):
            calls(library)
        if only in (None, "client"):
            subprocess.run([sys.executable, HERE / "from_c.py", library], check=True)
        if only == "imitation":
            imitation()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
