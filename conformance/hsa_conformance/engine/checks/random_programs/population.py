"""What lives in the process of a random sequence, what lived there, and calls made with either."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import about
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.model import Model, Range
from hsa_spec.conditions import Atom
from hsa_spec.conditions.syntax import Apply, Argument

#: How many values are known as used lately.
_RECENT: Final = 3

#: What a parameter is of whose values texts speak though nothing is there any more.
_REUSABLE: Final = ("address", "descriptor")

#: Gives the values that suit a parameter, of what there is; gets the call as it is built so far.
ParameterValues = Callable[[Builder], Sequence[int]]


class Population:
    """The objects that a sequence made.

    Args:
        fixtures: where choices come from.
        kinds: the kinds of objects that calls are made with.
        values: those that suit a parameter, by the function and its name.

    Attributes:
        dead_objects: what the model forgot, by kind, the oldest first.

    """

    def __init__(
        self, fixtures: Fixtures, kinds: Iterable[str], values: Mapping[str, ParameterValues]
    ) -> None:
        self.fixtures = fixtures
        self.model: Model = fixtures.session.model
        self.dead_objects: dict[str, list[Any]] = {}
        self._values = values
        self._kinds = sorted(set(kinds))
        self._before: dict[str, dict[tuple[int, ...], Any]] = {}
        self._keys: dict[str, list[int]] = {}  # of what lived, by kind
        self._kinds_of: dict[str, set[str]] = {}  # that a parameter was given, by function and name
        self._used: list[int] = []  # by the last calls

    def settle(self) -> Iterator[tuple[str, int]]:
        """End a step: note what is not there any more.

        Yields:
            The kind and the key of what took the place of another object that lived.

        """
        for kind, things in self._before.items():
            live = self.model.objects.get(kind, {})
            for key, thing in things.items():
                if live.get(key) is not thing:
                    if key in live:
                        yield kind, key[0]
                    self.dead_objects.setdefault(kind, []).append(thing)
                    self._keys.setdefault(kind, []).append(key[0])
        self._before = {kind: dict(things) for kind, things in self._made()}

    def clear(self) -> None:
        """Forget all of it."""
        self.dead_objects.clear()
        self._before.clear()
        self._keys.clear()

    def take_gone(self, builder: Builder, valid: Sequence[Atom]) -> bool:
        """Give a parameter what does not live any more; return whether there is anything.

        A handle that was destroyed is undefined to use, unlike an address.
        """
        wanted = {a for atom in valid if isinstance(atom.node, Apply) for a in atom.arguments}
        gone = {
            name: [key for kind in sorted(kinds) for key in self._keys.get(kind, [])]
            for name in sorted(wanted)
            if builder.function.parameter[name].role in _REUSABLE
            if (kinds := self._kinds_of.get(f"{builder.function.name}.{name}"))
        }
        names = [name for name, keys in gone.items() if keys]
        if not names:
            return False
        name = self.fixtures.one_of(names)
        builder.values[name] = self.fixtures.one_of(gone[name])
        return True

    def take(self, builder: Builder, name: str) -> None:
        """Give a parameter a value of what is there, in most calls, if anything suits it."""
        values = self._values.get(f"{builder.function.name}.{name}")
        if values is not None:
            options = list(values(builder))
        elif self.fixtures.draw(drawing.integers(0, 3)) == 3:
            return
        else:
            wanted = about(name, builder.goal)
            if not any(isinstance(atom.node, Apply) for atom in wanted):
                return
            options = []
            for kind, things in self._made():
                keys = [key[0] for key in things if key]
                found = builder.fitting(name, keys, lambda: all(map(builder.surely_holds, wanted)))
                if found:
                    self._kinds_of.setdefault(f"{builder.function.name}.{name}", set()).add(kind)
                options += found
        if options:
            builder.values[name] = self._rather_used(options)

    def _rather_used(self, options: Sequence[int]) -> int:
        """Draw an option, in half of the cases one that the last calls were about."""
        used = [value for value in options if value in self._used]
        chosen = self.fixtures.one_of(
            used if used and self.fixtures.draw(drawing.booleans()) else options
        )
        self._used = [*self._used[1 - _RECENT :], chosen]
        return chosen

    def take_range(self, builder: Builder, atom: Atom) -> None:
        """Make an atom about an address and a size hold with a range that is there, or a part."""
        names = _names_of(atom)
        roles = [builder.function.parameter[name].role for name in names]
        if roles != ["address", "size"] or self.fixtures.draw(drawing.integers(0, 3)) == 3:
            return
        address, size = names
        before = builder.values[address], builder.values[size]
        fitting: list[tuple[int, int]] = []
        for builder.values[address], builder.values[size] in self._ranges():
            if builder.surely_holds(atom):
                fitting.append((builder.number(address), builder.number(size)))
        builder.values[address], builder.values[size] = (
            self.fixtures.one_of(fitting) if fitting else before
        )

    def _ranges(self) -> list[tuple[int, int]]:
        """Return the ranges that were made in the sequence, and parts of them."""
        page = self.model.page_size
        found: list[tuple[int, int]] = []
        for _, things in self._made():
            for thing in things.values():
                if isinstance(thing, Range):
                    found += [(thing.address, thing.size)]
                    if thing.size > page:
                        found += [(thing.address, page), (thing.address + thing.size - page, page)]
        return found

    def _made(self) -> list[tuple[str, Mapping[tuple[int, ...], Any]]]:
        """Return the objects that were made in the sequence, by kind."""
        return [(kind, self.model.objects.get(kind, {})) for kind in self._kinds]


def _names_of(atom: Atom) -> list[str]:
    """Return the parameters that a term is applied to, if that is all that the atom is."""
    match atom.node:
        case Apply(_, args):
            return [node.name for node in args if isinstance(node, Argument)]
        case _:
            return []
