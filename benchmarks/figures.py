"""What is measured of an installation, part by part."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.calculation import Seconds, calculation
from benchmarks.command import measured
from benchmarks.mistakes import MISTAKES

ROOT: Final = Path(__file__).parents[1]
#: Every run has as many processes, on every machine.
_PROCESSES: Final = ("-n", "2")
#: No clause fails, or some do.
_JUDGED: Final = (0, 1)


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes:
        name: what it is, such as "run processor".
        value: how much.
        unit: such as "s"; empty for numbers of things.
        ratio: how many times the fixed calculation it took, if it is a time.
    """

    name: str
    value: float
    unit: str = ""
    ratio: float | None = None

    @property
    def comparable(self) -> float:
        """Return what can be compared with another machine's."""
        return self.value if self.ratio is None else self.ratio


def times(name: str, taken: Seconds, *beside: Seconds) -> Iterator[Figure]:
    """Yield the two times of something, as ratios to the calculations that ran beside it."""
    processor = sum(each.processor for each in beside) / len(beside)
    wall = sum(each.wall for each in beside) / len(beside)
    yield Figure(f"{name} processor", taken.processor, "s", taken.processor / processor)
    yield Figure(f"{name} wall", taken.wall, "s", taken.wall / wall)


def start(scripts: Path) -> Iterator[Figure]:
    """Measure how long a command takes that does nothing, and a run of next to nothing."""
    command = scripts / "hsa-conformance"
    with tempfile.TemporaryDirectory() as folder:
        least = [command, "run", "--select", "hsa_init/exported", "--out", f"{folder}/run"]
        for name, words in (("--version", [command, "--version"]), ("least run", least)):
            before = calculation()
            taken, _ = measured(words)
            yield from times(name, taken, before, calculation())


def smoke(scripts: Path) -> Iterator[Figure]:
    """Measure `check smoke` on the reference."""
    with tempfile.TemporaryDirectory() as folder:
        words = [scripts / "hsa-conformance", "check", "smoke", "--out", f"{folder}/run"]
        before = calculation()
        taken, _ = measured([*words, *_PROCESSES])
        yield from times("smoke", taken, before, calculation())


def run(scripts: Path) -> Iterator[Figure]:
    """Measure the run of README's first command: all of the reference."""
    yield from _whole(scripts, "run")


def rocr(scripts: Path) -> Iterator[Figure]:
    """Measure a run of the ROCr of the host `experimental` on one imitated machine."""
    machine = ("--host", "experimental", "--virtual-kfd", "gfx90a", "--baseline", "rocr")
    yield from _whole(scripts, "rocr", *machine)


def _whole(scripts: Path, name: str, *options: str) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        words = [scripts / "hsa-conformance", "run", *options, *_PROCESSES, "--out", out]
        before = calculation()
        taken, memory = measured(words, _JUDGED)
        yield from times(name, taken, before, calculation())
        lines = (out / "events.jsonl").read_text("utf-8").splitlines()
    results = [event for event in map(json.loads, lines) if event["event"] == "result"]
    yield Figure(f"{name} calls", sum(result["calls"] for result in results))
    yield Figure(f"{name} memory of the command", memory.command, "MiB")
    yield Figure(f"{name} memory of its largest process", memory.largest, "MiB")
    yield Figure(f"{name} memory together", memory.together, "MiB")


def mistakes(scripts: Path) -> Iterator[Figure]:
    """Measure what it takes to judge libraries with a known mistake, and how many are blamed."""
    taken, beside, blamed = list[Seconds](), [calculation()], 0
    for mistake in MISTAKES:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "run"
            library = ("--library", mistake.built(Path(folder)))
            words = [scripts / "hsa-conformance", "run", *library, "--select", mistake.function]
            seconds, _ = measured([*words, "-n", "1", "--out", out], _JUDGED)
            blamed += mistake.blamed(out)
        taken.append(seconds)
        beside.append(calculation())
    whole = Seconds(sum(each.wall for each in taken), sum(each.processor for each in taken))
    processor, wall = times("mistakes", whole, *beside)
    yield Figure(f"mistakes blamed of {len(MISTAKES)}", blamed)
    yield from (processor, wall)
    each = 100 * blamed
    yield Figure("blamed in 100 s of processors", each / processor.value)
    yield Figure("blamed in 100 calculations", each / processor.comparable)


def tests(scripts: Path) -> Iterator[Figure]:
    """Measure the tests of README's second command."""
    before = calculation()
    taken, _ = measured([scripts / "python", "-m", "pytest", *_PROCESSES], folder=ROOT)
    yield from times("tests", taken, before, calculation())


#: The parts by name, each of which measures the installation with its scripts in a folder.
PARTS: Final[Mapping[str, Callable[[Path], Iterator[Figure]]]] = {
    "start": start,
    "smoke": smoke,
    "run": run,
    "mistakes": mistakes,
    "tests": tests,
    "rocr": rocr,
}
