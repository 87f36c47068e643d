"""What queries tell of the objects of a call that is refused: it stays as it is."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager

from hsa_conformance.engine.calls.values import STATUS
from hsa_conformance.engine.checks.again.machine import kind_of
from hsa_conformance.engine.checks.again.questions import (
    Question,
    Reply,
    ask,
    demand,
    in_words,
    questions,
)
from hsa_conformance.engine.checks.before.earlier_calls import (
    OBJECTS,
    EarlierCalls,
    WentWrong,
    shared,
)
from hsa_conformance.engine.checks.before.ways import is_query
from hsa_conformance.engine.checks.effects.relations import Holders
from hsa_conformance.engine.generation.atoms import begins, of_success
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.judging.verdict import of_breach
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_reports.actions import Call
from hsa_spec import Clause, Function
from hsa_spec.conditions import Atom


class Bystanders:
    """Asks what a refused call must not change.

    Args:
        repertoire: makes conditions hold.
        judge: knows what the registry says of a call.
        functions: the functions that the library offers.
        changing: the names of those that change what is known of objects.
        holders: finds the objects of the machine, by kind.

    """

    def __init__(
        self,
        repertoire: Repertoire,
        judge: Judge,
        functions: Mapping[str, Function],
        changing: Container[str],
        holders: Mapping[str, Holders],
    ) -> None:
        self.repertoire = repertoire
        self.judge = judge
        self.holders = holders
        self._queries = {
            name: f
            for name, f in functions.items()
            if name not in changing or _tells_numbers(f)
            if _loads(f) or (is_query(f) and of_success(f) and not _moves(f))
            if not _is_of_machine(f, holders)
        }
        self._deadly: set[str] = set()  # queries that end the process

    @contextmanager
    def around(self, clause: Clause, builder: Builder) -> Iterator[None]:
        """Ask the same before and after a call that has to be refused, in some of its examples.

        Args:
            clause: the clause that has it refused.
            builder: the call.

        Raises:
            CannotMake: it takes something before the question that goes wrong, or changes how the
                call has to end.
            Violation: another answer comes after the call.

        """
        asked = None
        if SUCCESS not in clause.status and of_breach(clause, stated=False) is Verdict.WARN:
            queries = self._about(builder)
            query = builder.one_of([None, *queries]) if queries else None
            asked = self._asked(query, queries[query], builder) if query is not None else None
        yield
        if asked is not None:
            self._require_same(clause, builder.session, *asked)

    def _about(self, builder: Builder) -> Mapping[str, Mapping[str, int]]:
        """Return the queries about objects of a call, each with those that it takes.

        In some examples these are only queries about an object that a client has made, and
        otherwise those that take no other object, if there are any.
        """
        found, made = dict[str, Mapping[str, int]](), dict[str, Mapping[str, int]]()
        for query in self._queries.values():
            given = shared(builder.function, query, builder.values)
            if query.name in self._deadly or not any(given.values()):
                continue
            # They are as the query needs them, so that nothing is done to them for it.
            asking = Builder(builder.session, query, builder.draw)
            asking.values.update(given)
            if not all(map(asking.surely_holds, _about_all(query, given))):
                continue
            found[query.name] = given
            if any(kind_of(query.parameter[p].type, self.holders) is None for p in given):
                made[query.name] = given
        alone = {n: given for n, given in found.items() if _objects(self._queries[n]) <= {*given}}
        return builder.one_of([made, alone or found]) if made else alone or found

    def _asked(
        self, name: str, given: Mapping[str, int], builder: Builder
    ) -> tuple[Question, Reply] | None:
        """Return a question about objects of a call, and what is told.

        Args:
            name: the query.
            given: the objects, by the names that it has for them.
            builder: the call.

        Returns:
            None where it cannot be asked, no text says what is told, or another answer comes each
            time.

        """
        session, function = builder.session, builder.function
        past = EarlierCalls(
            session,
            builder.draw,
            self._queries[name],
            self.judge,
            self.repertoire,
            lambda: self._deadly.add(name),
        )
        before = self.judge.expect(function, session.model, builder.raw())
        question, told = None, list[Reply]()
        try:
            with past.blameless():
                question = builder.one_of(self._questions(past, self._queries[name], given))
                told = [ask(session, question) for _ in range(2)]
        except WentWrong:
            raise
        except CannotMake:
            pass  # another query may do, and the call needs none
        if self.judge.expect(function, session.model, builder.raw()) != before:
            raise CannotMake(f"the objects for {name} change how the call has to end")
        if question is None or not told or told[0].value != told[1].value:
            return None
        return question, told[1]

    def _questions(
        self, past: EarlierCalls, query: Function, given: Mapping[str, int]
    ) -> Sequence[Question]:
        """Return what can be asked of objects.

        Raises:
            CannotMake: no text says what is told, such as of a handle of nothing.

        """
        if not _loads(query):
            return questions(past.valid(given), self.judge)
        [subject] = query.params
        name = subject.type.removeprefix("const ").rstrip("*")
        kind = name.removeprefix("hsa_").removesuffix("_t")
        if past.session.model.find(kind, given[subject.name]) is None:
            raise CannotMake(f"the {kind} is not alive")
        return [Question(query, given)]

    def _require_same(
        self, clause: Clause, session: Session, question: Question, before: Reply
    ) -> None:
        """Demand that a question has the answer that it had before.

        Raises:
            Violation: it has another one.

        """
        after = ask(session, question)
        if after.value == before.value or self._under_way(session):
            return
        if ask(session, question).value == before.value:
            return  # the query itself is wrong now and then, which its own checks are about
        told, wanted = in_words(after.value), in_words(before.value)
        raise breach(
            clause,
            f"{question.words} is not what it was before {clause.function} was refused",
            f"{told} instead of {wanted}",
            {wanted: [clause.id]},
            demand=demand(question, before, after, session),
            step_count=len(session.trace.notes),
            stated=False,
        )

    def _under_way(self, session: Session) -> bool:
        """Return whether something may go on that an earlier step of the example began."""
        functions = session.registry.functions
        steps = [note.step.action for note in session.trace.notes]
        calls = [step.function for step in steps if isinstance(step, Call)]
        # What else there is may be a packet that a queue has not come to.
        return len(calls) < len(steps) or any(begins(functions[name]) for name in calls)


def _objects(function: Function) -> set[str]:
    """Return the parameters of a query that are objects."""
    return {p.name for p in function.params if p.role in OBJECTS and p.direction == "in"}


def _tells_numbers(function: Function) -> bool:
    """Return whether a call tells numbers alone: what is remembered of it is no object."""
    told = [p.type for p in function.params if p.direction == "out"]
    return bool(told) and set(told) <= {"uint32_t*", "uint64_t*", "bool*"}


def _loads(function: Function) -> bool:
    """Return whether a function returns what an object holds, such as the value of a signal."""
    tells = function.result not in (STATUS, "void")
    return tells and [p.role for p in function.params] in (["handle"], ["struct"])


def _about_all(function: Function, given: Mapping[str, int]) -> list[Atom]:
    """Return the conditions of a valid call that are about no other argument than those."""
    return [atom for atom in of_success(function) if atom.arguments <= given.keys()]


def _moves(function: Function) -> bool:
    """Return whether a function writes to memory of which nobody knows the size, such as a copy."""
    asks = any(p.role == "attribute" for p in function.params)
    return not asks and any(p.direction == "out" and p.type == "void*" for p in function.params)


def _is_of_machine(function: Function, holders: Mapping[str, Holders]) -> bool:
    """Return whether a function tells stable facts of the machine, which are asked again anyway."""
    handles = [p.type for p in function.params if p.role == "handle" and p.direction == "in"]
    return function.stable and all(kind_of(ctype, holders) is not None for ctype in handles)
