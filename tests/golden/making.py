"""Makes the call of a golden case in what is given, by the generators of the suite.

The numbers of the case stand for themselves, and so does 0. Any other address or handle stands for
one of which all is true that the case says. Sizes and counts that do not go with the objects of the
machine are left to the generators as well. What is made is the call that the case means if the same
clauses hold for both.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Blocked, Inconsistent, ProvesNothing, Unavailable
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.drawing import Sampler
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_spec import Parameter
from hsa_spec.conditions import Atom
from hsa_spec.conditions.syntax import Vocabulary, parse
from tests.golden.answers import CannotRunError, WrongAnswerError
from tests.golden.cases import Case
from tests.golden.clauses import NEWEST, arguments, changes, first_said, holding_clauses

#: How often a call is tried to be made.
_TRIES = 16
#: What an argument is that stands for itself.
_NUMBERS = frozenset(
    {"alignment", "attribute", "count", "enum", "flags", "offset", "size", "value"}
)
#: Those of them that may have to go with the sizes of objects, on this machine.
_SIZES = frozenset({"alignment", "count", "offset", "size", "value"})


class Making:
    """Makes the calls of cases.

    Args:
        pool: where the processes come from.

    """

    def __init__(self, pool: SessionPool) -> None:
        self._pool = pool
        self._registry = pool.registry
        self._repertoire = pool.topics.repertoire
        self._judge = Judge(pool.registry, lambda clause: NEWEST.has(clause.versions))

    def run(self, case: Case) -> None:
        """Run a case of one call.

        Raises:
            WrongAnswerError: it answered something else than expected.
            CannotRunError: no call can be made in what is given.

        """
        initialised, reason = "not initialized()" not in case.given, ""
        # With its sizes and without them, each time the simplest example first.
        with_sizes, without = Sampler(str(case)).examples(), Sampler(str(case)).examples()
        for trial in range(_TRIES):
            numbers = _NUMBERS if trial % 2 == 0 else _NUMBERS - _SIZES
            draw = next(without if trial % 2 else with_sizes, None)
            if draw is None:
                continue  # there is no further example of this kind
            try:
                with self._pool.session(initialised=initialised) as session:
                    function = self._registry.functions[case.function]
                    builder = self._repertoire.begin(session, function, draw)
                    self._make(builder, case, numbers, initialised=initialised)
                    self._call(session, builder, case)
                    return
            except (Blocked, Inconsistent, ProvesNothing, Unavailable) as obstacle:
                reason = str(obstacle)
        raise CannotRunError(reason)

    def _make(
        self, builder: Builder, case: Case, numbers: Collection[str], *, initialised: bool
    ) -> None:
        values = arguments(case, self._registry)
        null = [name for name, value in values.items() if value == 0]
        objects = [n for n in values if n not in null]
        for parameter in builder.function.params:
            if parameter.name in objects and _is_number(parameter, numbers):
                builder.fix(parameter.name, values[parameter.name])
                objects.remove(parameter.name)
        if initialised:
            vocabulary = Vocabulary(list(values), self._registry.constants, {})
            there = [parse(f"{name} != 0", vocabulary) for name in objects]
            # A right call comes first: what is not there can then be left out without the rest.
            self._satisfy(builder, [*there, *first_said(case, self._registry)])
        for name in null:
            builder.fix(name, 0)
        if initialised:
            said = changes(case, self._registry)
            self._satisfy(builder, [atom for atom in said if atom.arguments.isdisjoint(null)])
        else:
            for name in objects:
                builder.values[name] = builder.values[name] or builder.readable()
        expected = self._judge.expect(builder.function, builder.session.model, builder.raw())
        found = {clause.id for clause in expected.holding}
        wanted = {clause.id for clause in holding_clauses(case, self._registry)}
        if wanted != found:
            raise ProvesNothing(f"{', '.join(found)} hold of what was made, and not of the case")

    def _satisfy(self, builder: Builder, atoms: Sequence[Atom]) -> None:
        """Make all hold; or as much as can be, since nothing is true of what is not there."""
        try:
            self._repertoire.satisfy(builder, atoms)
        except (ProvesNothing, Unavailable):
            for atom in atoms:
                with suppress(ProvesNothing, Unavailable):
                    self._repertoire.satisfy(builder, [atom])

    def _call(self, session: Session, builder: Builder, case: Case) -> None:
        where, expected = "the call", " or ".join(sorted(case.statuses))
        try:
            answer = session.call_with(case.function, builder.values)
        except Ended as ended:
            raise WrongAnswerError(case, where, str(ended), expected) from ended
        if answer.name not in case.statuses:
            raise WrongAnswerError(case, where, answer.name, expected)


def _is_number(parameter: Parameter, roles: Collection[str]) -> bool:
    if "*" in parameter.type or parameter.type == "hsa_file_t":
        return False
    # A plain number with names, such as that of an extension, has to go with the machine as well.
    role = "value" if parameter.named_by and parameter.role == "enum" else parameter.role
    return role in roles and parameter.direction == "in"
