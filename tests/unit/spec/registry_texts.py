"""A small registry as text, to be broken by tests."""

from __future__ import annotations

from pathlib import Path

STATUS = """\
enum: hsa_status_t
header: hsa.h
summary: Status codes.
enumerators:
  - {name: HSA_STATUS_SUCCESS, value: 0, summary: All is well.}
  - {name: HSA_STATUS_ERROR, value: 0x1000, summary: Something is wrong.}
"""
FUNCTION = """\
function: hsa_do
header: hsa.h
summary: Do something.
params:
  - {name: count, type: uint32_t}
documented: [SUCCESS, ERROR]
without: [not-initialized, driver-refuses]
clauses:
  count-zero:
    when: count == 0
    status: ERROR
    strength: must
    source: {retval: ERROR}
  success:
    when: [initialized(), count > 0]
    status: SUCCESS
    source: {retval: SUCCESS}
"""


def write(root: Path, *, function: str = FUNCTION, status: str = STATUS) -> Path:
    """Write a registry of one status file and one function file, and return its folder."""
    (root / "core").mkdir(parents=True, exist_ok=True)
    (root / "core" / "status.yaml").write_text(status, encoding="utf-8")
    (root / "core" / "do.yaml").write_text(function, encoding="utf-8")
    return root


def line_of(text: str, part: str) -> int:
    """Return the number of the first line that contains `part`."""
    return next(n for n, line in enumerate(text.splitlines(), start=1) if part in line)


def line_of_clause(text: str, identifier: str) -> int:
    """Return the number of the line at which a clause starts."""
    function, slug = identifier.split("/")
    start = line_of(text, f"function: {function}")
    behind = "\n".join(text.splitlines()[start:])
    return start + line_of(behind, f"  {slug}:")
