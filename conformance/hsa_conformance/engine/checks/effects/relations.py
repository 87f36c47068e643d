"""Checks of what the registry says that attributes have to be, on every object that has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hsa_conformance.engine.calls.comparing import among, at_most, every, part
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.attribute_values import decoded
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.definedness import is_defined, value_of
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.library.topology import Node, Unknown
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_reports.demands import Demand, Gives
from hsa_spec import Attribute, Registry
from hsa_spec.attributes import asked_through
from hsa_spec.layout import size_of
from hsa_spec.model import Relation
from hsa_spec.relations import FACTS, DivisionError, RelationError, check, evaluate, sizes_by_level

#: How reports name sizes that an answer lists by level.
_BY_LEVEL: Final = re.compile(r"by_level\(value, (.+), (.+)\)")
#: Elements of a value that there is room for; machines have a handful.
_MOST: Final = 1000


@dataclass(frozen=True)
class Holder:
    """An object that has attributes.

    Args:
        words: what reports call it.
        arguments: of the queries about it, but for the attribute and the value.
        others: those of queries about what it belongs to, by the kind of that object.
        node: finds its processor in the driver's topology, without help of an attribute.
        far: likewise the processor that it leads to, where it is a way to one.

    """

    words: str
    arguments: Mapping[str, int]
    others: Mapping[str, Mapping[str, int]]
    node: Callable[[str], Node] | None = None
    far: Callable[[str], Node] | None = None


#: Finds the objects of a kind that the machine has.
Holders = Callable[[Fixtures], Sequence[Holder]]


def relation_checks(case: Case, registry: Registry, holders: Mapping[str, Holders]) -> list[Check]:
    """Return the check of a clause that an attribute stands for.

    Args:
        case: the clause.
        registry: the specification.
        holders: finds the objects that have attributes, by kind.

    """
    clause = case.clause
    attribute, relation = registry.relations[clause.id]
    if attribute.of not in holders:
        return []
    find = holders[attribute.of]

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        scene = Scene(session, draw, clause)
        _Observation(scene, attribute, relation, holders).at_one_of(find(scene))
        counts.satisfied += 1

    return [Check(clause.id, f"relation of {attribute.name}", body, examples=0.1, sweeps=True)]


class _Observation:
    """What comes of looking at the objects that have an attribute."""

    def __init__(
        self,
        scene: Scene,
        attribute: Attribute,
        relation: Relation,
        holders: Mapping[str, Holders],
    ) -> None:
        self._scene = scene
        self._holders = holders
        self._of_kind: dict[str, Sequence[Holder]] = {}
        self._session = scene.session
        self._registry = scene.session.registry
        self._attribute = attribute
        self._relation = relation
        self._number = 0  # what the last query gave, where that is a number

    def at_one_of(self, holders: Sequence[Holder]) -> None:
        """Look at an object; each of which something is said is to be tried.

        Raises:
            Violation: the relation does not hold for it.
            Unavailable: none has the attribute, or it is unknown what one of them has to say.

        """
        self._require_offered()
        self._session.axes.on_machine = True
        # The same in all processes, and as many questions as there are pairs of agents and pools.
        words, obstacle = self._session.stable_answers.once(
            f"objects of {self._relation.clause}", lambda: self._told_of(holders)
        )
        if said := [holder for holder in holders if holder.words in words]:
            axis = self._scene.axis(self._attribute.of)
            assert axis is not None, "it is the first that the example chooses"
            holder = self._scene.some_sort(axis, said, lambda holder: holder.words)
            self._look_at(holder, first=self._asked_first())
        if obstacle is not None:
            raise obstacle
        if not said:
            of = self._attribute.of.replace("_", " ")
            raise Unavailable(
                Verdict.NOT_APPLICABLE,
                f"the machine has no {of} for which this is said of {self._attribute.name}",
            )

    def _require_offered(self) -> None:
        for asked in (self._attribute, *self._others_named()):
            if not self._session.offered_api.has_attribute(asked.name):
                raise Unavailable(Verdict.NOT_APPLICABLE, f"{asked.name} is not offered")

    def _others_named(self) -> list[Attribute]:
        """Return the other attributes that the relation names."""
        names = check(self._relation.holds)
        names += check(self._relation.where) if self._relation.where else []
        attributes = self._registry.attributes
        return [attributes[name] for name in names if name in attributes]

    def _asked_first(self) -> Sequence[str]:
        """Return what is asked for before the value: each of two that tell one fact comes first."""
        others = [a.name for a in self._others_named()]
        if not others:
            return ()
        return self._scene.each("first question", {"this": (), "the others": others})

    def _told_of(self, holders: Sequence[Holder]) -> tuple[set[str], Unknown | Blocked | None]:
        """Return the words of the objects that are concerned, and why that is unknown of one."""
        said: set[str] = set()
        first: Unknown | Blocked | None = None
        for holder in holders:
            try:
                if self._is_said(holder):
                    said.add(holder.words)
            except (Unknown, Blocked) as obstacle:
                if isinstance(obstacle, Blocked) and obstacle.deadly:
                    raise
                first = first or obstacle
        return said, first

    def _is_said(self, holder: Holder) -> bool:
        """Return whether anything is said of an object.

        Raises:
            Unknown: the driver's files do not say what it has to be.

        """
        attribute, relation = self._attribute, self._relation
        function = asked_through(self._registry, attribute)
        if not is_defined(self._session, function, attribute, holder.arguments):
            return False
        if any(self._whose(other, holder) is None for other in self._others_named()):
            return False
        try:
            if relation.where and not evaluate(relation.where, self._lookup(holder, [])):
                return False
        except DivisionError as error:
            raise Unknown(f"{holder.words}: {error}, by the driver's files") from None
        for name in check(relation.holds):
            if name.partition(".")[0] in FACTS:
                self._found(name, holder)
        return True

    def _lookup(self, holder: Holder, content: list[bytes]) -> Callable[[str], Any]:
        """Return what gives the names of a relation for an object.

        Args:
            holder: the object.
            content: where the bytes of its attribute go, once they are asked for.

        """

        def lookup(name: str) -> Any:  # noqa: ANN401
            first, _, member = name.partition(".")
            if first == "value":
                if not content:
                    content.append(self._asked(self._attribute, holder.arguments, seen=True))
                found = decoded(content[0], self._attribute, self._registry)
                return _members(found, member) if member else found
            return self._found(name, holder)

        return lookup

    def _look_at(self, holder: Holder, first: Sequence[str]) -> None:
        attribute, relation = self._attribute, self._relation
        content: list[bytes] = []
        for name in first:
            self._found(name, holder)
        if not first:
            content.append(self._asked(attribute, holder.arguments, seen=True))
        lookup = self._lookup(holder, content)
        try:
            holds = evaluate(relation.holds, lookup)
        except DivisionError as error:
            raise Unknown(f"{holder.words}: {error}, by the driver's files") from None
        except RelationError as error:
            holds, content = False, content or [str(error).encode()]
        value = decoded(content[0], attribute, self._registry) if content else None
        got = "nothing" if value is None else _shown(value, attribute)
        self._scene.require(
            bool(holds),
            f"{attribute.name} of {holder.words}: it has to be that {relation.holds}",
            f"{got}{self._beside(holder)}",
            self._demand(content, lookup),
        )

    def _beside(self, holder: Holder) -> str:
        """Return what the other names of the relation stand for, in words."""
        names = [n for n in check(self._relation.holds) if not n.startswith("value")]
        facts = {n: self._found(n, holder) for n in names}
        attributes = self._registry.attributes
        words = ", ".join(f"{n} = {_shown(found, attributes.get(n))}" for n, found in facts.items())
        return f"; {words}" if words else ""

    def _demand(self, content: Sequence[bytes], lookup: Callable[[str], Any]) -> Demand | None:
        """Return what a program can demand of the value alone, where it has to be a number."""
        left, limits, fact = self._relation.holds.partition("value <= ")
        if not left and limits and content and fact.isidentifier():
            return at_most(self._number, lookup(fact)).demand
        if content and (by_level := _BY_LEVEL.fullmatch(self._relation.holds)):
            return self._sizes(content[0], *(evaluate(fact, lookup) for fact in by_level.groups()))
        left, equals, fact = self._relation.holds.partition("value == ")
        if left or not equals or not content:
            return None
        wanted = evaluate(fact, lookup)
        got = decoded(content[0], self._attribute, self._registry)
        if not isinstance(wanted, int) or isinstance(wanted, bool) or not isinstance(got, int):
            return None
        try:
            return Gives("value", (int(wanted).to_bytes(len(content[0]), "little"),))
        except OverflowError:
            return None

    def _sizes(self, content: bytes, levels: Sequence[int], sizes: Sequence[int]) -> Demand | None:
        """Return what a program can demand of sizes that an answer lists by level."""
        allowed = sizes_by_level(decoded(content, self._attribute, self._registry), levels, sizes)
        size = len(content) // len(allowed)
        each = (among(part(content, at * size, size), of) for at, of in enumerate(allowed))
        return every(*each).demand

    def _found(self, name: str, holder: Holder) -> Any:  # noqa: ANN401
        if name.partition(".")[0] in FACTS:
            if holder.node is None:
                raise Unknown("there is no word of the driver for this")
            node = holder.node(self._attribute.name)
            if not name.startswith("link."):
                return node.fact(name)
            if holder.far is None:
                raise Unknown(f"{holder.words} is no way to another processor")
            return node.link(holder.far(self._attribute.name), name)
        if name == "others":
            return tuple(self._of_others(holder))
        other = self._registry.attributes.get(name)
        if other is None:
            return self._registry.constants[name]
        whose = self._whose(other, holder)
        assert whose is not None, "nothing is said of objects without it"
        return decoded(self._asked(other, whose), other, self._registry)

    def _whose(self, other: Attribute, holder: Holder) -> Mapping[str, int] | None:
        """Return the arguments that name the object of another attribute; None where there is none.

        It is the object itself, what it belongs to, or the first one that belongs to it.
        """
        if other.of == self._attribute.of:
            return holder.arguments
        if other.of in holder.others:
            return holder.others[other.of]
        if not any(p.role == "handle" for p in asked_through(self._registry, other).params):
            return {}  # the process has one
        own = self._attribute.of
        for one in self._all(other.of):
            if one.others.get(own) == holder.arguments:
                return one.arguments
        return None

    def _all(self, kind: str) -> Sequence[Holder]:
        if kind not in self._of_kind:
            self._of_kind[kind] = self._holders[kind](self._scene)
        return self._of_kind[kind]

    def _of_others(self, holder: Holder) -> Iterator[Any]:
        """Yield the attribute of each other object of the kind that has it."""
        attribute = self._attribute
        function = asked_through(self._registry, attribute)
        for one in self._all(attribute.of):
            if one.arguments != holder.arguments and is_defined(
                self._session, function, attribute, one.arguments
            ):
                yield decoded(self._asked(attribute, one.arguments), attribute, self._registry)

    def _asked(
        self, attribute: Attribute, whose: Mapping[str, int], *, seen: bool = False
    ) -> bytes:
        """Return the bytes of an attribute.

        Args:
            attribute: the one that is asked for.
            whose: the arguments that name the object.
            seen: whether the trace shows the query.

        Raises:
            Blocked: the query does not succeed.

        """
        function = asked_through(self._registry, attribute)
        if attribute.length is None and not seen:
            return value_of(self._session, function, attribute, whose)
        size = None
        if attribute.length is not None:
            count = self._registry.attributes[attribute.length]
            length = int.from_bytes(self._asked(count, whose), "little") + attribute.terminated
            size = min(length, _MOST) * size_of(attribute.type.removesuffix("[]"), self._registry)
            if not size:
                return b""
        number = self._registry.constants[attribute.name]
        answer = self._scene.set_up(function.name, **whose, attribute=number, value=Out(size))
        if seen:
            self._number = answer.number("value")
        return answer.content("value")


def _shown(value: Any, attribute: Attribute | None) -> str:  # noqa: ANN401
    """Return the value of an attribute in words: of a long mask the places of its bits."""
    return _bits(value) if attribute and attribute.read_as == "positions" else str(value)


def _bits(mask: int) -> str:
    """Return the places of the bits of a long mask, in words."""
    places = [f"{place:#x}" for place in range(mask.bit_length()) if mask >> place & 1]
    return f"bits {' and '.join(places)}" if places else "no bit"


def _members(found: Any, member: str) -> Any:  # noqa: ANN401
    """Return a member of a structure, or that of each in an array."""
    return tuple(one[member] for one in found) if isinstance(found, tuple) else found[member]
