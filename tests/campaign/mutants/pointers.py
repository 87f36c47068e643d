"""Which kinds of memory the clauses of a function speak of, by one of its parameters.

A function may do what it likes with other memory, so no mutant is wrong for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from operator import attrgetter

from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable
from hsa_conformance.engine.generation.atoms import is_state
from hsa_conformance.engine.generation.fixtures import PLAIN, Fixtures
from hsa_conformance.engine.generation.generators import known_values
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.pools.fixtures import (
    BLOCK,
    allocate_block,
    allow_access,
    known_pools,
)
from hsa_conformance.topics.amd.pools.state import Pool, pool_access
from hsa_spec import Clause, Function, Parameter, Strength
from hsa_spec.conditions import Atom, compile_atom
from hsa_spec.conditions.syntax import Compare
from hsa_spec.layout import pointee

_BINDING = (Strength.MUST, Strength.SHOULD)


def is_memory(parameter: Parameter, function: Function) -> bool:
    """Return whether a parameter is an address in memory that the caller chooses."""
    answers = any(p.role == "attribute" for p in function.params)
    return parameter.role == "address" and pointee(parameter.type) == "void" and not answers


class Pointers:
    """Memory of each kind that topics can make, all of it in one process.

    Args:
        session: an initialised process of the library itself, in which the memory stays.

    Attributes:
        addresses: where memory lies, by what reports call its kind; of pools there is each.

    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.addresses: dict[str, list[int]] = {}
        fixtures = Fixtures(session, attrgetter("simplest"))
        for name, make in fixtures.kinds(session.model.unit).items():
            with suppress(Blocked, ProvesNothing, Unavailable):  # what cannot be made is not wrong
                self.addresses[name] = [make()]
        if BLOCK in self.addresses:
            pools = known_pools(fixtures, lambda p: p.allocatable)
            self.addresses[BLOCK] = [self._shared(fixtures, pool) for pool in pools]

    def _shared(self, fixtures: Fixtures, pool: Pool) -> int:
        """Allocate memory that all agents can access, as far as the machine lets them."""
        address = allocate_block(fixtures, pool)
        model = self._session.model
        agents = (agent.handle for agent in model.live("agent"))
        able = (a for a in agents if pool_access(model, a, pool.handle) != "never")
        allow_access(fixtures, able, address)
        return address

    def stated(self, function: Function) -> Iterator[tuple[str, str, Sequence[Clause]]]:
        """Yield the kinds of memory that a function's clauses speak of, with what they say.

        That is a parameter, the kind, and the clauses that hold for a call with such memory. Where
        no condition speaks of it, but that it is not NULL, the kind is plain memory and there are
        none; unless an agent is to use the memory, which may be out of its reach.
        """
        for parameter in (p for p in function.params if is_memory(p, function)):
            speaking = [c for c in function.clauses if c.status and _terms(c.when, parameter.name)]
            if not speaking and not any(p.type == "hsa_agent_t" for p in function.params):
                yield parameter.name, PLAIN, ()
            for name, addresses in self.addresses.items():
                for address in addresses:
                    for holding in self._stated(function, parameter, speaking, address):
                        yield parameter.name, name, holding

    def _stated(
        self, function: Function, parameter: Parameter, clauses: Sequence[Clause], address: int
    ) -> Iterator[Sequence[Clause]]:
        """Yield the clauses that hold for an address as far as it decides, if one of them binds."""
        for args in self._calls(function, parameter, address):
            holding = [c for c in clauses if self._holds(c, function, parameter, args)]
            bound = any(c.strength in _BINDING for c in holding)
            if bound and not any(c.strength is Strength.UNDEFINED or c.open for c in holding):
                yield holding

    def _calls(
        self, function: Function, parameter: Parameter, address: int
    ) -> Iterator[Mapping[str, int]]:
        """Yield what the memory may have to go with: each agent and enumerator, and its size."""
        agents = [agent.handle for agent in self._session.model.live("agent")]
        enums = self._session.registry.enums
        options = {parameter.name: [address]}
        for other in function.params:
            if other.type == "hsa_agent_t":
                options[other.name] = agents
            elif other.type in enums:
                options[other.name] = known_values(self._session, other.type)
            elif other.role == "size":
                options[other.name] = [self._session.model.unit]
        for values in product(*options.values()):
            yield dict(zip(options, values, strict=True))

    def _holds(
        self, clause: Clause, function: Function, parameter: Parameter, args: Mapping[str, int]
    ) -> bool:
        """Return whether what a clause asks of the memory holds, all else being as it wants it."""
        names = [p.name for p in function.params]
        numbers = [args.get(name, 1) for name in names]
        asked = [a for a in clause.when if not is_state(a) and a.arguments <= args.keys()]
        try:
            return bool(_terms(asked, parameter.name)) and all(
                compile_atom(atom, names)(self._session.model, numbers) for atom in asked
            )
        except ProvesNothing:
            return False


def _terms(atoms: Sequence[Atom], name: str) -> list[Atom]:
    """Return the conditions that ask for more of a parameter than to be a number like others."""
    return [a for a in atoms if name in a.arguments and not isinstance(a.node, Compare)]
