"""Exception policies, and the rounding of mad."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.isas import generators as isas
from hsa_conformance.topics.shared.attributes import require_enumerator

proves = Proofs()

OF_AGENT = "hsa_agent_get_exception_policies"
OF_ISA = "hsa_isa_get_exception_policies"


def _value(scene: Scene, enum: str) -> int:
    return scene.choose(sorted(scene.session.registry.enums[enum].values))


@proves("hsa_isa_get_exception_policies/bits-known")
@proves("hsa_agent_get_exception_policies/bits-known")
def policies_are_bits_with_names(scene: Scene) -> None:
    """A mask of exception policies has only bits that the header defines."""
    if scene.clause.function == OF_ISA:
        subject = {"isa": isas.isa(scene)}
    else:
        subject = {"agent": scene.choose(known_agents(scene)).handle}
    profile = _value(scene, "hsa_profile_t")
    mask = scene.set_up(scene.clause.function, **subject, profile=profile, mask=Out()).number(
        "mask"
    )
    named = sum(scene.session.registry.enums["hsa_exception_policy_t"].values)
    scene.require(mask & ~named == 0, "bits outside hsa_exception_policy_t are set", f"{mask:#x}")


@proves("hsa_agent_get_exception_policies/first-isa")
def an_agents_policies_are_those_of_its_first_isa(scene: Scene) -> None:
    """An agent's exception policies are those of its first architecture, for every profile."""
    first = [a.handle for a in known_agents(scene) if isas.reported(scene, a.handle)]
    agent = scene.available(first, "agent with an instruction set architecture")
    profile = _value(scene, "hsa_profile_t")
    isa = isas.reported(scene, agent)[0]
    own = scene.set_up(OF_AGENT, agent=agent, profile=profile, mask=Out()).number("mask")
    other = scene.set_up(OF_ISA, isa=isa, profile=profile, mask=Out()).number("mask")
    scene.require(
        own == other,
        "the agent's policies are not those of its first architecture",
        f"{own:#x} and {other:#x}",
    )


@proves("hsa_isa_get_round_method/known")
def the_rounding_of_mad_has_a_name(scene: Scene) -> None:
    """The rounding method of mad is an enumerator of the header."""
    answer = scene.set_up(
        "hsa_isa_get_round_method",
        isa=isas.isa(scene),
        fp_type=_value(scene, "hsa_fp_type_t"),
        flush_mode=_value(scene, "hsa_flush_mode_t"),
        round_method=Out(),
    )
    require_enumerator(scene, answer.number("round_method"), "the method", "hsa_round_method_t")
