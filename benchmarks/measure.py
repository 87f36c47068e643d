"""Measures what people wait for: start-up, single calls, the virtual memory group, two workers."""

from __future__ import annotations

import argparse
import json
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
PARTS = ["start", "spec", "reports", "calls", "client", "groups", "imitation", "scaling"]
RUNS = sorted((HERE.parent / "reports" / "published").glob("*.*.*"))
MAJOR = "HSA_SYSTEM_INFO_VERSION_MAJOR"


def report(what: str, value: float, unit: str, target: str) -> None:
    print(f"{what:<58} {value:9.3f} {unit:<8} target {target}", flush=True)


def median(measure: Callable[[], float], times: int = 7) -> float:
    return statistics.median(measure() for _ in range(times))


def seconds(command: list[str], **options: str) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=False, capture_output=True, **options)  # type: ignore[call-overload]
    return time.perf_counter() - started


def start() -> None:
    for words in (["--help"], ["spec", "show", "hsa_amd_vmem_map"]):
        value = median(lambda w=words: seconds([COMMAND, *w]))  # type: ignore[misc]
        report(f"hsa-conformance {' '.join(words)}", value, "s", "0.4")


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


def run_group(*options: str) -> tuple[float, int]:
    """Run the command and return seconds and the number of examples."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        taken = seconds([COMMAND, "run", "--out", str(out), *options])
        lines = (out / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    results = [e for e in events if e["event"] == "result"]
    return taken, sum(e["satisfied"] + e["near_misses"] for e in results)


def groups(library: Path) -> None:
    for name, options, target in (
        ("in process", ["--adapter", "reference"], "15"),
        ("C library through the worker", ["--library", str(library)], "30"),
    ):
        results = [run_group("--select", "vmem", *options) for _ in range(3)]
        taken = statistics.median(t for t, _ in results)
        report(f"vmem group, quick, {name} ({results[0][1]} examples)", taken, "s", target)


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
    subprocess.run([COMMAND, "hosts", "create", "experimental"], check=True, capture_output=True)
    for workers in ("1", "2"):
        taken, examples = run_group(
            *("--host", "experimental", "--virtual-kfd", "--select", "vmem", "-n", workers)
        )
        report(f"vmem group, quick, ROCr 7.2, -n {workers} ({examples} examples)", taken, "s", "45")


def scaling(library: Path) -> None:
    options = ["--library", str(library), "--profile", "full"]
    one, _ = run_group(*options)
    two, _ = run_group(*options, "-n", "2")
    report("everything, full profile, one process", one, "s", "(at least 60)")
    report("everything, full profile, two workers", two, "s", "")
    report("two workers against one process", one / two, "times", "1.7")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PARTS)
    only = parser.parse_args().only
    folder = Path(tempfile.mkdtemp())
    try:
        library = build(folder, implemented(load()))
        if only in (None, "start"):
            start()
        if only in (None, "spec"):
            specification()
        if only in (None, "reports"):
            reports(folder)
        if only in (None, "calls"):
            calls(library)
        if only in (None, "client"):
            subprocess.run([sys.executable, HERE / "from_c.py", library], check=True)
        if only in (None, "groups"):
            groups(library)
        if only == "imitation":
            imitation()
        if only == "scaling":
            scaling(library)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
