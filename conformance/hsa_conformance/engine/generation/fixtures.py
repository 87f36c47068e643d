"""Where the valid things that calls are made with come from.

Fixtures work on a live process: topics write functions that take them, and get, say, a signal by
asking the library for one. What that needs is made with set-up calls; see `Session.set_up`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from hypothesis import strategies as st

from hsa_conformance.engine.outcomes import ProvesNothing, Unavailable
from hsa_conformance.engine.session import Session
from hsa_reports import Verdict

Draw = Callable[[st.SearchStrategy[Any]], Any]
T = TypeVar("T")


@lru_cache(maxsize=256)
def places(count: int) -> st.SearchStrategy[int]:
    """Return what draws one of so many places, the first ones rather; made once for each count.

    To make a strategy takes several times as long as to draw from it.
    """
    return st.sampled_from(range(count))


class CannotMake(ProvesNothing):
    """An atom cannot be made to hold (or not) from here; another choice may do."""


class Unsuitable(CannotMake):
    """Nothing here goes with a value that the example has to be made with."""


class Misfit(Unsuitable):
    """Nothing goes with a size that the example has to be made with; a few tries show it."""


class Lacking(CannotMake):
    """The machine has nothing of the kind, so no other choice will do either."""


class Fixtures:
    """Supplies valid things to build calls from.

    Args:
        session: the process and what is known of it.
        draw: Hypothesis's source of choices.

    """

    def __init__(self, session: Session, draw: Draw) -> None:
        self.session = session
        self.draw = draw

    def choose(self, options: Sequence[T]) -> T:
        """Draw one of several options; simpler ones come first."""
        if not options:
            raise CannotMake("nothing to choose from")
        return options[self.draw(places(len(options)))] if len(options) > 1 else options[0]

    def each(self, axis: str, options: Mapping[str, T]) -> T:
        """Draw one of several options, each of which is to be tried.

        Args:
            axis: what is chosen, in a word or two, such as the name of a parameter.
            options: by what reports call them; simpler ones come first.

        Raises:
            CannotMake: the example has to be made with a value that is not among them.

        """
        axes = self.session.axes
        axes.offer(axis, options)
        pinned = axes.pins.get(axis)
        if pinned is not None and pinned not in options:
            raise CannotMake(f"{axis} cannot be {pinned} with the rest of the example")
        value = self.choose(list(options)) if pinned is None else pinned
        axes.chosen[axis] = value
        return options[value]

    def available(self, options: Sequence[T], what: str) -> T:
        """Draw one of the things of a kind that the machine has.

        Args:
            options: the things.
            what: what they are, for the report of a machine without any.

        Raises:
            Unavailable: there is none.

        """
        if not options:
            raise Unavailable(Verdict.NOT_APPLICABLE, f"the machine has no {what}")
        return self.choose(options)

    def granule(self) -> int:
        """Return a size that suits every kind of memory, in bytes."""
        return self.session.model.unit

    def needs_kernels(self) -> None:
        """Say that what follows takes a machine that runs kernels, or would never end.

        Raises:
            Unavailable: the machine does not.

        """
        if not self.session.runs_kernels:
            raise Unavailable(Verdict.NOT_APPLICABLE, "the imitated machine does not run kernels")

    def readable(self) -> int:
        """Return the address of readable zeroed memory in which no object lives."""
        page = self.session.model.page_size
        return self.session.place(bytes(2 * page), "memory")
