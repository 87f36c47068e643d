"""The attributes that AMD adds to those of an agent."""

from __future__ import annotations

import re
from typing import Final

from hsa_conformance.engine.calls.comparing import between
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import INVALID_ARGUMENT
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.shared.attributes import ask_where_answered, number, require_named
from hsa_reports.demands import Answers
from hsa_spec import DecidedBy

proves = Proofs()

QUERY: Final = "hsa_agent_get_info"

#: Device types whose unique identifiers have a documented form.
IDENTIFIED: Final = ("cpu", "gpu", "dsp")

#: The attributes whose text speaks of an agent, of whatever kind, or of its memory.
OF_AGENTS: Final = (
    *("COMPUTE_UNIT_COUNT", "MAX_CLOCK_FREQUENCY", "BDFID", "DOMAIN", "PRODUCT_NAME", "UUID"),
    *("ASIC_REVISION", "ASIC_FAMILY_ID", "SVM_DIRECT_HOST_ACCESS", "MEMORY_AVAIL"),
    *("IOMMU_SUPPORT", "NUM_XCC", "MEMORY_PROPERTIES"),
)


@proves("hsa_agent_get_info/amd-attribute-of-agents")
def what_is_said_of_any_agent_is_answered(scene: Scene) -> None:
    """An attribute whose text speaks of any agent is no invalid one where an agent is no GPU."""
    session = scene.session
    names = [f"HSA_AMD_AGENT_INFO_{name}" for name in OF_AGENTS]
    known = {name: session.registry.constants[name] for name in names if _in_force(scene, name)}
    others = [a for a in known_agents(scene) if a.device != "gpu"]
    agent = scene.available(others, "agent but GPUs")
    attribute = scene.each("attribute", known)
    answer = scene.call(QUERY, agent=agent.handle, attribute=attribute, value=Out())
    scene.require(
        answer.name != INVALID_ARGUMENT,
        "an attribute of every agent is refused",
        answer.name,
        Answers(tuple(s for s in answer.function.documented if s != INVALID_ARGUMENT)),
    )


def _in_force(scene: Scene, attribute: str) -> bool:
    release, described = scene.session.release, scene.session.registry.attributes[attribute]
    return release.has(described.versions) is True and scene.session.offered_api.has_attribute(
        attribute
    )


@proves("hsa_agent_get_info/uuid")
def the_unique_identifier_names_the_device_type(scene: Scene) -> None:
    """An agent's UUID is short enough, and begins with its device type and a dash."""
    agent = scene.choose(known_agents(scene))
    answer = ask_where_answered(scene, QUERY, "HSA_AMD_AGENT_INFO_UUID", agent=agent.handle)
    text, end, _ = (answer.outputs["value"] or b"").partition(b"\0")
    scene.require(end != b"", "the identifier has more than 20 characters", text)
    if agent.device in IDENTIFIED:
        form = rf"{agent.device.upper()}-([0-9a-fA-F]{{16}}|XX)"
        scene.require(
            re.fullmatch(form.encode("ascii"), text) is not None,
            f"the identifier is not {agent.device.upper()}- and 16 hexadecimal digits or XX",
            text,
        )


@proves("hsa_agent_get_info/timestamp-frequency")
def the_agents_frequency_is_between_1_and_400_mhz(scene: Scene) -> None:
    """The frequency of an agent's timestamp lies between 1 and 400 MHz."""
    agent = scene.choose(known_agents(scene))
    attribute = "HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY"
    frequency = ask_where_answered(scene, QUERY, attribute, agent=agent.handle).number("value")
    scene.require(
        between(1_000_000, frequency, 400_000_000),
        "the frequency of the agent's timestamp is not between 1 MHz and 400 MHz",
        f"{frequency} Hz",
        # The timestamp of the host is no device's.
        decided_by=DecidedBy.RUNTIME if agent.device == "cpu" else None,
    )


@proves("hsa_agent_get_info/iommu")
def the_iommu_version_has_a_name(scene: Scene) -> None:
    """The IOMMU version of an agent is an enumerator of the header."""
    agent = scene.choose(known_agents(scene)).handle
    attribute = "HSA_AMD_AGENT_INFO_IOMMU_SUPPORT"
    version = ask_where_answered(scene, QUERY, attribute, agent=agent).number("value")
    require_named(scene, version, attribute)


@proves("hsa_agent_get_info/nearest-cpu")
def the_nearest_cpu_is_a_cpu_agent(scene: Scene) -> None:
    """The nearest CPU of a GPU agent is an agent of the machine, and a CPU."""
    nearest = number(scene, QUERY, "HSA_AMD_AGENT_INFO_NEAREST_CPU", agent=some_gpu(scene).handle)
    scene.require(
        nearest in [a.handle for a in known_agents(scene, "cpu")],
        "the nearest CPU is no agent of type CPU",
        f"{nearest:#x}",
    )


@proves("hsa_agent_get_info/scratch-limits")
def the_present_scratch_limit_is_within_the_largest(scene: Scene) -> None:
    """The scratch limit in force on a GPU is not above the largest that can be set."""
    gpu = some_gpu(scene).handle
    present = number(scene, QUERY, "HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT", agent=gpu)
    largest = number(scene, QUERY, "HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX", agent=gpu)
    scene.require(
        present <= largest,
        "the present scratch limit is greater than the largest",
        f"{present} and {largest} bytes",
    )
