"""Which mutants there are of a function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hsa_conformance.engine.generation.atoms import is_state
from hsa_spec import Clause, Function, Parameter, Registry, Strength, World
from hsa_spec.conditions import Atom, compile_atom
from hsa_spec.layout import pointee
from hsa_spec.releases import Release
from tests.campaign.mutants.broken_adapter import STATUS
from tests.campaign.mutants.history import AGENT, LASTING, POINTERS, kind_of
from tests.campaign.mutants.mutant import Fault, Kind, Mutant
from tests.campaign.mutants.pointers import is_memory

_SUCCESS = "HSA_STATUS_SUCCESS"
_NO_ATTRIBUTE = 0x7FFFFFF0
_BINDING = (Strength.MUST, Strength.SHOULD)


class Drawing:
    """Knows the mutants of each function.

    Args:
        registry: the specification.
        release: which enumerators are in force.
        world: a process that conditions on single values can be asked of.
        granules: sizes above which a function may be wrong, in bytes.

    """

    def __init__(
        self, registry: Registry, release: Release, world: World, granules: Sequence[int]
    ) -> None:
        self.registry = registry
        self.release = release
        self.world = world
        self.granules = granules

    def of(self, function: Function, kind: Kind) -> Iterator[Mutant]:
        """Yield the mutants of a function of one kind."""
        match kind:
            case Kind.VALUE:
                yield from self._of_values(function)
            case Kind.ELEMENT:
                for array in (p for p in function.params if p.length):
                    count = str(array.length)
                    if not any(p.length == count for p in _before(function, array)):
                        yield Mutant(function.name, kind, Fault.DROPPED, count)
                    yield Mutant(function.name, kind, Fault.REPLACED, count, name=array.name)
            case Kind.OBJECT | Kind.AGENT:
                for parameter in function.params:
                    of = kind_of(parameter, self.registry)
                    if of is not None and (of == AGENT) == (kind is Kind.AGENT):
                        for fault in self._of_objects(function, parameter, of):
                            yield Mutant(function.name, kind, fault, parameter.name, name=of)
            case Kind.SIZE:
                for parameter in (p for p in function.params if p.role == "size"):
                    # A hint asks for nothing, so that nobody misses what is left out.
                    cut = () if parameter.reserved else (Fault.CUT,)
                    for granule in self.granules:
                        for fault in (*_failing(function)[:1], *cut):
                            yield Mutant(
                                function.name, kind, fault, parameter.name, granule, str(granule)
                            )
            case Kind.AGAIN:
                accepted = [Fault.ACCEPTED] if function.result == STATUS else []
                answers = any(p.direction == "out" for p in function.params)
                for fault in (*_failing(function), *accepted):
                    if answers or fault is not Fault.UNDONE:  # what is done need not be done again
                        yield Mutant(function.name, kind, fault)
            case Kind.POINTER:
                for parameter in (p for p in function.params if is_memory(p, function)):
                    for name in POINTERS:
                        for fault in _failing(function):
                            yield Mutant(function.name, kind, fault, parameter.name, name=name)

    def _of_objects(self, function: Function, parameter: Parameter, of: str) -> Sequence[Fault]:
        """Return how a function can be wrong for one object of a kind."""
        asks = any(p.role == "attribute" for p in function.params)
        written = [pointee(p.type) for p in function.params if p.direction == "out"]
        numbers = any((t != "void" or asks) and not self._is_reference(t) for t in written)
        changed = [Fault.CHANGED] if numbers or function.result not in (STATUS, "void") else []
        # The text does not say what two parts of a machine have or can do: it may be the same.
        alike = asks or (of in LASTING and self._only_reports(function))
        # What is given back knows itself whose it is.
        known = any(p.ownership == "consumes" and p is not parameter for p in function.params)
        first = () if alike or known else (Fault.FIRST,)
        return tuple(dict.fromkeys((*_failing(function), *changed, *first)))

    def _only_reports(self, function: Function) -> bool:
        """Return whether a function does nothing but write numbers."""
        written = [p for p in function.params if p.direction != "in"]
        return bool(written) and not any(self._is_reference(pointee(p.type)) for p in written)

    def _is_reference(self, ctype: str) -> bool:
        struct = self.registry.structs.get(ctype)
        return ctype.endswith("*") or bool(struct and struct.handle)

    def _of_values(self, function: Function) -> Iterator[Mutant]:
        for parameter in function.params:
            for value, name in self._values(function, parameter):
                faults = _failing(function)
                if self.refusing(function, parameter.name, value):
                    faults = (Fault.ACCEPTED,)
                elif name not in self.registry.constants or not self._succeeds(
                    function, parameter.name, value
                ):
                    continue  # no text says what comes of it
                for fault in faults:
                    yield Mutant(function.name, Kind.VALUE, fault, parameter.name, value, name)
            for member, value, name in self._members(parameter):
                for fault in _failing(function):
                    yield Mutant(
                        function.name, Kind.VALUE, fault, parameter.name, value, name, member
                    )

    def _values(self, function: Function, parameter: Parameter) -> Iterator[tuple[int, str]]:
        """Yield the values of a parameter that have names, and one more that has none."""
        flags = parameter.role == "flags" and not parameter.type.endswith("*")
        named = parameter.type if parameter.type in self.registry.enums else parameter.named_by
        of_query = parameter.role == "attribute" and self.registry.attributes_of(function.name)
        enums = dict.fromkeys(a.enum for a in of_query) if of_query else [named] if named else []
        if parameter.direction != "in" or not (enums or flags):
            return
        found = [value for enum in enums for value in self._enumerators(enum, function)]
        yield from found
        if flags:
            taken = {value for value, _ in found}
            bit = next(b for b in range(64) if 1 << b not in taken)
            yield 1 << bit, f"bit {bit}"
        else:
            beyond = max(v for enum in enums for v in self.registry.enums[enum].values) + 1
            # The numbers next to today's attributes may be tomorrow's.
            unknown = _NO_ATTRIBUTE if parameter.role == "attribute" else beyond
            yield unknown, f"{unknown:#x}"

    def _members(self, parameter: Parameter) -> Iterator[tuple[tuple[int, int], int, str]]:
        """Yield the named values in the structures that a parameter points to."""
        struct = self.registry.structs.get(pointee(parameter.type))
        if struct is None or struct.handle or struct.name == "hsa_queue_t":
            return
        for field in struct.fields if parameter.direction == "in" else ():
            ctype = field.type.replace("32_t", "_t")
            if ctype in self.registry.enums:
                for value, name in self._enumerators(ctype):
                    yield (field.offset, field.size), value, f"{field.name} {name}"

    def _enumerators(
        self, enum: str, function: Function | None = None
    ) -> Iterator[tuple[int, str]]:
        for value, named in self.registry.enums[enum].by_value.items():
            if self.release.has(named.versions) is False:
                continue
            asked = function and self.registry.reported(function.name, value)
            # Where the text does not say which objects have an attribute, any answer is right.
            if asked and (asked.platform or asked.defined_for is None):
                continue
            yield value & 0xFFFFFFFF, named.name

    def refusing(self, function: Function, parameter: str, value: int) -> Sequence[Clause]:
        """Return the clauses by which a value is refused whatever the other arguments are."""

        def holds(clause: Clause) -> bool:
            own = [a for a in clause.when if not is_state(a)]
            alone = bool(own) and all(a.arguments == {parameter} for a in own)
            return alone and self._admits(function, own, parameter, value)

        found = [c for c in function.clauses if c.status and holds(c)]
        if any(_SUCCESS in c.status or c.open for c in found):
            return ()
        return [c for c in found if c.strength in _BINDING]

    def _succeeds(self, function: Function, parameter: str, value: int) -> bool:
        """Return whether a clause that binds lets a call with a value succeed."""
        binding = [c for c in function.clauses if c.strength in _BINDING and not c.contested]
        demanded = [c for c in binding if _SUCCESS in c.status]
        return not demanded or any(
            self._admits(function, c.when, parameter, value) for c in demanded
        )

    def _admits(
        self, function: Function, atoms: Sequence[Atom], parameter: str, value: int
    ) -> bool:
        """Return whether the atoms that a value decides alone hold for it."""
        names = [p.name for p in function.params]
        args = [value if name == parameter else 1 for name in names]
        alone = [a for a in atoms if a.arguments == {parameter}]
        return all(compile_atom(a, names)(self.world, args) for a in alone)


def _before(function: Function, parameter: Parameter) -> Sequence[Parameter]:
    return function.params[: function.params.index(parameter)]


def _failing(function: Function) -> Sequence[Fault]:
    """Return how a function can fail altogether; what returns no status cannot refuse."""
    if function.result == STATUS:
        return Fault.REFUSED, Fault.UNDONE
    return (Fault.UNDONE,) if function.result == "void" else (Fault.CHANGED,)
