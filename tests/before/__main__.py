"""Runs what changed files can break, in about a minute: `python -m tests.before`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import textwrap
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from pathlib import Path, PurePosixPath
from typing import Final

from tests.before.changes import WrongUseError, changed, files
from tests.before.checks import Check, CheckRun, carried_out, checks
from tests.before.choice import Part, chosen, parts
from tests.before.durations import kept
from tests.before.needs import registry_topic
from tests.before.reach import reached

ROOT: Final = Path(__file__).parents[2]
#: The tiers whose tests are run, and those whose tests are only named.
RUN: Final = ("tests/unit/", "tests/library/")
NAMED: Final = ("tests/rocr/", "tests/campaign/")
#: From how many seconds of tests on a second process is worth its start.
ALONE: Final = 10

_UNBROKEN: Final = "\N{NO-BREAK SPACE}"


def is_test(path: str, tiers: tuple[str, ...]) -> bool:
    """Return whether a file is one of tests of some tiers."""
    return path.startswith(tiers) and PurePosixPath(path).name.startswith("test_")


def test_check(
    taken: Collection[Part],
    left: Collection[Part],
    topics: Collection[str],
    seconds: float,
    folder: Path,
) -> Check:
    """Return the check that runs some parts of files of tests, and not the others.

    Arguments:
        taken: the parts to run.
        left: the parts that are reached as well.
        topics: those of the registry.
        seconds: how long the parts to run take.
        folder: where a file for pytest can lie.
    """
    if not taken:
        return Check("tests", about="no test of tests/unit or tests/library is reached")
    leave = folder / "leave.json"
    names = [astuple(part) for part in left]
    leave.write_text(json.dumps({"parts": names, "topics": sorted(topics)}), "utf-8")
    processes = len(os.sched_getaffinity(0)) if seconds > ALONE else 0
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(processes)]
    command += ["-p", "tests.before.leaving", "--leave", str(leave)]
    named = {part.file for part in taken}
    reached = named | {part.file for part in left}
    about = f"{len(named)} of {len(reached)} files that are reached, {seconds:.0f} s of tests"
    return Check("tests", [*command, *sorted(named)], about)


def by_folder(names: Iterable[str]) -> str:
    """Return names of files, each with what follows it, a line or more for each folder."""
    folders = defaultdict[str, list[str]](list)
    for name in sorted(names):
        folder, _, file = name.rpartition("/")
        folders[folder].append(file.replace(" ", _UNBROKEN))
    wrapper = textwrap.TextWrapper(100, "    ", "      ", break_on_hyphens=False)
    lines = (f"{folder}: {', '.join(found)}" for folder, found in folders.items())
    return "\n".join(wrapper.fill(line).replace(_UNBROKEN, " ") for line in lines)


def amount(left: float, whole: float) -> str:
    """Return in words how much of a file is left out."""
    return f"({whole:.0f} s)" if left == whole else f"({left:.0f} of {whole:.0f} s)"


def show_left(seconds: Mapping[Part, float], taken: Collection[Part], far: Iterable[str]) -> None:
    """Print which tests the changes reach that were not run, and how to run them."""
    left = defaultdict[str, float](float)
    whole = defaultdict[str, float](float)
    for part, value in seconds.items():
        whole[part.file] += value
        if part not in taken:
            left[part.file] += value
    if left:
        timed = (f"{file} {amount(value, whole[file])}" for file, value in left.items())
        print(f"Reached, and left out for their time ({sum(left.values()):.0f} s). To run them:")
        print(
            f"  python -m tests.before --seconds {sum(whole.values()) + 1:.0f}\n{by_folder(timed)}"
        )
    for tier in NAMED:
        if names := [name for name in far if name.startswith(tier)]:
            print(f"Reached in {tier}, which is never run here. To run it:")
            print(f"  tox run -e tests-{PurePosixPath(tier).name}\n{by_folder(names)}")


def run(every: Iterable[Check], tests: Check) -> list[CheckRun]:
    """Run the tests, and beside them the other checks one by one; print what fails as it ends."""

    def one(check: Check) -> CheckRun:
        done = carried_out(check, ROOT)
        if done.status:
            print(f"{' '.join(check.command)}\n{done.output.rstrip()}\n", flush=True)
        return done

    with ThreadPoolExecutor(2) as lanes:
        running = lanes.submit(one, tests) if tests.command else None
        others = lanes.submit(lambda: [one(check) for check in every if check.command])
        done = others.result()
        return [*done, running.result()] if running else done


def main(words: list[str] | None = None) -> int:
    """Check the tree as it is, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.before", description=__doc__)
    parser.add_argument("--against", metavar="COMMIT", default="HEAD", help="default: HEAD")
    parser.add_argument("--seconds", type=float, default=60, help="of tests, by their last run")
    given = parser.parse_args(words)
    try:
        differing = changed(ROOT, given.against)
        paths = files(ROOT)
        distances = reached(ROOT, paths, differing)
    except WrongUseError as refused:
        print(f"before: {refused}", file=sys.stderr)
        return 2
    if not differing:
        print(f"Nothing differs from {given.against}.")
        return 0
    topics = {topic for topic in map(registry_topic, paths) if topic}
    texts = {p: (ROOT / p).read_text("utf-8") for p in paths if p in distances and is_test(p, RUN)}
    seconds = parts(kept(ROOT), texts, topics)
    taken = chosen(seconds, distances, differing, given.seconds)
    every = list(checks(ROOT, differing, distances))
    with tempfile.TemporaryDirectory() as folder:
        left = seconds.keys() - set(taken)
        total = sum(seconds[part] for part in taken)
        tests = test_check(taken, left, topics, total, Path(folder))
        print(f"{len(differing)} files differ from {given.against}: running {total:.0f} s of tests")
        done = run(every, tests)
    print(*done, sep="\n")
    for check in (*every, tests):
        if not check.command:
            print(f"{check.name:<13} not run: {check.about}")
    show_left(seconds, taken, [p for p in paths if p in distances and is_test(p, NAMED)])
    failed = [each.check.name for each in done if each.status]
    print(f"Failed: {', '.join(failed)}" if failed else "All that was run is ok.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
