"""The runtime with one function that refuses every call: what else can still be judged?

As a program, it prints for each function the clauses of others that wait. Options that it does not
know go on to `hsa-conformance run`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from hsa_reports import Verdict
from hsa_spec import load
from tests.library.third_party.build import CLAIM, LIBRARY, SOURCES, compile_files
from tests.library.third_party.judging import Judged, judge
from tests.wrong import campaign
from tests.wrong.fates import Fate, Mistake, Outcome

#: HSA_STATUS_ERROR, in place of the function of the runtime, which comes second.
_REFUSAL = """
__attribute__((visibility("default"))) int {function}(void);
int {function}(void) {{ return 0x1000; }}
"""


def refusing(function: str, folder: Path) -> Path:
    """Compile the runtime so that one function answers HSA_STATUS_ERROR to everything.

    Args:
        function: its name; it returns a status.
        folder: where files go.

    Returns:
        The library.

    """
    source, library = folder / "refusal.c", folder / "libthird-party.so"
    source.write_text(_REFUSAL.format(function=function), "utf-8")
    options = (*LIBRARY.split(), "-Wl,--allow-multiple-definition")
    compile_files(library, [source, *sorted(SOURCES.glob("*.c"))], *options)
    return library


def waiting(judged: Judged, function: str) -> list[str]:
    """Return the clauses of other functions, and of rules about them, that are BLOCKED."""
    blocked = (c for c, verdict in judged.verdicts.items() if verdict is Verdict.BLOCKED)
    clauses = load().clauses
    return [clause for clause in blocked if clauses[clause].function != function]


def accused(judged: Judged) -> set[str]:
    """Return the functions that are said to break a clause."""
    return {clause.partition("/")[0] for clause in judged.accused()}


def refused(*options: str) -> Iterator[Fate]:
    """Judge the runtime with each function that returns a status refusing every call."""
    functions = load().functions
    for name in yaml.safe_load(CLAIM.read_text("utf-8"))["functions"]:
        if functions[name].result != "hsa_status_t":
            continue
        with tempfile.TemporaryDirectory() as folder:
            library = refusing(name, Path(folder))
            judged = judge(library, Path(folder, "run"), *options)
        broken = judged.accused()
        others = [*waiting(judged, name), *(c for c in broken if not c.startswith(f"{name}/"))]
        blamed = accused(judged) == {name}
        why = "" if blamed else "others blamed" if broken else "not noticed"
        yield Mistake("third-party", "refusal", f"{name} refuses every call", {name}).fate(
            Outcome.BLAMED if blamed else Outcome.SURVIVED,
            {c: judged.verdicts[c] for c in sorted(broken) if c.startswith(f"{name}/")},
            {c: judged.verdicts[c] for c in others},
            why,
        )


def main() -> None:
    """Print a line for each function that returns a status."""
    parser = argparse.ArgumentParser("python -m tests.library.third_party.refusing")
    campaign.kept(parser)
    chosen, options = parser.parse_known_args()
    campaign.report(refused(*options), chosen.fates)


if __name__ == "__main__":
    main()
