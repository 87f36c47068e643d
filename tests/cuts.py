"""The reference as a C library that has one version of HSA's core, and nothing else.

`python -m tests.cuts` builds one for each version and holds it to its claim. Options go on to
`hsa-conformance run`; the exit status is 1 where a version is not passed, or is not shown to be. A
cut library is right, so it shares the command with campaigns and no fates.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from hsa_reference import implemented
from hsa_reference.library import build
from hsa_reports import Verdict
from hsa_spec import load, named_sets
from tests.wrong.command import Subject, judge

VERSIONS: Final = ("1.0", "1.1", "1.2")
#: Verdicts of a library that passes all that can be tried.
SHOWN: Final = {Verdict.PASS, Verdict.UNTESTED, Verdict.NOT_APPLICABLE}


def cut(version: str, folder: Path) -> Path:
    """Build the library, with its claim beside it.

    Args:
        version: of HSA, such as "1.0".
        folder: where files go.

    Returns:
        The library.

    Raises:
        LibraryError: it cannot be built here.

    """
    have, core = implemented(load()), named_sets(load())[f"core-{version}"].functions
    functions = {name: function for name, function in have.functions.items() if name in core}
    library = build(folder, replace(have, functions=functions))
    claim = f'implementation: HSA {version}\nhsa: "{version}"\nsets: [core-{version}]\n'
    (library.parent / "claim.yaml").write_text(claim, "utf-8")
    return library


def passed(library: Path, out: Path, options: Iterable[str]) -> bool:
    """Run the suite, which prints what it finds, and return whether it shows that the claim holds.

    Where it does not, the reason for each clause in question is printed as well.

    Args:
        library: with its claim beside it.
        out: where the run goes, a folder that is not there yet.
        options: of `hsa-conformance run`, such as "-n", "2".

    """
    subject = Subject(("--library", f"{library}", "--strict"))
    status, run = judge(subject, out, *options, shown=True)
    left = [clause for clause, verdict in run.verdicts.items() if verdict not in SHOWN]
    for clause in left:
        for result in run.by_clause[clause]:
            print(
                f"{clause}, {result.check}: {result.verdict}: {result.reason or 'as it has to be'}"
            )
    return status == 0 and not left


def main() -> int:
    """Print a run for each version."""
    failed = []
    for version in VERSIONS:
        print(f"HSA {version}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            if not passed(cut(version, Path(folder)), Path(folder, "run"), sys.argv[1:]):
                failed.append(version)
    print("Not passed: " + ", ".join(failed) if failed else "All versions are passed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
