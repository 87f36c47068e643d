"""Runs the suite on a library with a defect, and says who is blamed that is not without it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hsa_adapters.hosts import Host
from hsa_conformance.baselines import read_baseline
from hsa_reports import Verdict, worst
from hsa_reports.run import read_run
from hsa_reports.verdicts import BROKEN, JUDGED
from hsa_spec import Registry
from hsa_spec.releases import Release
from tests.campaign.planted.building import MACHINE, Built, build
from tests.campaign.planted.drawing import ROCR, Defect


@dataclass(frozen=True)
class Fate:
    """What came of a defect.

    Args:
        defect: what was planted.
        rightly: clauses of functions that are to blame, with what they are.
        wrongly: such clauses of other functions.
        unjudged: clauses that are judged without the defect, and are not with it.

    """

    defect: Defect
    rightly: Mapping[str, Verdict]
    wrongly: Mapping[str, Verdict]
    unjudged: Mapping[str, Verdict]

    @property
    def word(self) -> str:
        """Return it in a word."""
        if self.wrongly:
            return "WRONG"
        return "found" if self.rightly else "MISSED"


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
        """Judge what is to be broken as it is, by all that the defects concern; return the run."""
        functions = {f for d in defects for f in d.blame | d.beside}
        built = build(of, None, self._next(), self._host, self._registry)
        return self.run(built, functions, *options)

    def judge(self, defect: Defect, without: Path) -> Fate:
        """Judge a library with a defect.

        Args:
            defect: the defect.
            without: a run of the library without it: what fails there is not blamed on the defect.

        """
        built = build(defect.of, defect, self._next(), self._host, self._registry)
        run = self.run(built, defect.blame | defect.beside, "--against", f"{without}")
        accused = self.accused(run, defect.of)
        rightly = {c: v for c, v in accused.items() if self._subject(c) in defect.blame}
        wrongly = {c: v for c, v in accused.items() if c not in rightly}
        before = read_run(without).verdicts
        unjudged = {
            c: v
            for c, v in read_run(run).verdicts.items()
            if v not in JUDGED and before.get(c) in JUDGED
        }
        return Fate(defect, rightly, wrongly, unjudged)

    def run(self, built: Built, functions: Iterable[str], *options: str) -> Path:
        """Run the suite on a library, by the clauses of some functions; return the run.

        Raises:
            RuntimeError: there is none, as the suite says.

        """
        out = self._next()
        program = str(Path(sys.executable).with_name("hsa-conformance"))
        select = [word for name in sorted(functions) for word in ("--select", name)]
        command = [
            program,
            "run",
            *built.options,
            *select,
            *self._options,
            *options,
            "--out",
            f"{out}",
        ]
        environment = {**os.environ, **built.environment}
        said = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
        if not out.exists():
            raise RuntimeError(f"{shlex.join(command)}: {said.stderr}")
        return out

    def accused(self, run: Path, of: str) -> Mapping[str, Verdict]:
        """Return the clauses that a run says are broken, and that it did not expect to be.

        What is known of the real library is no news, though by chance it did not show without.
        """
        known = self._expected if of == ROCR else None
        broken = {
            clause: [
                r.verdict
                for r in results
                if r.verdict in BROKEN and not (known and known.explains(r))
            ]
            for clause, results in sorted(read_run(run).by_clause.items())
        }
        return {clause: worst(verdicts) for clause, verdicts in broken.items() if verdicts}

    def _subject(self, clause: str) -> str:
        """Return the function of a clause, or the one that its rule is about."""
        return self._registry.clauses[clause].function

    def _next(self) -> Path:
        self._number += 1
        return self._folder / f"{self._number}"
