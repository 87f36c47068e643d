"""Makes whole atoms hold or only just not hold: terms, comparisons, membership.

A builder begins with defaults: a count is 1, a pointer that may not be NULL leads to zeros. An atom
that holds of these stays as it is. Generators of the topics make terms hold; comparisons, NULL and
flags are made here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hsa_conformance.engine.calls.outcomes import Inconsistent
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import (
    CannotMake,
    Fixtures,
    NotOnMachine,
    Unsuitable,
)
from hsa_conformance.engine.generation.generators import (
    Comparison,
    Generator,
    Generators,
    Thing,
    known_values,
    near,
)
from hsa_conformance.engine.session.session import Session
from hsa_spec import Function
from hsa_spec.conditions import Atom, compile_value
from hsa_spec.conditions.syntax import (
    Apply,
    Argument,
    Arithmetic,
    Attribute,
    Compare,
    Literal,
    Member,
    Node,
    Not,
)

_FLIPPED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ROUNDS = 4
#: A number that no enumeration comes to.
_FAR = 0x7FFFFFF0


class Repertoire:
    """What all topics together can make hold.

    Args:
        generators: by term.
        comparisons: by the term whose value, or whose attribute, is compared.
        discoveries: what has to be asked of the machine before a function of a topic is called, by
            topic; each asks once.
        types: the term that makes a value of a type valid, by type.
        machine: what the machine has of the objects that a type is a handle of, by type.
        addresses: make an address that is only not to be NULL, by function and parameter.

    """

    def __init__(
        self,
        generators: Mapping[str, Generators],
        comparisons: Mapping[str, Comparison],
        discoveries: Mapping[str, Callable[[Fixtures], None]],
        types: Mapping[str, str],
        machine: Mapping[str, Callable[[Fixtures], Sequence[Thing]]],
        addresses: Mapping[str, Generator],
    ) -> None:
        self.generators = generators
        self.comparisons = comparisons
        self.discoveries = discoveries
        self.types = types
        self.machine = machine
        self.addresses = addresses

    def begin(self, session: Session, function: Function, draw: Draw) -> Builder:
        """Return a builder of a call, once what has to be known of the machine was asked."""
        builder = Builder(session, function, draw)
        discover = self.discoveries.get(function.topic)
        if discover is not None and session.model.references > 0:
            discover(builder)
        return builder

    def satisfy(self, builder: Builder, atoms: Sequence[Atom]) -> None:
        """Make all atoms hold, going round until those made early still do.

        Raises:
            CannotMake: some atom resists.

        """
        builder.goal = atoms
        for _ in range(_ROUNDS):
            # what nobody has found out yet can still be made
            pending = [a for a in atoms if not builder.surely_holds(a)]
            if not pending:
                return
            for atom in pending:
                if not builder.surely_holds(atom):
                    self.make(builder, atom, wanted=True)
        if not all(builder.holds(a) for a in atoms):
            obstacle = Unsuitable if builder.values.fixed else CannotMake
            raise obstacle("the atoms keep undoing one another")

    def make(self, builder: Builder, atom: Atom, *, wanted: bool) -> None:
        """Make one atom hold, or only just not hold.

        Raises:
            CannotMake: no generator can, from here.
            Inconsistent: the generator says that it did, and the evaluator disagrees.

        """
        fixed = atom.arguments & builder.values.fixed
        unsuitable = f"nothing here goes with it: {'' if wanted else 'not '}{atom.text}"
        try:
            names = [name for name in builder.values if name in atom.arguments]
            with builder.making(names, lambda: builder.holds(atom) is wanted):
                self._make(builder, atom.node, wanted=wanted)
        except NotOnMachine:
            raise
        except CannotMake as obstacle:
            raise (Unsuitable(unsuitable) if fixed else obstacle) from None
        if builder.holds(atom) is not wanted:
            if fixed:
                raise Unsuitable(unsuitable)
            raise Inconsistent(
                f"{builder.function.name}: the generator made {atom.text!r} {wanted}, "
                f"the evaluator says otherwise for {builder.values}"
            )

    def _make(self, builder: Builder, node: Node, *, wanted: bool) -> None:
        match node:
            case Not(of):
                self._make(builder, of, wanted=not wanted)
            case Apply(term, args):
                found = self.generators.get(term.name)
                if found is None:
                    raise CannotMake(f"the suite cannot make {term.name}")
                (found.true if wanted else found.false)(builder, *_names(args))
            case Compare(op, left, right):
                self._compare(builder, op if wanted else _FLIPPED[op], left, right)
            case Member(Argument(name), enum, _):
                builder.values[name] = (
                    builder.choose(known_values(builder.session, enum))
                    if wanted
                    else _unknown(builder, name, enum)
                )
            case Attribute(Apply()):
                self._compare_with(builder, node, "==", wanted)
            case _:
                raise CannotMake(f"no generator for {node}")

    def _compare_with(
        self, builder: Builder, node: Apply | Attribute, op: str, wanted: object
    ) -> None:
        """Make a comparison with a term's value, or with an attribute of it, come true."""
        lookup, attribute = (node, "") if isinstance(node, Apply) else (node.of, node.name)
        if not isinstance(lookup, Apply) or lookup.term.name not in self.comparisons:
            raise CannotMake(f"no generator for a comparison with {node}")
        self.comparisons[lookup.term.name](builder, _names(lookup.args), attribute, op, wanted)

    def _compare(self, builder: Builder, op: str, left: Node, right: Node) -> None:
        match left, right:
            case Arithmetic("%", Argument(name), divisor), Literal(0) if op in ("==", "!="):
                _remainder(builder, name, divisor, zero=op == "==")
            case Arithmetic("%", (Attribute() | Apply()) as lookup, divisor), Literal(0):
                self._compare_with(builder, lookup, f"% {op}", _number(builder, divisor))
            case Argument(name), Argument(other) if op == "==":
                one, two = builder.choose([(name, other), (other, name)])
                builder.values[one] = builder.values[two]
            case Argument(name), Argument() if self._is_object(builder, name):
                self._another(builder, name, _number(builder, right))
            case Argument(name), _:
                builder.values[name] = self._beside(builder, name, op, _number(builder, right))
            case _, Argument(name):
                builder.values[name] = self._beside(
                    builder, name, _MIRRORED[op], _number(builder, left)
                )
            case Arithmetic("+", Argument(name), other), _:
                bound = _number(builder, right) - _number(builder, other)
                builder.values[name] = self._beside(builder, name, op, bound)
            case Arithmetic("*", Argument(name), Literal(int(factor))), _ if factor > 0:
                bound = _number(builder, right) // factor
                builder.values[name] = self._beside(builder, name, op, bound)
            case ((Attribute() | Apply()), _):
                self._compare_with(builder, left, op, _number(builder, right))
            case _:
                raise CannotMake(f"no generator for a comparison of {left} with {right}")

    def _is_object(self, builder: Builder, name: str) -> bool:
        return builder.function.parameter[name].type in self.machine

    def _another(self, builder: Builder, name: str, handle: int) -> None:
        """Choose an object of the machine that is not the one with this handle."""
        things = self.machine[builder.function.parameter[name].type](builder)
        builder.values[name] = builder.one_of([t.handle for t in things if t.handle != handle])

    def _beside(self, builder: Builder, name: str, op: str, bound: int) -> Value:
        """Return a value on the wanted side of a bound, close to it."""
        parameter = builder.function.parameter[name]
        if op == "!=" and bound == 0 and (parameter.direction != "in" or "*" in parameter.type):
            return self._not_null(builder, name)
        if op == "!=" and bound == 0 and parameter.type.startswith("callback:"):
            return builder.default(parameter)
        if op == "!=" and bound == 0 and parameter.type in self.types:
            self.generators[self.types[parameter.type]].true(builder, name)
            return builder.values[name]
        if parameter.role == "alignment" and op in (">", ">=", "<"):
            return 2 * bound if op == ">" else bound // 2 if op == "<" else bound
        if parameter.type == "int" and op == "<":
            return bound - builder.choose([1, 2, 1000])
        unit = builder.granule() if parameter.role in ("size", "offset") else 1
        if parameter.role == "attribute" and op == ">":
            unit = _FAR - bound
        return near(builder, op, bound, unit)

    def _not_null(self, builder: Builder, name: str) -> Value:
        special = self.addresses.get(f"{builder.function.name}.{name}")
        if special is not None:
            special(builder, name)
            return builder.values[name]
        default = builder.default(builder.function.parameter[name])
        return default if default != 0 else builder.readable()


def _names(args: Sequence[Node]) -> list[str]:
    """Return the parameters that a term is about; one inside another is about its own."""
    names: list[str] = []
    for arg in args:
        match arg:
            case Argument(name):
                names.append(name)
            case Apply(_, inner):
                names += _names(inner)
            case _:
                raise CannotMake("the term is applied to more than parameters")
    return names


def _unknown(builder: Builder, name: str, enum: str) -> int:
    """Return a number that names nothing: beside the known ones, for attributes far from them."""
    largest = max(builder.session.registry.enums[enum].values)
    if builder.function.parameter[name].role == "attribute":
        # The numbers next to today's attributes may be tomorrow's.
        return builder.choose([_FAR, 0x7FFF0000, 0x6EEEEEEE])
    return builder.choose([largest + 1, largest + 0x1000, _FAR])


def _number(builder: Builder, node: Node) -> int:
    value = compile_value(node, list(builder.values))(builder.session.model, builder.raw())
    if value is None:
        raise CannotMake("the other side does not exist yet")
    return value  # type: ignore[no-any-return]


def _remainder(builder: Builder, name: str, divisor: Node, *, zero: bool) -> None:
    unit = _number(builder, divisor)
    if unit <= 0:
        raise CannotMake("nothing is a multiple of that")
    if unit == 1 and not zero:
        raise CannotMake("everything is a multiple of 1")
    if builder.function.parameter[name].role == "address":
        whole = builder.number(name) // unit * unit  # near where it was, or it means nothing
    else:
        whole = unit * builder.draw(drawing.integers(1, 4))
    if zero:
        builder.values[name] = whole
    else:
        builder.values[name] = whole + builder.choose([1, unit // 2, unit - 1])
