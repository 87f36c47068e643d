"""What examples choose from, and the two who choose: a generator with a seed, and Hypothesis.

A choice says which values there are, which of them is the simplest, and how one is drawn by chance.
`Sampler` draws examples by a seed: to begin and to draw costs it next to nothing. An example that
fails is left to Hypothesis (`running.failures.simplifying`), for which each choice has a strategy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Generic, TypeVar

#: The module `hypothesis.strategies` and one of them; imported only where an example fails.
Strategies = Any
Strategy = Any

T = TypeVar("T")
Value = TypeVar("Value")

#: Up to so many numbers in a row, each is as likely as the others; of more, the edges are likelier.
_FEW: Final = 64
#: The bits of a number from which much else is drawn.
TICKET_BITS: Final = 32
#: How often a value is drawn anew that cannot lead to another example.
_TRIES: Final = 16


class Choice(ABC, Generic[T]):
    """Values of which an example takes one."""

    @abstractmethod
    def strategy(self, of: Strategies) -> Strategy:
        """Return Hypothesis's strategy of the same values.

        Args:
            of: the module that has them.

        """

    @property
    @abstractmethod
    def simplest(self) -> T:
        """The value that is easiest to understand, with which Hypothesis begins as well."""

    @abstractmethod
    def random(self, chance: Random) -> T:
        """Return one of the values by chance."""

    @property
    def values(self) -> Sequence[T] | None:
        """All values, where they are few."""
        return None

    @property
    def preferred(self) -> Collection[int]:
        """The places of those of the values that are to be drawn before the others."""
        return ()

    @property
    def once(self) -> bool:
        """Whether those are as good as the others when each of them was drawn."""
        return False

    def snapshot(self, value: T) -> Any:  # noqa: ANN401 - whatever is noted
        """Return what a value is remembered by, in this process and in others."""
        return value.copy() if isinstance(value, list) else value

    def restore(self, noted: Any) -> T:  # noqa: ANN401 - whatever was noted
        """Return the value that was noted; the nearest one, where there are fewer now."""
        value: Any = noted.copy() if isinstance(noted, list) else noted
        return value  # type: ignore[no-any-return]

    def __or__(self, other: Choice[Any]) -> Choice[Any]:
        """Return the choice of the values of both; the simplest is that of the first."""
        return one_of(self, other)

    def filter(self, holds: Callable[[T], object]) -> Choice[T]:
        """Return the choice of those values for which something holds, which many have to be."""
        return _Filtered(self, holds)


#: Draws one of the values of a choice.
Draw = Callable[[Choice[Any]], Any]


@dataclass(frozen=True)
class _Integers(Choice[int]):
    least: int
    most: int

    def strategy(self, of: Strategies) -> Strategy:
        return of.integers(self.least, self.most)

    @property
    def simplest(self) -> int:
        return min(max(0, self.least), self.most)

    def random(self, chance: Random) -> int:
        if self.most - self.least <= _FEW:
            return chance.randint(self.least, self.most)
        sort = chance.randrange(4)
        if sort == 0:
            edges = (self.least, self.least + 1, self.most - 1, self.most, self.simplest)
            return chance.choice(edges)
        if sort == 1:
            return chance.randint(self.least, self.most)
        # Numbers of all lengths: most of a wide range are as long as its ends.
        room = max(self.simplest - self.least, self.most - self.simplest)
        distance = chance.getrandbits(chance.randint(1, room.bit_length()))
        number = self.simplest + (distance if chance.getrandbits(1) else -distance)
        return number if self.least <= number <= self.most else self.random(chance)

    @property
    def values(self) -> Sequence[int] | None:
        few = self.most - self.least <= _FEW
        return range(self.least, self.most + 1) if few else None


@dataclass(frozen=True)
class _Sampled(Choice[T]):
    options: Sequence[T]
    places: Collection[int] = field(default=(), repr=False, compare=False)
    places_once: bool = field(default=False, repr=False, compare=False)

    def strategy(self, of: Strategies) -> Strategy:
        return of.sampled_from(self.options)

    @property
    def simplest(self) -> T:
        return self.options[0]

    def random(self, chance: Random) -> T:
        return chance.choice(self.options)

    @property
    def values(self) -> Sequence[T]:
        return self.options

    @property
    def preferred(self) -> Collection[int]:
        return self.places

    @property
    def once(self) -> bool:
        return self.places_once

    def snapshot(self, value: T) -> int:
        # What is played again may have less to draw from than there was.
        return self.options.index(value) if value in self.options else len(self.options) - 1

    def restore(self, noted: int) -> T:
        return self.options[min(noted, len(self.options) - 1)]


@dataclass(frozen=True)
class _Ticket(Choice[int]):
    first: int = field(repr=False)  # another run has another one of the same choice

    def strategy(self, of: Strategies) -> Strategy:
        return of.integers(0, 2**TICKET_BITS - 1)

    @property
    def simplest(self) -> int:
        return self.first

    def random(self, chance: Random) -> int:
        return chance.getrandbits(TICKET_BITS)


@dataclass(frozen=True)
class _Bytes(Choice[bytes]):
    least: int
    most: int

    def strategy(self, of: Strategies) -> Strategy:
        return of.binary(min_size=self.least, max_size=self.most)

    @property
    def simplest(self) -> bytes:
        return bytes(self.least)

    def random(self, chance: Random) -> bytes:
        return chance.randbytes(chance.randint(self.least, self.most))


@dataclass(frozen=True)
class _Lists(Choice[list[T]]):
    elements: Choice[T]
    least: int
    most: int
    unique: bool = False

    def strategy(self, of: Strategies) -> Strategy:
        elements = self.elements.strategy(of)
        return of.lists(elements, min_size=self.least, max_size=self.most, unique=self.unique)

    @property
    def simplest(self) -> list[T]:
        if not self.unique:
            return [self.elements.simplest] * self.least
        return self._filled([self.elements.simplest][: self.least], self.least, Random(0))

    def random(self, chance: Random) -> list[T]:
        return self._filled([], chance.randint(self.least, self.most), chance)

    def _filled(self, found: list[T], count: int, chance: Random) -> list[T]:
        tries = _TRIES * count
        while len(found) < count and (tries > 0 or len(found) < self.least):
            tries -= 1
            value = self.elements.random(chance)
            if not (self.unique and value in found):
                found.append(value)
        return found


@dataclass(frozen=True)
class _Sets(Choice[set[T]]):
    elements: _Lists[T]

    def strategy(self, of: Strategies) -> Strategy:
        elements, least, most = self.elements.elements, self.elements.least, self.elements.most
        return of.sets(elements.strategy(of), min_size=least, max_size=most)

    @property
    def simplest(self) -> set[T]:
        return set(self.elements.simplest)

    def random(self, chance: Random) -> set[T]:
        return set(self.elements.random(chance))


@dataclass(frozen=True)
class _Orders(Choice[list[T]]):
    things: Sequence[T]

    def __repr__(self) -> str:
        # What they are may mean nothing in another process.
        return f"an order of {len(self.things)} things"

    def strategy(self, of: Strategies) -> Strategy:
        return of.permutations(self.things)

    @property
    def simplest(self) -> list[T]:
        return list(self.things)

    def random(self, chance: Random) -> list[T]:
        return chance.sample(self.things, len(self.things))

    def snapshot(self, value: list[T]) -> list[int]:
        left = dict(enumerate(self.things))
        return [_taken(left, each) for each in value]

    def restore(self, noted: list[int]) -> list[T]:
        # There may be fewer things now, or more.
        there = range(len(self.things))
        places = [place for place in noted if place in there]
        return [self.things[p] for p in (*places, *(p for p in there if p not in places))]


def _taken(left: dict[int, T], thing: T) -> int:
    """Take a thing from those that are left, and return its place."""
    place = next(place for place, each in left.items() if each is thing or each == thing)
    del left[place]
    return place


@dataclass(frozen=True)
class _OneOf(Choice[Any]):
    choices: Sequence[Choice[Any]]

    def strategy(self, of: Strategies) -> Strategy:
        return of.one_of(*(choice.strategy(of) for choice in self.choices))

    @property
    def simplest(self) -> Any:  # noqa: ANN401 - of any of the choices
        return self.choices[0].simplest

    def random(self, chance: Random) -> Any:  # noqa: ANN401
        return chance.choice(self.choices).random(chance)


@dataclass(frozen=True)
class _Filtered(Choice[T]):
    among: Choice[T]
    holds: Callable[[T], object]

    def __repr__(self) -> str:
        # Without the value that it compares with, which was drawn before and is the same again.
        return f"{self.among!r}.filter({getattr(self.holds, '__name__', 'holds')})"

    def strategy(self, of: Strategies) -> Strategy:
        return self.among.strategy(of).filter(self.holds)

    @property
    def simplest(self) -> T:
        value = self.among.simplest
        return value if self.holds(value) else self.random(Random(0))

    def random(self, chance: Random) -> T:
        while not self.holds(value := self.among.random(chance)):
            pass
        return value


def integers(least: int, most: int) -> Choice[int]:
    """Return the choice of the numbers of a range; the one nearest to zero is the simplest."""
    return _Integers(least, most)


def booleans() -> Choice[bool]:
    """Return the choice between False, which is the simpler one, and True."""
    return _Sampled((False, True))


def sampled_from(
    options: Sequence[T], rather: Collection[int] = (), *, once: bool = False
) -> Choice[T]:
    """Return the choice of one of several things, of which the first is the simplest.

    Args:
        options: the things, at least one.
        rather: the places of those that are drawn before the others, by whom that is left to.
        once: whether only until each of those was drawn, and not as long as that makes another
            example.

    """
    return _Sampled(options, rather, once)


def just(value: T) -> Choice[T]:
    """Return the choice of one value alone."""
    return _Sampled((value,))


def ticket(seed: str) -> Choice[int]:
    """Return the choice of a number from which much else can be drawn.

    The simplest example has the number that the seed decides, so that it is another one in each
    run. An example that is made again has the number that it had.
    """
    return _Ticket(Random(seed).getrandbits(TICKET_BITS))


def simplest(choice: Choice[T]) -> T:
    """Draw the simplest value, as the first of a `Sampler`'s examples does."""
    return choice.simplest


def drawn_from(number: int) -> Draw:
    """Return what draws by chance from a number."""
    chance = Random(number)
    return lambda choice: choice.random(chance)


def binary(*, min_size: int = 0, max_size: int) -> Choice[bytes]:
    """Return the choice of bytes; zeros, as few as can be, are the simplest."""
    return _Bytes(min_size, max_size)


def lists(
    elements: Choice[T], *, min_size: int = 0, max_size: int, unique: bool = False
) -> Choice[list[T]]:
    """Return the choice of lists; as few of the simplest elements as can be are the simplest."""
    return _Lists(elements, min_size, max_size, unique)


def sets(elements: Choice[T], *, min_size: int = 0, max_size: int) -> Choice[set[T]]:
    """Return the choice of sets, which are simpler the fewer elements they have."""
    return _Sets(_Lists(elements, min_size, max_size, unique=True))


def permutations(things: Sequence[T]) -> Choice[list[T]]:
    """Return the choice of the orders of several things; as they are given is the simplest."""
    return _Orders(things)


def one_of(*choices: Choice[Any]) -> Choice[Any]:
    """Return the choice of the values of several choices; the simplest is that of the first."""
    return _OneOf(choices)


class _Node:
    """What examples have drawn from one choice, after equal choices before it."""

    def __init__(self) -> None:
        self.after: dict[Hashable, _Node] = {}
        self.count: int | None = None  # how many values there are, where they are few
        self.spent = False  # whether nothing else can be drawn from here on

    def is_spent(self, value: object) -> bool:
        """Return whether all examples that begin with a value were made."""
        node = self.after.get(_key(value))
        return node is not None and node.spent


class Sampler:
    """Draws examples by a seed: the simplest first, and none twice.

    Where there are few values, the examples take all of them before one takes the same again.

    Args:
        seed: makes two runs draw the same.

    """

    def __init__(self, seed: str) -> None:
        self._chance = Random(seed)
        self._root = _Node()
        self._left: dict[tuple[int, int], list[int]] = {}  # places, by draw and number of values
        self._drawn: set[tuple[tuple[Any, ...], int]] = set()  # values, and a place among them

    def examples(self) -> Iterator[Draw]:
        """Yield what draws each example, as long as there is one that was not made."""
        simplest = True
        while not self._root.spent:
            path = [self._root]
            yield self._drawing(path, simplest=simplest)
            simplest = False
            path[-1].spent = True
            for node in reversed(path[:-1]):
                spent = sum(child.spent for child in node.after.values())
                node.spent = node.count is not None and spent >= node.count

    def _drawing(self, path: list[_Node], *, simplest: bool) -> Draw:
        def draw(choice: Choice[Any]) -> Any:  # noqa: ANN401 - whatever is chosen from
            node, values = path[-1], choice.values
            node.count = None if values is None else len(values)
            value = choice.simplest if simplest else self._value(choice, path)
            path.append(node.after.setdefault(_key(value), _Node()))
            return list(value) if type(value) is list else value

        return draw

    def _value(self, choice: Choice[Any], path: list[_Node]) -> Any:  # noqa: ANN401
        values, node = choice.values, path[-1]
        if values is not None:
            left = [p for p in choice.preferred if not node.is_spent(values[p])]
            if choice.once:
                left = [p for p in left if (tuple(values), p) not in self._drawn]
            if left:
                place = self._chance.choice(left)
                if choice.once:
                    self._drawn.add((tuple(values), place))
                return values[place]

        def draw() -> Any:  # noqa: ANN401
            if values is None:
                return choice.random(self._chance)
            return values[self._place(len(path), len(values))]

        value = draw()
        for _ in range(_TRIES):
            if not node.is_spent(value):
                return value
            value = draw()
        return next((v for v in values or () if not node.is_spent(v)), value)

    def _place(self, draw: int, count: int) -> int:
        """Return the place of one of several values, among those not taken yet."""
        left = self._left.setdefault((draw, count), [])
        if not left:
            left += self._chance.sample(range(count), count)
        return left.pop()


def _key(value: object) -> Hashable:
    """Return what is equal for equal values; a value that cannot be compared so is its words."""
    return value if isinstance(value, int | str | bytes) else repr(value)
