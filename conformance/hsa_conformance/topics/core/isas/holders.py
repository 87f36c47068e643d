"""Instruction sets and wavefronts, with the agents and processors that they are of."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_conformance.engine.checks.effects.relations import Holder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.core.agents.nodes import holders_of
from hsa_conformance.topics.core.isas import generators


def isas(fixtures: Fixtures) -> Sequence[Holder]:
    """Return the instruction sets of each agent."""
    return holders_of(fixtures, "isa", generators.reported)


def wavefronts(fixtures: Fixtures) -> Sequence[Holder]:
    """Return the wavefronts of each instruction set."""
    return [
        Holder(
            f"{holder.words}_wavefront{place}",
            {"wavefront": handle},
            {**holder.others, "isa": holder.arguments},
            holder.node,
        )
        for holder in isas(fixtures)
        for place, handle in enumerate(generators.wavefronts(fixtures, holder.arguments["isa"]), 1)
    ]
