"""What a check finds, and the line it is on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hsa_spec.model import CallbackType, Clause, Enum, Function, Registry, Struct


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    Args:
        path: the file.
        line: the line, counted from 1, or None when the whole file is meant.
        subject: the id of the clause, or the name of what is declared.
        rule: the rule that is broken, in a word or two.
        message: what is wrong and what was expected.

    """

    path: Path
    line: int | None
    subject: str
    rule: str
    message: str

    def __str__(self) -> str:
        """Return the finding as compilers write theirs."""
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {self.subject}: {self.message} [{self.rule}]"


def about_clause(registry: Registry, clause: Clause, rule: str, message: str) -> Finding:
    """Return a finding about a clause."""
    path = _path(registry, registry.functions[clause.function].topic)
    return Finding(path, _line(path, "id", clause.id), clause.id, rule, message)


def about_declaration(
    registry: Registry,
    declared: Function | Enum | Struct | CallbackType,
    rule: str,
    message: str,
) -> Finding:
    """Return a finding about a function, an enumeration, a structure or a callback."""
    path = _path(registry, declared.topic)
    line = _line(path, "function|enum|struct|handle|callback", declared.name)
    return Finding(path, line, declared.name, rule, message)


def _path(registry: Registry, topic: str) -> Path:
    return registry.root / f"{topic}.yaml"


def _line(path: Path, keys: str, name: str) -> int | None:
    """Find the line that says `key: name`; only findings ask, so the file is read once for each."""
    if not path.exists():
        return None
    wanted = re.compile(rf"[-\s]*(?:{keys}):\s*[\"']?{re.escape(name)}[\"']?\s*")
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((n for n, line in enumerate(lines, start=1) if wanted.fullmatch(line)), None)
