"""Runs the suite on a library with a defect, and says who is blamed that is not without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from hsa_adapters.hosts import Host
from hsa_conformance.baselines import read_baseline
from hsa_reports import Result, Verdict
from hsa_reports.run import read_run
from hsa_spec import Registry
from hsa_spec.releases import Release
from tests.campaign.planted.building import MACHINE, build
from tests.campaign.planted.drawing import ROCR, Defect
from tests.wrong import command
from tests.wrong.blame import broken, fate_of
from tests.wrong.fates import Fate


class Campaign:
    """Judges defects.

    Args:
        folder: where libraries and runs go.
        host: the real library.
        registry: the specification.
        options: of each `hsa-conformance run`, such as "--profile", "full".

    """

    def __init__(
        self, folder: Path, host: Host, registry: Registry, options: Iterable[str] = ()
    ) -> None:
        self._folder = folder
        self._host = host
        self._registry = registry
        self._options = tuple(options)
        release = Release.parse(host.rocr_version)
        self._expected = read_baseline("rocr", registry).expected(release, MACHINE)
        self._number = 0

    def unbroken(self, of: str, defects: Iterable[Defect], *options: str) -> Path:
        """Judge a library without a defect, by all that its defects concern; return the run."""
        functions = {f for d in defects for f in d.blame | d.beside}
        return self._run(of, None, functions, *options)

    def judge(self, defect: Defect, without: Path) -> Fate:
        """Judge a library with a defect.

        Args:
            defect: the defect.
            without: a run of the library without it: no failure of that is blamed on the defect.

        """
        functions = defect.blame | defect.beside
        run = read_run(self._run(defect.of, defect, functions, "--against", f"{without}"))
        before = read_run(without)
        return fate_of(defect.mistake, run, before, self._registry, self._known(defect.of))

    def accused(self, run: Path, of: str) -> Mapping[str, Verdict]:
        """Return the clauses that a run says are broken, and that it did not expect to be."""
        return broken(read_run(run), self._known(of))

    def _known(self, of: str) -> Callable[[Result], bool]:
        """Return whether a failure of a library is known; by chance it may not show without."""
        if of != ROCR or self._expected is None:
            return lambda _: False
        return self._expected.explains

    def _run(self, of: str, defect: Defect | None, functions: Iterable[str], *options: str) -> Path:
        """Build a library and run the suite on it, by the clauses of some functions."""
        self._number += 1
        folder, out = self._folder / f"{self._number}", self._folder / f"{self._number}-run"
        built = build(of, defect, folder, self._host, self._registry)
        command.judge(built, out, *self._options, *options, select=sorted(functions))
        return out
