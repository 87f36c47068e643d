"""Questions whose answers no other call changes, and what a library tells when it is asked them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.comparing import Relation, counted, equal, every, part
from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.trace import Note
from hsa_conformance.engine.calls.values import (
    OTHER_PATTERN,
    PATTERN,
    STATUS,
    Answer,
    Out,
    Value,
    numbers,
)
from hsa_conformance.engine.checks.effects.attribute_values import decoded
from hsa_conformance.engine.generation.attributes import has_value, size_for
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.strings import text_at
from hsa_reports.demands import Answers, Demand
from hsa_spec import Attribute, Function, Parameter

#: Bytes that a program compares at once.
_WORD: Final = 8
#: The most bytes of an output that it compares.
_COMPARED: Final = 128
#: What a list hands to its callback beside each handle: the parameter, and what is given here.
_DATA: Final = "data"
_OWN: Final = 0x5EED0A6A1
#: The type of an output that receives the address of a text.
_TEXT: Final = "const char**"


@dataclass(frozen=True)
class Question:
    """A call that asks for what stays as it is.

    Args:
        function: what is called.
        values: a value for each parameter.
        attribute: what is asked for, where the function reports several.

    """

    function: Function
    values: Mapping[str, Value]
    attribute: Attribute | None = None

    @property
    def is_list(self) -> bool:
        """Return whether a callback is given each of several handles."""
        return _DATA in self.values

    @property
    def words(self) -> str:
        """Return what reports call the fact."""
        return self.function.name if self.attribute is None else self.attribute.name


@dataclass(frozen=True)
class Reply:
    """What a library told.

    Args:
        value: as far as the text defines it, in a form that can be compared.
        answer: the answer that it stands in.
        notes: the steps of the trace that show it.

    """

    value: object
    answer: Answer
    notes: tuple[Note, ...]


def questions(builder: Builder, judge: Judge, *, changing: bool = False) -> list[Question]:
    """Return what can be asked of the object that a call is about, where the text has an answer.

    Args:
        builder: a valid call of a function that is stable.
        judge: knows what the registry says of a call.
        changing: whether what need not stay as it is counts as well.

    Raises:
        Blocked: the object cannot be asked what it has.

    """
    function, registry = builder.function, builder.session.registry
    asked = next((p.name for p in function.params if p.role == "attribute"), None)
    if asked is None:
        whole = Question(function, dict(builder.values))
        return [whole] if answered(whole, judge, builder.session) else []
    found = []
    for attribute in registry.attributes.values():
        if function.name not in attribute.asked_by:
            continue
        if not (changing or _stays(attribute, builder.session)):
            continue
        number = registry.constants[attribute.name]
        question = Question(function, {**builder.values, asked: number}, attribute)
        if answered(question, judge, builder.session) and has_value(builder, attribute):
            outs = [p.name for p in function.params if p.direction == "out"]
            if size := size_for(builder, attribute):
                values = {**question.values, **dict.fromkeys(outs, Out(size))}
                found.append(Question(function, values, attribute))
    return found


def answered(question: Question, judge: Judge, session: Session) -> bool:
    """Return whether the call has to succeed, as far as anybody knows."""
    function = question.function
    try:
        expected = judge.expect(function, session.model, numbers(function, question.values))
    except ProvesNothing:
        return False
    return expected.succeeds


def ask(session: Session, question: Question, pattern: int = PATTERN) -> Reply:
    """Ask, and return what is told; an error is an answer, too.

    Args:
        session: the process.
        question: what it is asked.
        pattern: what each byte of an output holds before the call.

    """
    notes = session.trace.notes
    before = len(notes)
    values = {name: _given(name, value, pattern) for name, value in question.values.items()}
    with session.scratch.lent():
        answer = session.call_with(question.function.name, values)
    value = tuple(_values(session, question, answer)) if answer.ok else answer.name
    return Reply(value, answer, tuple(notes[before:]))


def texts(function: Function) -> list[str]:
    """Return the outputs of a function that receive the address of a text."""
    return [p.name for p in _outputs(function) if p.type == _TEXT]


def unwritten(one: Reply, other: Reply) -> bool:
    """Return whether two answers differ just in bytes that the second leaves as they were."""
    names = [p.name for p in _outputs(one.answer.function)]
    pairs = {
        pair
        for name in names
        for pair in zip(one.answer.content(name), other.answer.content(name), strict=False)
    }
    return {(a, b) for a, b in pairs if a != b} == {(PATTERN, OTHER_PATTERN)}


def in_words(value: object) -> str:
    """Return what was told, in words."""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def demand(
    question: Question, one: Reply, other: Reply, session: Session, *, apart: bool = False
) -> Demand | None:
    """Return what a program can demand of what was told last, where it is not what was before.

    Args:
        question: what was asked.
        one: what was told first.
        other: what was told last.
        session: the process.
        apart: whether another process told the first: a program has that as a constant.

    """
    before, after = one.answer, other.answer
    if before.ok and not after.ok:
        return Answers((SUCCESS,))
    if question.is_list:
        given = {n: v for n, v in question.values.items() if isinstance(v, int)}
        now = counted(_listed(after), session.registry, question.function.name, given)
        return equal(now, len(_listed(before))).demand
    outputs = [p.name for p in _outputs(question.function)]
    if not after.ok or any(len(before.content(name)) > _COMPARED for name in outputs):
        return None
    alike = every(*(_alike(before, after, name, question, apart=apart) for name in outputs))
    return None if alike else alike.demand


def _alike(
    before: Answer, after: Answer, name: str, question: Question, *, apart: bool
) -> Relation:
    """Return whether an output has the same bytes, up to the end of a text."""
    one, other = before.content(name), after.content(name)
    one = bytes(one) if apart else one
    size = len(one)
    if size <= _WORD:
        number = before.number(name)
        return equal(int(number) if apart else number, after.number(name))
    if question.attribute is not None and question.attribute.type.startswith("char["):
        size = one.find(b"\0") + 1 or size
    words = ((at, min(_WORD, size - at)) for at in range(0, size, _WORD))
    return every(*(equal(part(one, at, of), part(other, at, of)) for at, of in words))


def _outputs(function: Function) -> Iterator[Parameter]:
    """Yield the outputs that every success writes."""
    for parameter in function.params:
        if parameter.direction == "out" and not (parameter.conditional or parameter.nullable):
            yield parameter


def _given(name: str, value: Value, pattern: int) -> Value:
    if isinstance(value, Out):
        return Out(value.size, pattern)
    return _OWN if name == _DATA else value


def _listed(answer: Answer) -> list[int]:
    """Return the handles of a list; callbacks of other calls may come meanwhile."""
    return [args[0] for args in answer.callbacks if len(args) > 1 and args[-1] == _OWN]


def _values(session: Session, question: Question, answer: Answer) -> Iterator[object]:
    """Yield what was told, as far as the text defines it: the order of a list is left open."""
    if question.function.result != STATUS:
        yield answer.status
    if question.is_list:
        yield tuple(sorted(int(handle) for handle in _listed(answer)))
    for parameter in _outputs(question.function):
        content = answer.content(parameter.name)
        if question.attribute is not None:
            yield decoded(content, question.attribute, session.registry)
        elif parameter.type == _TEXT:
            yield text_at(session, answer[parameter.name])
        else:
            yield bytes(content)


def _stays(attribute: Attribute, session: Session) -> bool:
    """Return whether an attribute stays as it is, and the header names its type."""
    fixed = attribute.varies is None and attribute.inferred is None
    return fixed and session.offered_api.has_attribute(attribute.name)
