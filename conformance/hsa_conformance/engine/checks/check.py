"""A check: one way of testing one clause, example by example."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from hsa_conformance.engine.checks.code_place import CodePlace, code_place
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.session.session import Session
from hsa_reports import BEFORE, BESIDE


@dataclass
class Counts:
    """What the examples of one check did."""

    satisfied: int = 0
    near_misses: int = 0
    discarded: int = 0
    calls: int = 0
    timed: int = 0  # of those that threads made at one time
    overlapping: int = 0  # of these, those that were made while another thread was in a call


@dataclass(frozen=True)
class Check:
    """One way of testing one clause.

    Args:
        clause: id of the clause.
        name: what the report calls the check.
        body: one example: a session, what draws its choices, and the counts to keep.
        initialised: whether the example wants an initialised runtime.
        fresh: whether every example wants a process of its own.
        examples: how many times the profile's number of examples.
        least: how few they may be where they take long; see `running.example_counts`.
        sweeps: whether each value that an example chooses by `Fixtures.each` has to be tried.
        objects_only: of those values, only objects of the machine have to be tried.
        once: one machine is enough: it takes long, and other machines would hardly differ.
        hints: axes whose values say what to prepare for, which earlier examples may have done:
            each value is tried in a process of its own.
        stepwise: whether an example is a sequence of steps any of which can be left out; see
            `engine.checks.random_programs.steps`.
        chance: whether threads make calls at one time, so that what goes wrong in one example need
            not when it is made again; see `session.threads.repetition`.
        before: what can happen before its call, in the order in which it is tried.
        turns: how many of these a brief run tries at most.
        beside: the functions that another thread can call meanwhile, in the order in which they are
            tried; an example is made with one of them.
        pins: the value that every example has to be made with, by axis.
        proof: the property that the body runs, if it is written by hand.

    """

    clause: str
    name: str
    body: Callable[[Session, Draw, Counts], None]
    initialised: bool = True
    fresh: bool = False
    examples: float = 1.0
    least: int = 2
    sweeps: bool = False
    objects_only: bool = False
    once: bool = False
    hints: frozenset[str] = frozenset()
    stepwise: bool = False
    chance: bool = False
    before: Sequence[str] = ()
    turns: int = 1
    beside: Sequence[str] = ()
    pins: Mapping[str, str] = field(default_factory=dict)
    proof: Callable[..., object] | None = None

    @property
    def surroundings(self) -> Sequence[tuple[str, str]]:
        """Return the axes and values of what can happen before its call, or beside it."""
        before = [(BEFORE, way) for way in self.before]
        return before + [(BESIDE, function) for function in self.beside]

    @property
    def source(self) -> CodePlace:
        """Return where the code is that judges."""
        return code_place(self.proof or self.body)
