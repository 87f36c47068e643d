"""A topic: everything that the suite knows of one part of the API, as the engine receives it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from hsa_conformance.engine.checks.effects.properties import Proofs, Property
from hsa_conformance.engine.checks.effects.relations import Holders
from hsa_conformance.engine.checks.random_programs.lives import Lives
from hsa_conformance.engine.checks.random_programs.player import Life
from hsa_conformance.engine.checks.refusals.exhaustion import Refusals
from hsa_conformance.engine.generation import terms
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import (
    Comparison,
    Generator,
    Generators,
    Thing,
)
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.model import Fact
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.state_rules import (
    CleanUp,
    MemoryKind,
    ObjectKind,
    StateRules,
    Transition,
)

T = TypeVar("T")


@dataclass(frozen=True)
class Topic:
    """One topic.

    Args:
        name: the registry's name for it, such as "amd/vmem".
        group: a short name for the command line; none where the function's name is short enough.
        generators: make the terms of its conditions true, or only just false, by term.
        comparisons: make comparisons with what a term gives come true, by term.
        types: the term that makes a value of a type valid, by the type.
        machine: the objects of the machine that a type is a handle of, by the type.
        memory: the kinds of memory that its functions give, by what reports call them.
        objects: yields the kinds of its objects that can live while something else happens.
        holders: the objects of the machine that have attributes, by the registry's name for them.
        addresses: make an address of which conditions ask no more than that it is not NULL, by
            function and parameter, such as "hsa_amd_pointer_info.ptr".
        transitions: what a successful call changes in the model, by function.
        facts: how the named facts of its conditions are answered, by name.
        clean_up: how its objects are given back, in the order in which that has to be done.
        passing: kinds of its objects that are forgotten when an example begins.
        descriptors: kinds of its objects that an open file descriptor is the key of.
        plural: functions that make an object each time they are called; set-up makes a further one
            beside it in some examples, because a library may be right for one object alone. The
            further one has other arguments, as far as they stand here by name.
        at_start: asks each process what everything stands on, such as its agents.
        discover: asks a process, once, what the topic's own calls need to know.
        proofs: its properties, a collection for each module.
        lives: what its random sequences are made of.
        refusals: what the driver can refuse while its functions are called.

    """

    name: str
    group: str | None = None
    generators: Mapping[str, Generators] = field(default_factory=dict)
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    machine: Mapping[str, Callable[[Fixtures], Sequence[Thing]]] = field(default_factory=dict)
    memory: Mapping[str, MemoryKind] = field(default_factory=dict)
    objects: Callable[[Fixtures], Iterable[ObjectKind]] | None = None
    holders: Mapping[str, Holders] = field(default_factory=dict)
    addresses: Mapping[str, Generator] = field(default_factory=dict)
    transitions: Mapping[str, Transition] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    clean_up: Sequence[CleanUp] = ()
    passing: Collection[str] = ()
    descriptors: Collection[str] = ()
    plural: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    at_start: Callable[[Session], None] | None = None
    discover: Callable[[Fixtures], None] | None = None
    proofs: Sequence[Proofs] = ()
    lives: Sequence[Life] = ()
    refusals: Refusals | None = None


class Topics:
    """All topics together.

    Args:
        topics: in the order of their dependence: what stands on others comes after them, is asked
            for after them, and is given back before them.

    Attributes:
        by_name: the topics by name.
        groups: their names by their short names.
        holders: what finds the objects that have attributes, by kind.
        rules: what calls change, and how objects are given back.
        repertoire: makes conditions hold.

    Raises:
        ValueError: two topics say something of one thing, such as what a function changes.

    """

    def __init__(self, topics: Sequence[Topic]) -> None:
        self._topics = tuple(topics)
        self.by_name: Mapping[str, Topic] = self._all("the name", lambda t: {t.name: t})
        self.groups: Mapping[str, str] = self._all(
            "the short name", lambda t: {t.group: t.name} if t.group else {}
        )
        self.holders: Mapping[str, Holders] = self._all("the holders of", lambda t: t.holders)
        self.rules = StateRules(
            transitions=self._all("a transition of", lambda t: t.transitions),
            facts=self._all("the fact", lambda t: t.facts),
            clean_up=tuple(c for t in reversed(self._topics) for c in t.clean_up),
            passing=tuple(kind for t in topics for kind in t.passing),
            descriptors=tuple(kind for t in topics for kind in t.descriptors),
            plural=self._all("a further call of", lambda t: t.plural),
            memory=self._all("the kind of memory", lambda t: t.memory),
            objects=tuple(t.objects for t in topics if t.objects is not None),
            holders=self.holders,
        )
        self.repertoire = Repertoire(
            {**terms.GENERATORS, **self._all("generators of", lambda t: t.generators)},
            self._all("a comparison with", lambda t: t.comparisons),
            {t.name: t.discover for t in topics if t.discover is not None},
            self._all("the term of", lambda t: t.types),
            self._all("the objects of", lambda t: t.machine),
            self._all("addresses for", lambda t: t.addresses),
        )

    def _all(self, what: str, part: Callable[[Topic], Mapping[str, T]]) -> dict[str, T]:
        """Return a part of all topics together.

        Args:
            what: what one entry is, such as "a transition of".
            part: the part of a topic.

        Raises:
            ValueError: two topics have an entry of one name.

        """
        found: dict[str, T] = {}
        owner: dict[str, str] = {}
        for topic in self._topics:
            for name, entry in part(topic).items():
                if name in owner:
                    both = f"the topics {owner[name]} and {topic.name}"
                    raise ValueError(f"{both} both have {what} {name}: leave one of them out")
                owner[name] = topic.name
                found[name] = entry
        return found

    @cached_property
    def properties(self) -> Mapping[str, Sequence[Property]]:
        """Return the properties by the clause that they prove."""
        found: dict[str, list[Property]] = {}
        for topic in self._topics:
            for proofs in topic.proofs:
                for proof in proofs:
                    found.setdefault(proof.clause, []).append(proof)
        return found

    def discover(self, session: Session) -> None:
        """Ask an initialised process what everything stands on.

        Raises:
            Unavailable: a query for that does not work.

        """
        for topic in self._topics:
            if topic.at_start is not None:
                topic.at_start(session)

    def refusals(self, topic: str) -> Refusals | None:
        """Return what the driver can refuse while functions of a topic are called."""
        found = self.by_name.get(topic)
        return found.refusals if found else None

    def lives(self, judge: Judge, exports: frozenset[str]) -> Lives:
        """Return the random programs of all topics.

        Args:
            judge: knows what the registry says of a call.
            exports: the functions that the library offers.

        """
        lives = {topic.name: topic.lives for topic in self._topics}
        return Lives(lives, self.repertoire, judge, exports)
