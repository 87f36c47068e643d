"""The call that is being put together: its values so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_adapters.protocol import Callback
from hsa_conformance.engine.calls import Data, Out, Value
from hsa_conformance.engine.generation.fixtures import Draw, Fixtures
from hsa_conformance.engine.session import Session
from hsa_spec import Function, Parameter
from hsa_spec.conditions import Atom, Holds, compile_atom

#: A size that leaves a hint open.
UNKNOWN_SIZE = 0xFFFFFFFF


class Builder(Fixtures):
    """Builds the arguments of one call.

    Args:
        session: the process and what is known of it.
        function: the function to be called.
        draw: Hypothesis's source of choices.

    """

    def __init__(self, session: Session, function: Function, draw: Draw) -> None:
        super().__init__(session, draw)
        self.function = function
        self.goal: Sequence[Atom] = ()  # what is being made to hold
        self.values = _Values({p.name: self.default(p) for p in function.params})

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
        if parameter.direction == "inout":
            return self.session.place(bytes(256), f"&{parameter.name}")
        if parameter.direction == "out":
            return Out()
        if parameter.role == "size":
            return UNKNOWN_SIZE if UNKNOWN_SIZE in parameter.reserved else self.granule()
        if parameter.role == "count":
            return 1
        return 0

    def raw(self) -> list[int]:
        """Return the arguments as numbers; room that is not laid out yet counts as non-NULL."""
        return [1 if isinstance(v, Out | Data | Callback) else int(v) for v in self.values.values()]

    def number(self, name: str) -> int:
        """Return the value of a parameter that is a number by now."""
        value = self.values[name]
        return value if isinstance(value, int) else 1

    def holds(self, atom: Atom) -> bool:
        """Return whether an atom holds for the call as it is built so far."""
        return _compiled(atom, self.function)(self.session.model, self.raw())

    def rules_out(self, atom: Atom) -> bool:
        """Return whether what is fixed alone keeps an atom from holding."""
        return atom.arguments() <= self.values.fixed and not self.holds(atom)

    def suiting(self, name: str, options: Sequence[int]) -> list[int]:
        """Return the values for which all that is wanted of this parameter alone holds."""
        wanted = [a for a in self.goal if a.arguments() == {name}]
        before, found = self.values[name], []
        for value in options:
            self.values[name] = value
            if all(self.holds(a) for a in wanted):
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
