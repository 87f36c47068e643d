"""Facts of the machine, in words that mean the same in every process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable
from hsa_conformance.engine.calls.values import PATTERN, Data, Value
from hsa_conformance.engine.checks.again.questions import Question, Reply, ask, questions
from hsa_conformance.engine.checks.effects.relations import Holders
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_spec import Function, Parameter, Registry

#: Roles of parameters that are the same for each question of a list.
_GIVEN: Final = ("attribute", "callback", "opaque")
#: In how many ways the arguments of a function are combined at most.
_MOST: Final = 1024


@dataclass(frozen=True, eq=False)
class Fact:
    """What a library tells of the machine.

    Args:
        question: asks for it, in the process that was asked first.
        objects: the kind and the name of each object that it is about, by parameter.
        value: the answer, as any process tells it; None where nobody has asked.

    """

    question: Question
    objects: Mapping[str, tuple[str, str]]
    value: object = None

    @property
    def key(self) -> str:
        """Return what tells it from all other facts, in every process."""
        given = {
            name: value
            for name, value in self.question.values.items()
            if name not in self.objects and isinstance(value, int | Data)
        }
        return f"{self.question.function.name} {self.words} {given}"

    @property
    def words(self) -> str:
        """Return what reports call the fact."""
        named = " and ".join(name for _, name in self.objects.values())
        return f"{self.question.words}{' of ' if named else ''}{named}"


@dataclass(frozen=True)
class _ListedObject:
    """An object that the library lists."""

    handle: int


class Machine:
    """The objects of the machine in one process, by name.

    Args:
        session: the process.
        holders: finds the objects of a kind.

    """

    def __init__(self, session: Session, holders: Mapping[str, Holders]) -> None:
        self.session = session
        self._holders = holders
        self._found: dict[str, Mapping[str, int]] = {}

    def objects(self, kind: str) -> Mapping[str, int]:
        """Return the handles of a kind of objects by name; none where they are not listed."""
        if kind not in self._found:
            fixtures = Fixtures(self.session, drawing.simplest)
            with self.session.trace.paused(), self.session.scratch.lent():
                try:
                    holders = self._holders[kind](fixtures)
                except (Blocked, Unavailable, ProvesNothing):
                    holders = []
            self._found[kind] = {h.words: next(iter(h.arguments.values())) for h in holders}
            for handle in self._found[kind].values():
                # A process that no example has used knows of few objects.
                if self.session.model.find(kind, handle) is None:
                    self.session.model.add(kind, handle, thing=_ListedObject(handle))
        return self._found[kind]

    def question(self, fact: Fact) -> Question | None:
        """Return the question of a fact in this process; None where it has no such object."""
        values = dict(fact.question.values)
        for parameter, (kind, name) in fact.objects.items():
            if name not in self.objects(kind):
                return None
            values[parameter] = self.objects(kind)[name]
        return Question(fact.question.function, values, fact.question.attribute)

    def value(self, question: Question, reply: Reply) -> object:
        """Return what was told, as any process tells it: how long a list is, names for handles."""
        if question.is_list and isinstance(reply.value, tuple):
            return tuple((len(handles), len(set(handles))) for handles in reply.value)
        told = self.named(question, reply)
        if not isinstance(told, tuple):
            return told
        registry = self.session.registry
        return tuple(_anywhere(part, _told_type(question, registry), registry) for part in told)

    def named(self, question: Question, reply: Reply) -> object:
        """Return what was told, with names for handles."""
        kind = kind_of(_told_type(question, self.session.registry), self._holders)
        if kind is None or not isinstance(reply.value, tuple):
            return reply.value
        names: dict[int, str] = {}
        for name, handle in self.objects(kind).items():
            names.setdefault(int(handle), name)
        return tuple(
            tuple(sorted(names.get(handle, "another") for handle in part))
            if isinstance(part, tuple)
            else names.get(part, "another")
            for part in reply.value
        )


def facts(
    machine: Machine,
    functions: Sequence[Function],
    judge: Judge,
    holders: Mapping[str, Holders],
    pattern: int = PATTERN,
) -> Iterator[Fact]:
    """Yield the facts that a process tells.

    Args:
        machine: the objects in the process.
        functions: the functions that are stable.
        judge: knows what the registry says of a call.
        holders: finds the objects of a kind.
        pattern: what each byte of an output holds before a call.

    """
    for function in functions:
        for fact in described(machine, function, judge, holders, {}):
            reply = ask(machine.session, fact.question, pattern)
            yield replace(fact, value=machine.value(fact.question, reply))


def described(
    machine: Machine,
    function: Function,
    judge: Judge,
    holders: Mapping[str, Holders],
    drawn: Mapping[str, Sequence[Value]],
) -> Iterator[Fact]:
    """Yield the facts that a function tells, without asking for them.

    Args:
        machine: the objects in the process.
        function: the function, which is stable.
        judge: knows what the registry says of a call.
        holders: finds the objects of a kind.
        drawn: values of parameters that are neither an object nor an enumeration.

    """
    session = machine.session
    inputs = [p for p in function.params if p.direction == "in" and p.role not in _GIVEN]
    options = [
        _options(p, machine, holders) or [(v, None) for v in drawn.get(p.name, ())] for p in inputs
    ]
    while prod(map(len, options)) > _MOST:
        max(options, key=len).pop()
    for chosen in product(*options):
        builder = Builder(session, function, drawing.simplest)
        builder.values.update({p.name: v for p, (v, _) in zip(inputs, chosen, strict=True)})
        objects = {p.name: o for p, (_, o) in zip(inputs, chosen, strict=True) if o}
        try:
            asked = questions(builder, judge)
        except (Blocked, Unavailable, ProvesNothing):
            continue
        for question in asked:
            yield Fact(question, objects)


def kind_of(ctype: str, holders: Mapping[str, Holders]) -> str | None:
    """Return the kind of the machine's objects that a type is a handle of, if it is one."""
    for prefix in ("hsa_amd_", "hsa_"):
        kind = ctype.removeprefix(prefix).removesuffix("_t")
        if kind in holders:
            return kind
    return None


def _options(
    parameter: Parameter, machine: Machine, holders: Mapping[str, Holders]
) -> list[tuple[Value, tuple[str, str] | None]]:
    """Return the values that an argument can have, each with the object that it stands for."""
    kind = kind_of(parameter.type, holders)
    if kind is not None:
        return [(handle, (kind, name)) for name, handle in machine.objects(kind).items()]
    enum = machine.session.registry.enums.get(parameter.type)
    return [(value, None) for value in sorted(enum.by_value)] if enum is not None else []


def _anywhere(value: object, ctype: str, registry: Registry) -> object:
    """Return a value without its addresses, which two processes may share by chance."""
    if isinstance(value, Mapping):
        members = registry.structs[ctype].field
        return {k: _anywhere(member, members[k].type, registry) for k, member in value.items()}
    return "an address" if value and ctype.endswith("*") and isinstance(value, int) else value


def _told_type(question: Question, registry: Registry) -> str:
    """Return the type of what is told: of an attribute, or of the elements of a list."""
    if question.attribute is not None:
        return question.attribute.type
    callbacks = [p.type for p in question.function.params if p.type.startswith("callback:")]
    return next((registry.callbacks[c.partition(":")[2]].params[0].type for c in callbacks), "")
