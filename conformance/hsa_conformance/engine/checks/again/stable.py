"""The check that other calls do not change what a function tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import OTHER_PATTERN, PATTERN, Value
from hsa_conformance.engine.checks.again.questions import (
    Question,
    answered,
    ask,
    demand,
    in_words,
    questions,
    texts,
    unwritten,
)
from hsa_conformance.engine.checks.before.earlier_calls import EarlierCalls, shared
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import of_success, starts_runtime
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, NotOnMachine, Unsuitable
from hsa_conformance.engine.generation.values.named_values import NamedValues
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.strings import text_at
from hsa_reports import AFTER
from hsa_spec import Function

#: How many other texts a function tells before the first is read again.
_OTHERS: Final = 4


class Stability:
    """Makes the checks of what is stable.

    Args:
        repertoire: makes conditions hold.
        judge: knows what the registry says of a call.
        functions: the functions that the library offers.

    """

    def __init__(
        self, repertoire: Repertoire, judge: Judge, functions: Mapping[str, Function]
    ) -> None:
        self.repertoire = repertoire
        self.judge = judge
        self.functions: Mapping[str, Function] = {
            name: f for name, f in functions.items() if of_success(f) and not starts_runtime(f)
        }
        self._deadly: set[str] = set()  # functions that end the process

    def check(self, case: Case) -> Check:
        """Return the check of one `same-answer` clause."""
        clause, function = case.clause, case.function

        def body(session: Session, draw: Draw, counts: Counts) -> None:
            scene = Scene(session, draw, clause)
            builder = self.repertoire.begin(session, function, draw)
            self.repertoire.satisfy(builder, case.valid)
            asked = questions(builder, self.judge)
            if not asked:
                raise CannotMake("no text says what the object tells")
            look = _Look(scene, asked)
            look.again("is told in two ways, with no call between", OTHER_PATTERN)
            if look.tells_texts:
                self._ask_others(scene, case)
                look.read_again()
            other = self._other_call(scene, function, builder.values)
            if not all(answered(question, self.judge, session) for question in asked):
                raise CannotMake(f"{other} changes how a question has to be answered")
            look.again(f"is not what it was before {other}")
            counts.satisfied += 1

        return Check(clause.id, "asked again", body)

    def _ask_others(self, scene: Scene, case: Case) -> None:
        """Ask the same of others, as far as there are any."""
        function, session = case.function, scene.session
        inputs = [p.name for p in function.params if p.direction == "in"]
        named = NamedValues(function, inputs, case.valid, (), refused=False)
        for turn in range(1, _OTHERS):
            ticket = scene.draw(drawing.ticket(f"{case.clause.id}:{turn}"))
            with suppress(CannotMake, Unavailable), session.turned(turn):
                builder = self.repertoire.begin(session, function, drawing.drawn_from(ticket))
                named.take_turns(builder)
                self.repertoire.satisfy(builder, case.valid)
                session.call_with(function.name, builder.values)

    def _other_call(self, scene: Scene, function: Function, values: Mapping[str, Value]) -> str:
        """Make a call of another function, right or wrong, and return its name.

        Args:
            scene: where it is made.
            function: what tells the facts.
            values: its arguments; what they name takes part now and then.

        Raises:
            CannotMake: it does not end as it has to, which is for other checks to find.

        """
        name = scene.each(AFTER, {name: name for name in self.functions})
        if name in self._deadly:
            raise Unsuitable(f"{name} ends the process")
        past = EarlierCalls(
            scene.session,
            scene.draw,
            self.functions[name],
            self.judge,
            self.repertoire,
            lambda: self._deadly.add(name),
        )
        refused, beside = scene.draw(drawing.booleans()), scene.draw(drawing.booleans())
        given = {} if beside else shared(function, past.function, values)
        try:
            with past.blameless():
                if refused:
                    past.refuse(past.function, given)
                else:
                    past.succeed(past.valid(given))
        except NotOnMachine as lacking:
            raise Unsuitable(str(lacking)) from None  # another function may need less
        except Unsuitable as unsuitable:
            # Another object may do.
            raise (CannotMake(str(unsuitable)) if given else unsuitable) from None
        return f"{name} was {'refused' if refused else 'called'}"


class _Look:
    """What was told at first, which later answers are compared with.

    Args:
        scene: what wants the same answers.
        asked: the questions.

    """

    def __init__(self, scene: Scene, asked: Sequence[Question]) -> None:
        self._scene = scene
        self._first = [(question, ask(scene.session, question)) for question in asked]

    @property
    def tells_texts(self) -> bool:
        """Whether the address of a text is told, which stays the library's."""
        return any(texts(question.function) for question, _ in self._first)

    def read_again(self) -> None:
        """Demand that what was told by its address is still there.

        Raises:
            Violation: another text is.

        """
        for question, before in self._first:
            for name in texts(question.function) if before.answer.ok else ():
                told = text_at(self._scene.session, before.answer[name])
                self._scene.require(
                    before.value == (told,),
                    f"{question.words} has changed at its address once the function told others",
                    f"{in_words((told,))} instead of {in_words(before.value)}",
                )

    def again(self, wrong: str, pattern: int = PATTERN) -> None:
        """Ask again, and demand the same.

        Args:
            wrong: what is wrong with a fact that is not the same, in words.
            pattern: what each byte of an output holds before the call.

        Raises:
            Violation: something else is told.

        """
        session, notes = self._scene.session, self._scene.session.trace.notes
        for question, before in self._first:
            place = len(notes)
            after = ask(session, question, pattern)
            if before.value == after.value:
                del notes[place:]
                continue
            others = {id(n) for _, reply in self._first if reply is not before for n in reply.notes}
            notes[:] = [note for note in notes if id(note) not in others]
            got, wanted = f"{in_words(after.value)} instead of {in_words(before.value)}", None
            if unwritten(before, after):
                wrong, got = "is told with bytes that are not written", "bytes left as they were"
            else:
                wanted = demand(question, before, after, session)
            self._scene.require(False, f"{question.words} {wrong}", got, wanted)
