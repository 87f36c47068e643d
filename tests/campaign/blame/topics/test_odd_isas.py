"""Agents that code cannot be made for: clauses with code say so, and accuse nobody."""

from __future__ import annotations

from dataclasses import replace

from hsa_adapters import InProcessAdapter
from hsa_reference import Runtime
from hsa_reference.machine import IsaModel
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.library.suite.one_at_a_time import one_at_a_time
from tests.wrong.inside import by_clause

QUIET = {Verdict.PASS, Verdict.UNTESTED, Verdict.NOT_APPLICABLE}


def test_an_architecture_that_nobody_knows_is_judged_without_code(registry: Registry) -> None:
    """Executables are judged as far as that goes without code; what needs some is left out."""
    usual = Runtime(registry=registry).machine
    foreign = IsaModel("ACME:dsp-9", wavefront=16, wavefronts=4)
    agents = tuple(
        replace(
            agent,
            isas=(foreign,),
            attributes={**agent.attributes, "HSA_AGENT_INFO_NAME": "ACME dsp-9"},
        )
        if agent.isas
        else agent
        for agent in usual.agents
    )
    machine = replace(usual, agents=agents)
    adapter = InProcessAdapter("foreign", lambda: Runtime(machine, registry).functions(), registry)
    topics = ["core/executables", "core/code_objects", "core/isas"]
    clauses = [c for c in one_at_a_time(registry, topics) if c.slug != "driver-refuses"]
    found = by_clause(adapter, registry, clauses)
    results = [result for each in found.values() for result in each]
    assert {} == {
        r.clause: (r.verdict, r.check, r.reason) for r in results if r.verdict not in QUIET
    }
    reasons = [r.reason for r in results if r.verdict is Verdict.NOT_APPLICABLE]
    assert "the machine has no GPU agent that code can be made for" in reasons
