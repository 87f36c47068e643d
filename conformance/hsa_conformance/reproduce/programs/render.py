"""Writes a plan as a program."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from functools import cache
from mmap import PAGESIZE
from typing import TYPE_CHECKING, Final

from hsa_adapters.memory import MEMORY
from hsa_conformance.engine.calls.values import GUARD
from hsa_conformance.engine.checks.growth import ENOUGH, ROUNDS, WARM_UP
from hsa_conformance.reproduce.plans.mentions import calls
from hsa_conformance.reproduce.plans.plan import Plan
from hsa_conformance.reproduce.programs.c import C
from hsa_conformance.reproduce.programs.python import Python
from hsa_conformance.reproduce.programs.spelling import Spelling
from hsa_reports import RunStarted
from hsa_reports.actions import Read
from hsa_reports.demands import AsAlone
from hsa_reports.operands import Output
from hsa_reports.text import one_line
from hsa_reports.words import english, source
from hsa_spec import Registry

if TYPE_CHECKING:
    from jinja2 import Environment

#: What programs are written in, and the template of each.
LANGUAGES: Final[Mapping[str, tuple[str, type[Spelling]]]] = {
    "c": ("reproduce.c.j2", C),
    "python": ("reproduce.py.j2", Python),
}

#: How long a program waits for its steps; hsa_init takes a while on large machines.
SECONDS: Final = 20

_LARGEST_PAGE: Final = 1 << 16

#: How often a program tries what depends on how threads meet, and for how many seconds, at most.
TRIES_OF_THREADS: Final = 300
SECONDS_FOR_THREADS: Final = 20
#: How often it makes the steps in one process, where all but the first can be made again.
TIMES: Final = 50


def render(plan: Plan, run: RunStarted, registry: Registry, language: str, tries: int = 1) -> str:
    """Return a program.

    Args:
        plan: what it does.
        run: where the failure was seen.
        registry: the specification.
        language: a key of LANGUAGES.
        tries: how often the program tries at most, where chance decides.

    Raises:
        CannotReproduce: the language cannot say something that the plan asks for.

    """
    template, spelling = LANGUAGES[language]
    text = (
        _environment()
        .get_template(template)
        .render(
            plan=plan,
            c=spelling(plan, registry),
            heading=_heading(plan, run, registry),
            sentence=english(plan.clause, registry),
            seconds=SECONDS,
            memory_call=MEMORY,
            tries=tries,
            arena=_arena(plan),
            patience={"tries": TRIES_OF_THREADS, "times": TIMES, "seconds": SECONDS_FOR_THREADS},
            rounds={"warm_up": WARM_UP, "rounds": ROUNDS, "enough": ENOUGH},
        )
    )
    return re.sub(r"\n{4,}", "\n\n\n", text)


def _heading(plan: Plan, run: RunStarted, registry: Registry) -> list[str]:
    """Return the lines about the clause and the failure, for a comment."""
    subject = run.subject
    release = f", release {subject.release}" if subject.release else ""
    imitated = f", on {subject.imitation}" if subject.imitation else ""
    told = [
        english(plan.clause, registry),
        f"Source: {source(plan.clause, registry)}",
        f"Seen in {subject.path or subject.implementation}{release}{imitated}: "
        f"{plan.failure.summary}.",
    ]
    lines: list[str] = []
    for paragraph in (plan.clause, *told):
        safe = one_line(paragraph, 2000).replace("*/", "* /").replace("/*", "/ *")
        lines += ["", *textwrap.wrap(safe, 90)]
    return lines[1:]


def _arena(plan: Plan) -> int:
    """Return how many bytes all memory and outputs of a process may take, with some to spare."""
    memory = [block for move in plan.moves for block in move.memory]
    # Large blocks begin where a page does, which may be larger elsewhere.
    blocks = [b.size + (_LARGEST_PAGE * 2 if b.size >= PAGESIZE else 0) for b in memory]
    rooms = [
        value.size
        for move in plan.moves
        for call in calls(move.action)
        for value in call.arguments
        if isinstance(value, Output)
    ]
    if isinstance(plan.demand, AsAlone):
        rooms *= 3  # for two more calls of one thread
    reads = [
        move.action.size
        for move in plan.moves
        if isinstance(move.action, Read)
        and move.action.name in plan.bytes_of.get(move.step.process, ())
    ]
    once = sum(-(-size // 16) * 16 + 2 * GUARD + 16 for size in (*blocks, *rooms, *reads))
    return once * (WARM_UP + ROUNDS if plan.round else TIMES if plan.again else 1)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("hsa_conformance.reproduce.programs"),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "kind": lambda value: type(value).__name__,
        "lanes_of": lambda move: move.action.lanes,
        "calls_of": lambda move: list(calls(move.action)),
        "calls": lambda body, name: re.search(rf"\b{name}\(", body) is not None,
        "value_of": lambda value, spelling: spelling.value(value),
        "spelled": lambda number, spelling: spelling.literal(number),
    }
    return environment
