"""An imagined call: arguments, and an answer for every question that a condition asks about them.

Nothing here knows what a machine can be like. What holds in an imagined call may be impossible in a
real one, but what holds in no imagined call holds nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from hsa_spec.conditions.evaluate import OPERATORS
from hsa_spec.conditions.syntax import (
    Apply,
    Argument,
    Arithmetic,
    Attribute,
    Compare,
    Constant,
    Literal,
    Member,
    Node,
    Not,
)
from hsa_spec.conditions.vocabulary import TERMS, VIEWS

Answer = int | str | bool | None


@dataclass
class ImaginedCall:
    """Answers questions at random, the same question always alike.

    Args:
        random: where the answers come from.
        arguments: the arguments by the names of the parameters.
        numbers: what a number is taken from.
        texts: what a word is taken from.
        wanted: the answers of statements that are not left to chance.

    """

    random: Random
    arguments: Mapping[str, int]
    numbers: Sequence[int]
    texts: Sequence[str]
    wanted: Mapping[Node, bool]
    answers: dict[tuple[object, ...], Answer] = field(default_factory=dict)

    def holds(self, node: Node) -> bool:
        """Return whether a statement holds; where a look-up finds nothing, none does."""
        return self.value(node) is True

    def value(self, node: Node) -> Answer:  # noqa: PLR0911 - one return per node
        """Return the value of a node, None where there is none."""
        match node:
            case Literal(value) | Constant(_, value):
                return value
            case Argument(name):
                return self.arguments[name]
            case Not(of):
                inner = self.value(of)
                return None if inner is None else not inner
            case Member(of, _, values):
                number = self.value(of)
                return None if number is None else number in values
            case Arithmetic(op, left, right) | Compare(op, left, right):
                sides = self.value(left), self.value(right)
                return None if None in sides else OPERATORS[op](*sides)
            case Apply():
                return self.application(node)
            case Attribute(of, name):
                return self.attribute(of, name)

    def application(self, node: Apply) -> Answer:
        """Answer what a term asks."""
        term, arguments = node.term, [self.value(a) for a in node.args]
        if None in arguments:
            return None
        if (certain := term.certain(*arguments)) is not None:
            return bool(certain) if term.result == "bool" else certain
        for name, consequence in term.implies:
            known = self.answers.get((name, *arguments), self._implied(name, arguments))
            if known not in (None, consequence):
                return False
        implied = self._implied(term.name, arguments)
        wanted = self.wanted.get(node) if implied is None else implied
        return self.answered((term.name, *arguments), term.result, wanted)

    def _implied(self, name: str, arguments: Sequence[Answer]) -> bool | None:
        """Return what answers to other questions say about this one."""
        for term in TERMS.values():
            for other, consequence in term.implies:
                if other == name and self.answers.get((term.name, *arguments)) is True:
                    return consequence
        return None

    def attribute(self, of: Apply, name: str) -> Answer:
        """Answer what an attribute of a thing asks; what is not there has none."""
        arguments = [self.value(a) for a in of.args]
        if None in arguments:
            return None
        existence = f"is_{of.term.name}"
        if existence in TERMS and not self.application(Apply(TERMS[existence], of.args)):
            return None
        result = VIEWS[of.term.result][name]
        # No count is negative, and no thing has a size of 0.
        lowest = 1 if name.endswith("size") else 0
        return self.answered((of.term.name, name, *arguments), result, None, lowest)

    def answered(
        self,
        question: tuple[object, ...],
        result: str,
        wanted: bool | None,
        lowest: int | None = None,
    ) -> Answer:
        """Return the answer to a question, the same as before where it was asked before."""
        if question not in self.answers:
            self.answers[question] = self.invented(question, result, wanted, lowest)
        return self.answers[question]

    def invented(
        self, question: tuple[object, ...], result: str, wanted: bool | None, lowest: int | None
    ) -> Answer:
        """Return an answer to a question that was not asked before."""
        if result == "bool":
            return self.random.random() < 0.5 if wanted is None else wanted
        if result == "text":
            return self.random.choice(self.texts)
        return self.random.choice([n for n in self.numbers if lowest is None or n >= lowest])
