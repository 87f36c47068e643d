"""The runtime with one function that refuses every call: what else can still be judged?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from hsa_reports import Verdict
from hsa_spec import Registry, load
from tests.library.third_party.build import CLAIM, LIBRARY, SOURCES, compile_files
from tests.library.third_party.judging import JudgedRun
from tests.wrong.fates import Mistake

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


def waiting(judged: JudgedRun, function: str) -> list[str]:
    """Return the clauses of other functions, and of rules about them, that are BLOCKED."""
    blocked = (c for c, verdict in judged.verdicts.items() if verdict is Verdict.BLOCKED)
    clauses = load().clauses
    return [clause for clause in blocked if clauses[clause].function != function]


def accused(judged: JudgedRun) -> set[str]:
    """Return the functions that are said to break a clause."""
    return {clause.partition("/")[0] for clause in judged.accused()}


@dataclass(frozen=True)
class Refusal:
    """A function of the runtime that refuses every call."""

    function: str

    @property
    def mistake(self) -> Mistake:
        """Return it as campaigns know it."""
        return Mistake(
            "third-party", "refusal", f"{self.function} refuses every call", {self.function}
        )

    @property
    def judged(self) -> Collection[str]:
        """Return that a whole run shows what can be judged without the function."""
        return ()

    def library(self, folder: Path) -> Path:
        """Compile the runtime so, and return the library."""
        folder.mkdir(parents=True)
        return refusing(self.function, folder)


def refusals(registry: Registry) -> Iterator[Refusal]:
    """Yield each function of the runtime that returns a status."""
    for name in yaml.safe_load(CLAIM.read_text("utf-8"))["functions"]:
        if registry.functions[name].result == "hsa_status_t":
            yield Refusal(name)
