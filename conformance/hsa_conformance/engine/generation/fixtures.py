"""Where the valid things that calls are made with come from.

Fixtures work on a live process: topics write functions that take them, and get, say, a signal by
asking the library for one. What that needs is made with set-up calls; see `Session.set_up`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Final, TypeVar

from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable
from hsa_conformance.engine.calls.symbols import label_of
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict

#: What reports call memory that the runtime knows nothing of.
PLAIN: Final = "plain memory"

#: Elements of a long list, and of one that is longer than a library keeps room for beforehand.
LIST: Final = 9
MANY: Final = 300

T = TypeVar("T")


@lru_cache(maxsize=256)
def places(count: int) -> drawing.Choice[int]:
    """Return the choice of one of so many places; made once for each count."""
    return drawing.sampled_from(range(count))


class CannotMake(ProvesNothing):
    """An atom cannot be made to hold (or not) from here; another choice may do."""


class Unsuitable(CannotMake):
    """Nothing here goes with a value that the example has to be made with."""


class Misfit(Unsuitable):
    """Nothing goes with a value that the example has to be made with; a few tries show it."""


class NotOnMachine(CannotMake):
    """The machine has nothing of the kind, so no other choice will do either."""


class OutOfReach(CannotMake):
    """For want of something on the machine, an example shows nothing; another choice may do."""


class Fixtures:
    """Supplies valid things to build calls from.

    Args:
        session: the process and what is known of it.
        draw: draws the choices of the example; see `generation.drawing`.

    """

    def __init__(self, session: Session, draw: Draw) -> None:
        self.session = session
        self.draw = draw

    def one_of(self, options: Sequence[T], rather: Collection[int] = ()) -> T:
        """Draw one of several options, whichever; simpler ones come first.

        Args:
            options: the options.
            rather: the places of those that are to be drawn before the others.

        """
        if not options:
            raise Unsuitable("nothing to choose from")
        if len(options) == 1:
            return options[0]
        # What is played again may have less to draw from than there was.
        count = len(options)
        of = drawing.sampled_from(range(count), rather) if rather else places(count)
        place: int = self.draw(of)
        return options[(min(place, count - 1) + self.session.turn) % count]

    def shuffled(self, options: Iterable[T]) -> list[T]:
        """Draw an order of several things."""
        left = list(options)
        return [left.pop(left.index(self.one_of(left))) for _ in range(len(left))]

    def choose(self, options: Sequence[T]) -> T:
        """Draw one of several options; simpler ones come first.

        Where they are objects of the machine, each sort of them is to be tried, see `each`.

        """
        first = label_of(options[0]) if options else None
        axis = self.axis(first.noun) if first else None
        if axis is None:
            return self.one_of(options)

        def sort(option: T) -> str:
            label = label_of(option)
            return label.words if label else str(option)

        return self.some_sort(axis, options, sort)

    def some_sort(self, axis: str, options: Iterable[T], sort: Callable[[T], str]) -> T:
        """Draw one of several options, of which each sort is to be tried.

        Args:
            axis: what is chosen, see `each`.
            options: the options; simpler ones come first.
            sort: what reports call the sort of an option.

        """
        sorts: dict[str, list[T]] = {}
        for option in options:
            sorts.setdefault(sort(option), []).append(option)
        return self.one_of(self.each(axis, sorts))

    def axis(self, noun: str) -> str | None:
        """Return what the choice of an object is called; None where it is not to be swept.

        The first two of a kind in an example are axes.

        Args:
            noun: the kind of object, such as "pool".

        """
        return self.session.axes.place(noun)

    def elements(self, name: str, most: int = MANY, least: int = 1) -> int:
        """Draw how many elements a list has: none, one, two, some, many, or all that there are.

        Args:
            name: the list, such as the name of a parameter.
            most: how many it can have.
            least: how few it can have.

        """
        sorts = {"no element": 0, "1 element": 1}
        sorts |= {f"{count} elements": count for count in (2, LIST, MANY)}
        fitting = {words: count for words, count in sorts.items() if least <= count <= most}
        if 2 < most < LIST:
            fitting["all elements"] = most
        return self.each(name, fitting)

    def position(self, name: str, count: int) -> int:
        """Draw the place of a special element of a list: the first, one in the middle, or the last.

        Args:
            name: what is special about it, such as "bad element".
            count: how many elements there are.

        """
        places = {"first": 0, "last": count - 1, "in the middle": count // 2}
        return self.each(name, dict(list(places.items())[:count]))

    def each(self, axis: str, options: Mapping[str, T]) -> T:
        """Draw one of several options, each of which is to be tried.

        Args:
            axis: what is chosen, in a word or two, such as the name of a parameter.
            options: by what reports call them; simpler ones come first.

        Raises:
            Unsuitable: the example has to be made with a value that is not among them.

        """
        axes = self.session.axes
        axes.offer(axis, options)
        known = axis in axes.pins
        value = self._pinned(axis, options) if known else self._untried(axis, list(options))
        axes.chosen[axis] = value
        return options[value]

    def parts(self, axis: str, options: Mapping[str, T]) -> Iterator[T]:
        """Yield each of several things that one example looks at, such as members of a structure.

        A part that fails hides no other: each of those that come after it is a value of an axis,
        which gets an example that looks at it alone.

        Args:
            axis: what they are, in a word or two, such as "member".
            options: by what reports call them.

        Raises:
            Unsuitable: the example has to look at one that is not among them.

        """
        axes = self.session.axes
        axes.offer(axis, options)
        for value in [self._pinned(axis, options)] if axis in axes.pins else list(options):
            axes.chosen[axis] = value
            yield options[value]
            axes.held.add((axis, value))

    def _pinned(self, axis: str, options: Collection[str]) -> str:
        pinned = self.session.axes.pins[axis]
        if pinned not in options:
            raise Unsuitable(f"{axis} cannot be {pinned} with the rest of the example")
        return pinned

    def _untried(self, axis: str, options: Sequence[str]) -> str:
        """Draw a value of an axis, rather one that no example was made with yet."""
        tried = self.session.axes.tried
        return self.one_of(options, [n for n, o in enumerate(options) if (axis, o) not in tried])

    def some_memory(self, kinds: Mapping[str, Callable[[], int]]) -> int:
        """Return the address of memory of one of several kinds, each of which is to be tried.

        Args:
            kinds: what makes memory, by what reports call its kind; see `kinds`.

        """
        axis = self.axis("memory")
        make = self.one_of(list(kinds.values())) if axis is None else self.each(axis, kinds)
        return make()

    def kinds(
        self, size: int = 1, *, on_host: bool = False, but: Collection[str] = ()
    ) -> dict[str, Callable[[], int]]:
        """Return what makes memory of each kind that there can be here, by what it is called.

        The first is plain memory, which every program has.

        Args:
            size: how many bytes there have to be.
            on_host: whether the host has to be able to use them.
            but: the kinds that are left out.

        """
        session = self.session
        content = bytes(max(size, 2 * session.model.page_size))
        found: dict[str, Callable[[], int]] = {PLAIN: partial(session.place, content, PLAIN)}
        for name, kind in session.rules.memory.items():
            with suppress(Blocked, Unavailable):  # what lists it fails, which is not for this call
                if session.offers(kind.function) and kind.there(self, on_host):
                    found[name] = partial(kind.make, self, size, on_host)
        return {name: make for name, make in found.items() if name not in but}

    def either(self, *ways: Callable[[], T]) -> T:
        """Return what one of several ways leads to, whichever, or another where that one fails.

        Args:
            ways: what makes a thing of one kind with different functions.

        Raises:
            Blocked: the library refuses each of them, as the first of them says.
            Unavailable: no way is open here.

        """
        first = self.one_of(range(len(ways)))
        obstacles: list[Blocked | Unavailable] = []
        for way in (ways[first], *ways[:first], *ways[first + 1 :]):
            try:
                return way()
            except (Blocked, Unavailable) as obstacle:
                if isinstance(obstacle, Blocked) and obstacle.end is self.session.ended is not None:
                    raise  # and the process with it
                obstacles.append(obstacle)
        raise next((o for o in obstacles if isinstance(o, Blocked)), obstacles[0])

    def require_any(self, options: Sequence[T], what: str) -> Sequence[T]:
        """Return the things of a kind that the machine has.

        Args:
            options: the things.
            what: what they are, for the report of a machine without any.

        Raises:
            Unavailable: there is none.

        """
        self.session.axes.on_machine = True
        if not options:
            raise Unavailable(Verdict.NOT_APPLICABLE, f"the machine has no {what}")
        return options

    def available(self, options: Sequence[T], what: str) -> T:
        """Draw one of the things of a kind that the machine has; see `require_any`."""
        return self.choose(self.require_any(options, what))

    def granule(self) -> int:
        """Return a size that suits every kind of memory, in bytes."""
        unit = self.session.model.unit
        return -(-max(unit, self.session.least) // unit) * unit

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
