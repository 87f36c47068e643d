"""The sizes at the edges of what a call admits, each of which is tried.

What the edges are depends on the rest of the example, such as the pool that memory comes from: so
an example is made first, and then again around an edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_conformance.engine.session.axes import Axes
from hsa_spec import Function, Registry
from hsa_spec.conditions import Atom, compile_value, walk
from hsa_spec.conditions.syntax import Argument, Arithmetic, Attribute, Compare, Literal, Node
from hsa_spec.conditions.vocabulary import VIEWS
from hsa_spec.layout import size_of

#: Makes what held before hold again, around a size that is fixed.
Remake = Callable[[Builder, Sequence[Atom]], None]

#: How reports call the smallest and the largest size that are admitted.
SMALLEST: Final = "smallest"
LARGEST: Final = "largest"

#: Bytes of what sizes are counted in.
_BYTES: Final = {"bytes": 1, "packets": 64}


class Sizes:
    """The sizes of a call that are tried at their edges.

    Args:
        function: what is called.
        registry: knows the widths of types.
        swept: names of the parameters that are tried at their edges.
        valid: what has to hold for a call to succeed.
        own: what the clause asks for.

    """

    def __init__(
        self,
        function: Function,
        registry: Registry,
        swept: Sequence[str],
        valid: Sequence[Atom],
        own: Sequence[Atom],
    ) -> None:
        self._atoms = list(dict.fromkeys([*valid, *own]))
        self._edges = {name: _Edges(function, registry, name, valid, own) for name in swept}
        self._bytes = {p: _BYTES[p.unit] for p in function.params if p.unit in _BYTES}
        self._found: dict[str, Mapping[str, int]] = {}

    @property
    def hints(self) -> Iterator[str]:
        """Yield the parameters that a caller may leave to the runtime."""
        return (name for name, edges in self._edges.items() if edges.reserved)

    def pinned(self, axes: Axes) -> bool:
        """Return whether an example has to be made with an edge."""
        return not self._edges.keys().isdisjoint(axes.pins)

    def pin(self, builder: Builder, remake: Remake) -> None:
        """Offer the edges that go with an example, and make it again around those it has to have.

        Args:
            builder: the call, put together already.
            remake: makes atoms hold.

        Raises:
            Unsuitable: the edge does not go with the rest.
            CannotMake: what else held cannot be made to hold again.

        """
        self._found = {}
        for name, edges in self._edges.items():
            held = [atom for atom in self._atoms if builder.surely_holds(atom)]
            deciding = [atom for atom in held if edges.decides(atom)]
            admitted = _admitted(builder, name, edges.values(builder), deciding)
            values = self._found[name] = edges.named(admitted)
            builder.session.axes.offer(name, values)
            wanted = builder.session.axes.pins.get(name)
            if wanted is None:
                continue
            if wanted not in values:
                raise Unsuitable(f"{name} cannot be {wanted} with the rest of the example")
            builder.fix(name, values[wanted])
            remake(builder, held)

    def note(self, builder: Builder) -> None:
        """Note the edges that the call is made with."""
        axes = builder.session.axes
        for name, values in self._found.items():
            called = [label for label, value in values.items() if value == builder.number(name)]
            pinned = [label for label in called if label == axes.pins.get(name)]
            axes.chosen.update((name, label) for label in [*pinned, *called][:1])

    def bytes(self, builder: Builder) -> int:
        """Return the largest of the sizes that the call is made with, in bytes.

        A number that means something else takes none, such as that nothing is known of the size.
        """
        sizes = ((p, builder.number(p.name), each) for p, each in self._bytes.items())
        return max((size * each for p, size, each in sizes if size not in p.reserved), default=0)

    def largest(self, builder: Builder) -> bool:
        """Return whether a size of the call is as large as the text admits, room or not.

        Of powers of two the largest is what the machine says that it has.
        """
        return any(
            values.get(LARGEST) == builder.number(name)
            for name, values in self._found.items()
            if not self._edges[name].power_of_two
        )


class _Edges:
    """The edges of one parameter, as conditions name them."""

    def __init__(
        self,
        function: Function,
        registry: Registry,
        name: str,
        valid: Sequence[Atom],
        own: Sequence[Atom],
    ) -> None:
        params = [p.name for p in function.params]
        self.name = name
        self.reserved = function.parameter[name].reserved
        self.power_of_two = function.parameter[name].power_of_two
        self.bounded = len([atom for atom in valid if name in atom.arguments]) > 1
        self.most = (1 << 8 * size_of(function.parameter[name].type, registry)) - 1

        def values(nodes: Iterator[Node]) -> list[Callable[..., int | None]]:
            return [compile_value(node, params) for node in nodes]

        both = [*valid, *own]
        # No condition says which counts the memory goes with.
        counts = function.parameter[name].role == "count"
        self.unbounded = counts and not any(name in atom.arguments for atom in both)
        self.divisors = values(_divisors(name, both))
        self.granules = values(_granules(both))
        refusing = [atom for atom in own if atom not in valid]
        self.bounds = [
            values(_bounds(name, refusing, {"<=": 0, "<": 1})),
            values(_bounds(name, refusing, {">": 0, ">=": 1})),
            values(_bounds(name, valid, {"<=": 0, "<": 1})),
        ]

    def values(self, builder: Builder) -> Mapping[str, int]:
        """Return the edges that there may be, by how reports call them."""
        if self.power_of_two:
            return {f"{1 << n:#x}": 1 << n for n in range(self.most.bit_length())}
        if self.unbounded:
            return {"0": 0, "1": 1}
        world, args = builder.session.model, builder.raw()

        def known(nodes: Sequence[Callable[..., int | None]]) -> list[int]:
            return [value for node in nodes if (value := node(world, args)) is not None]

        granule = max(known(self.divisors) or known(self.granules) or [world.page_size])
        edges = {"0": 0, "1": 1}
        edges |= {"granule-1": granule - 1, "granule": granule, "granule+1": granule + 1}
        for bounds in self.bounds:
            if largest := min(known(bounds), default=None):
                edges |= {LARGEST: largest, f"{LARGEST}+1": largest + 1}
                break
        edges |= {f"{value:#x}": value for value in self.reserved if value}
        return {label: value for label, value in edges.items() if 0 <= value <= self.most}

    def decides(self, atom: Atom) -> bool:
        """Return whether an atom that holds for an example has to hold for an edge as it stands.

        Others are made to hold again, around the edge.
        """
        if self.name not in atom.arguments:
            return False
        alone = isinstance(atom.node, Compare) or atom.arguments == {self.name}
        return alone or self.power_of_two

    def named(self, admitted: Mapping[str, int]) -> Mapping[str, int]:
        """Return the edges among the values that are admitted; of powers of two, the two ends.

        Where nothing but that bounds a size, the largest would only be more than there is.
        """
        if not self.power_of_two or not admitted:
            return admitted
        least, most = min(admitted.values()), max(admitted.values())
        return {SMALLEST: least, LARGEST: most} if self.bounded else {SMALLEST: least}


def _divisors(name: str, atoms: Sequence[Atom]) -> Iterator[Node]:
    for atom in atoms:
        for node in walk(atom.node):
            match node:
                case Arithmetic("%", Argument(found), divisor) if found == name:
                    yield divisor


def _granules(atoms: Sequence[Atom]) -> Iterator[Node]:
    """Yield the granules of the objects that conditions look up, such as pools of memory."""
    for atom in atoms:
        for node in walk(atom.node):
            if isinstance(node, Attribute) and "granule" in VIEWS[node.of.term.result]:
                yield Attribute(node.of, "granule")


def _bounds(name: str, atoms: Sequence[Atom], ops: Mapping[str, int]) -> Iterator[Node]:
    """Yield what atoms compare a parameter with by operators, less what each of them excludes."""
    for atom in atoms:
        match atom.node:
            case Compare(op, Argument(found), bound) if found == name and op in ops:
                yield Arithmetic("-", bound, Literal(ops[op])) if ops[op] else bound


def _admitted(
    builder: Builder, name: str, values: Mapping[str, int], deciding: Sequence[Atom]
) -> Mapping[str, int]:
    """Return the values with which atoms that hold for an example still do."""
    fitting = builder.fitting(
        name, values.values(), lambda: all(builder.surely_holds(atom) for atom in deciding)
    )
    return {label: value for label, value in values.items() if value in fitting}
