"""Documents of one function that leave much to defaults, and what comes of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

from hsa_spec import Clause, Function, Registry, Strength, load

TYPES = """\
enum: hsa_status_t
summary: Status codes.
enumerators:
  - {name: HSA_STATUS_SUCCESS, value: 0, summary: All is well.}
  - {name: HSA_STATUS_ERROR, value: 0x1000, summary: Something is wrong.}
  - {name: HSA_STATUS_ERROR_INVALID_ARGUMENT, value: 0x1001, summary: An argument is.}
  - {name: HSA_STATUS_ERROR_OUT_OF_RESOURCES, value: 0x1008, summary: No memory.}
  - {name: HSA_STATUS_ERROR_INVALID_AGENT, value: 0x1004, summary: No agent.}
  - {name: HSA_STATUS_ERROR_NOT_INITIALIZED, value: 0x100B, summary: Too early.}
---
enum: hsa_colour_t
header: hsa_ext_amd.h
summary: Colours.
enumerators:
  - {name: HSA_COLOUR_RED, value: 0, summary: Red.}
---
handle: hsa_agent_t
summary: An agent.
invalid: {unless: is_agent, status: ERROR_INVALID_AGENT}
---
"""
LISTED = "[SUCCESS, ERROR_NOT_INITIALIZED, ERROR_INVALID_ARGUMENT, ERROR_INVALID_AGENT]"
AGENT = "{name: my_agent, type: hsa_agent_t, role: handle}"
OUT = "{name: value, type: void*, direction: out}"


def text_of(
    *params: str, documented: str = LISTED, clauses: str = "", without: str = "", more: str = ""
) -> str:
    """Return the document of a function."""
    lines = ["function: hsa_do", "summary: Do something.", *more.splitlines()]
    lines += ["params:", *(f"  - {p}" for p in params)] if params else []
    lines += [f"documented: {documented}"]
    lines += [f"without: {without}"] if without else []
    lines += ["clauses:", indent(clauses, "  ")] if clauses else []
    return TYPES + "\n".join(lines) + "\n"


def registry_of(folder: Path, text: str) -> Registry:
    (folder / "core").mkdir(exist_ok=True)
    (folder / "core" / "do.yaml").write_text(text, encoding="utf-8")
    return load(folder)


def function_of(folder: Path, text: str) -> Function:
    return registry_of(folder, text).functions["hsa_do"]


def said(clause: Clause) -> tuple[Strength, list[str], list[str], str]:
    """Return the strength, conditions, statuses and source of a clause."""
    when = [atom.text for atom in clause.when]
    statuses = [s.removeprefix("HSA_STATUS_") for s in clause.status]
    return clause.strength, when, statuses, str(clause.source)


def slugs(function: Function) -> list[str]:
    return [clause.slug for clause in function.clauses]
