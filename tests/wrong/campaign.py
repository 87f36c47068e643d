"""A campaign: its options, the runs with and without a mistake, and the report of each one."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

from hsa_reports import Result
from hsa_reports.run import Run
from hsa_spec import Registry
from tests.wrong import command
from tests.wrong.blame import broken, fate_of
from tests.wrong.fates import Fate, Mistake, table, write

#: What the option of campaigns and of their tests does.
KEEPS: Final = "add a line of JSON for each mistake, for `python -m tests.wrong compare`"


class Wrong(Protocol):
    """A library with a mistake, before it is built."""

    @property
    def mistake(self) -> Mistake:
        """Return the mistake."""
        ...

    @property
    def judged(self) -> Collection[str]:
        """Return the functions by whose clauses it is judged; all, if there are none."""
        ...


W = TypeVar("W", bound=Wrong)


class Campaign(Generic[W]):
    """Judges one kind of library, without a mistake and with one at a time.

    Args:
        build: builds the library in a folder that is not there yet, with a mistake or with None.
        registry: the specification.
        folder: where libraries and runs go.
        options: of each `hsa-conformance run`, such as "--profile", "full".
        known: whether a result shows a known failure, which by chance may not show without.

    """

    def __init__(
        self,
        build: Callable[[W | None, Path], command.Subject],
        registry: Registry,
        folder: Path,
        options: Sequence[str] = (),
        known: Callable[[Result], bool] = lambda _: False,
    ) -> None:
        self._build = build
        self._registry = registry
        self._folder = folder
        self._options = options
        self._known = known
        self._runs = 0

    def fates(self, wrong: Sequence[W]) -> Iterator[Fate]:
        """Judge the library without a mistake and then with each; yield the fate of each mistake.

        No failure that is there without a mistake is blamed on one.
        """
        against, without = self._unbroken(wrong)
        for each in wrong:
            _, run = self._judge(each, each.judged, "--against", f"{against}")
            yield fate_of(each.mistake, run, without, self._registry, self._known)

    def again(self, wrong: Sequence[W], times: int) -> Iterator[list[str]]:
        """Judge the library without a mistake once more, some times; yield what newly fails."""
        against, _ = self._unbroken(wrong)
        for _ in range(times):
            _, run = self._unbroken(wrong, "--against", f"{against}")
            yield [*broken(run, self._known)]

    def _unbroken(self, wrong: Iterable[W], *options: str) -> tuple[Path, Run]:
        """Judge the library without a mistake, by all that judges these; return the run."""
        return self._judge(None, {name for each in wrong for name in each.judged}, *options)

    def _judge(self, wrong: W | None, by: Iterable[str], *options: str) -> tuple[Path, Run]:
        self._runs += 1
        folder, out = self._folder / f"{self._runs}", self._folder / f"{self._runs}-run"
        subject = self._build(wrong, folder)
        _, run = command.judge(subject, out, *self._options, *options, select=sorted(by))
        return out, run


def seeded(parser: argparse.ArgumentParser) -> None:
    """Add the option that says by which seed mistakes are drawn."""
    parser.add_argument(
        "--seed",
        metavar="N",
        type=int,
        default=secrets.randbelow(10**6),
        help="of the draw (default: by chance)",
    )


def kept(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where the fate of each mistake goes."""
    parser.add_argument(
        "--fates",
        metavar="FILE",
        type=Path,
        help=KEEPS,
    )


def report(fates: Iterable[Fate], path: Path | None) -> list[Fate]:
    """Print each fate as soon as it is known, then the table; return all fates.

    Args:
        fates: of the mistakes, one after the other.
        path: the file to which each is added; None for none.

    """
    known = []
    for fate in fates:
        known.append(fate)
        print(fate, flush=True)
        if path:
            write(fate, path)
    print("", *table(known), sep="\n")
    return known
