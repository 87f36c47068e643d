"""The call that is being put together: its values so far."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.generation.atoms import about
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import LIST, MANY, Fixtures, Misfit, Unsuitable
from hsa_conformance.engine.session.session import Session
from hsa_spec import Function, Parameter
from hsa_spec.conditions import Atom, Holds, compile_atom
from hsa_spec.conditions.syntax import Compare

#: Elements of a list that an example is not about.
FEW = 2

T = TypeVar("T")

#: The roles of parameters that stand for no object.
_NUMBERS = ("alignment", "count", "offset", "size")

#: A size that leaves a hint open.
UNKNOWN_SIZE = 0xFFFFFFFF


class Builder(Fixtures):
    """Builds the arguments of one call.

    Args:
        session: the process and what is known of it.
        function: the function to be called.
        draw: draws the choices of the example; see `generation.drawing`.

    """

    def __init__(self, session: Session, function: Function, draw: Draw) -> None:
        super().__init__(session, draw)
        self.function = function
        self.goal: Sequence[Atom] = ()  # what is being made to hold
        self.own: Sequence[Atom] = ()  # what the clause asks for, which is made to hold at last
        self.values = _Values({p.name: self.default(p) for p in function.params})
        self.swept_parameters: Collection[
            str
        ] = ()  # the parameters of which every value is to be tried
        self.objects: Mapping[str, str] = {}  # the parameters that are objects, and the nouns
        self._making: Sequence[str] | None = None  # the parameters that are being given values
        self._come_true: Callable[[], bool] = bool  # whether what they are made for has come true
        self._conversions: dict[
            str, dict[str, Value]
        ] = {}  # what they became, by what was chosen for it

    # axes

    @contextmanager
    def making(self, names: Sequence[str], come_true: Callable[[], bool]) -> Iterator[None]:
        """Make the values of some parameters; what is chosen meanwhile is chosen for them.

        Args:
            names: the parameters.
            come_true: whether what they are made for has come true.

        """
        outer = self._making, self._come_true
        self._making, self._come_true = names, come_true
        chosen, before = dict(self._conversions), dict(self.values)
        try:
            yield
        finally:
            self._making, self._come_true = outer
        for axis, made in self._conversions.items():
            if chosen.get(axis) is not made:
                made.update((name, self.values[name]) for name in names)
                of = self._object(axis)
                if of in made and made[of] is before[of]:
                    del made[of]  # it was chosen for something else

    def axis(self, noun: str) -> str | None:
        """Return what the choice of an object is called; see `Fixtures.axis`."""
        making = self._making or ()
        if noun in [self.objects.get(name) for name in making]:
            return None  # it is for the parameter, which has an axis of its own
        params = [self.function.parameter[name] for name in making if name in self.swept_parameters]
        names = [p for p in params if p.name not in self.objects and p.role not in _NUMBERS]
        return f"{noun} of {names[0].name}" if names else None

    def each(self, axis: str, options: Mapping[str, T]) -> T:
        """Draw one of several options, each of which is to be tried; see `Fixtures.each`."""
        if not self._sweeps():
            return self.one_of(list(options.values()))
        self._conversions[axis] = {}
        self.session.axes.tentative.add(axis)
        return super().each(axis, options)

    def some_memory(self, kinds: Mapping[str, Callable[[], int]]) -> int:
        """Return the address of memory of some kind; see `Fixtures.some_memory`.

        Raises:
            Unsuitable: another condition that is to hold for the address does not.

        """
        address = super().some_memory(kinds)
        names = [n for n in self._making or () if self.function.parameter[n].role == "address"]
        if not all(self._suits(name, address) for name in names):
            pinned = not self.session.axes.pins.keys().isdisjoint(self._conversions)
            raise (Misfit if pinned else Unsuitable)("another condition is about other memory")
        return address

    def _suits(self, name: str, address: int) -> bool:
        """Return whether all may hold that is wanted of the memory at an address.

        What is compared with numbers, such as an alignment, can be put right later.
        """
        wanted = [a for a in about(name, self.goal) if not isinstance(a.node, Compare)]
        return bool(self.fitting(name, [address], lambda: all(map(self.may_hold, wanted))))

    def no_object(self, name: str, others: Iterable[int]) -> int:
        """Return a handle of nothing, or of an object of another kind than a parameter takes.

        A library may count each kind from 1: what is a handle of the right kind too is left out.

        Args:
            name: the parameter.
            others: handles of objects of other kinds.

        """
        wrong = self.fitting(name, others, self._come_true)
        return self.choose([self.readable(), *([self.one_of(wrong)] if wrong else [])])

    def elements(self, name: str, most: int = MANY, least: int = 1) -> int:
        """Draw how many elements a list has, few where the example is not about it.

        A length that the clause asks for would be undone later, and the list with it.
        """
        most = most if self._sweeps() else min(most, FEW)
        length = next((p.length for p in self.function.params if p.name == name), None)
        if length is not None:
            wanted = about(length, self.own)
            counts = sorted({*range(least, min(most, LIST) + 1), most})
            fits = self.fitting(length, counts, lambda: all(self.may_hold(a) for a in wanted))
            least, most = (fits[0], fits[-1]) if fits else (least, most)
        return super().elements(name, most, least)

    def _sweeps(self) -> bool:
        """Return whether every value of what is being made is to be tried."""
        return bool(
            set(self.swept_parameters if self._making is None else self._making)
            & set(self.swept_parameters)
        )

    def note(self) -> None:
        """Forget what was chosen for values that are no longer those of the call."""
        axes = self.session.axes
        axes.withdraw(
            axis for axis, made in self._conversions.items() if self._replaced(axis, made)
        )

    def _replaced(self, axis: str, made: Mapping[str, Value]) -> bool:
        """Return whether values of the call are other ones than those that a choice led to."""
        of = self._object(axis)
        return any(self.values[name] is not made.get(name) for name in ([of] if of else made))

    def _object(self, axis: str) -> str | None:
        """Return the parameter that an object was chosen for; a length or a place is of several."""
        of = axis.rpartition(" of ")[2]
        return of if of in self.function.parameter and of != axis else None

    # values

    def fix(self, name: str, value: int) -> None:
        """Give a parameter a value that no generator changes."""
        self.values[name] = value
        self.values.fixed.add(name)

    def default(self, parameter: Parameter) -> Value:
        """Return what a parameter is when no clause asks for anything."""
        if parameter.type.startswith("callback:"):
            return Callback(
                parameter.type.removeprefix("callback:"),
                allocate=parameter.type.endswith("alloc_callback"),
            )
        structure = self.session.registry.structs.get(parameter.type)
        if structure is not None and parameter.role == "struct":  # it is passed by value
            return self.session.place(bytes(structure.size), parameter.name)
        if parameter.direction == "inout":
            return self.session.place(bytes(256), f"&{parameter.name}")
        if parameter.direction == "out":
            return Out()
        if parameter.role == "size":
            return UNKNOWN_SIZE if UNKNOWN_SIZE in parameter.reserved else self.granule()
        return 1 if parameter.role == "count" else 0

    def raw(self) -> list[int]:
        """Return the arguments as numbers; room that is not laid out yet counts as non-NULL."""
        return [int(v) if isinstance(v, int) else 1 for v in self.values.values()]

    def number(self, name: str) -> int:
        """Return the value of a parameter that is a number by now."""
        value = self.values[name]
        return value if isinstance(value, int) else 1

    def holds(self, atom: Atom) -> bool:
        """Return whether an atom holds for the call as it is built so far."""
        return _compiled(atom, self.function)(self.session.model, self.raw())

    def surely_holds(self, atom: Atom) -> bool:
        """Return whether an atom holds; what nobody has found out yet does not."""
        try:
            return self.holds(atom)
        except ProvesNothing:
            return False

    def may_hold(self, atom: Atom) -> bool:
        """Return whether an atom holds, or nobody has found out yet."""
        try:
            return self.holds(atom)
        except ProvesNothing:
            return True

    def rules_out(self, atom: Atom) -> bool:
        """Return whether what is fixed alone keeps an atom from holding."""
        return atom.arguments <= self.values.fixed and not self.holds(atom)

    def suiting(self, name: str, options: Sequence[int]) -> list[int]:
        """Return the values for which all that is wanted of this parameter alone holds."""
        wanted = about(name, self.goal)
        return self.fitting(name, options, lambda: all(self.holds(a) for a in wanted))

    def fitting(self, name: str, options: Iterable[int], fits: Callable[[], bool]) -> list[int]:
        """Return the values of a parameter with which the call is as it should be.

        Args:
            name: the parameter, which has its own value again afterwards.
            options: the values.
            fits: whether the call as it is built so far is.

        """
        before, found = self.values[name], []
        for value in options:
            self.values[name] = value
            if fits():
                found.append(value)
        self.values[name] = before
        return found


class _Values(dict[str, Value]):
    """The values of a call; those that are fixed stay as they are."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        super().__init__(values)
        self.fixed: set[str] = set()

    def __setitem__(self, name: str, value: Value) -> None:
        if name not in self.fixed:
            super().__setitem__(name, value)


#: By identity, since to hash an atom takes longer than to ask it; the atom stays alive with it.
_COMPILED: dict[tuple[int, str], tuple[Atom, Holds]] = {}


def _compiled(atom: Atom, function: Function) -> Holds:
    key = id(atom), function.name
    if key not in _COMPILED:
        _COMPILED[key] = atom, compile_atom(atom, [p.name for p in function.params])
    return _COMPILED[key][1]
