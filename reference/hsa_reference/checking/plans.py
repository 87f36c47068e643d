"""What of each function's calls is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hsa_reference.checking import lifetimes
from hsa_reference.checking.explaining import Clauses
from hsa_reference.checking.spans import Span, spans_of
from hsa_reference.checking.uses import names_of
from hsa_spec import Function, Registry
from hsa_spec.releases import Release


@dataclass(frozen=True)
class Plan:
    """What of a function's calls is looked at; found out once.

    Attributes:
        function: the function.
        clauses: its clauses.
        spans: yields the memory that a call uses.
        names: yields the objects that a call names.
        creations: what a success makes.
        descriptor_array: where queues are written into descriptors.
        releases: what a success gives back.
        place: the places of the parameters by their names.

    """

    function: Function
    clauses: Clauses
    spans: Callable[[Sequence[int]], Iterator[Span]] | None
    names: Callable[[Sequence[int]], Iterator[tuple[str, str, int]]] | None
    creations: tuple[lifetimes.CreatedObject, ...]
    descriptor_array: lifetimes.DescriptorArray | None
    releases: lifetimes.ReleasedObject | None
    place: Mapping[str, int]

    @classmethod
    def of(cls, function: Function, registry: Registry, release: Release) -> Plan:
        """Return the plan for a function; see `spans_of`."""
        return cls(
            function,
            Clauses(function),
            spans_of(function, registry, release),
            names_of(function),
            tuple(lifetimes.made_by(function)),
            lifetimes.described_by(function, registry),
            lifetimes.given_by(function),
            {p.name: i for i, p in enumerate(function.params)},
        )
