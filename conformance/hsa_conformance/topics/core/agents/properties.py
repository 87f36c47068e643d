"""The traversal of the agents, and the attributes that every agent has."""

from __future__ import annotations

import struct
from typing import Final

from hsa_conformance.engine.calls.comparing import is_padded, is_text
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.attributes import (
    ask,
    ask_where_answered,
    attributes,
    content,
    is_power_of_two,
    number,
    require_bool,
    require_named,
    require_no_overrun,
)
from hsa_conformance.topics.shared.traversal import Traversal, require_known

proves = Proofs()

QUERY: Final = "hsa_agent_get_info"
ENUMS: Final = ("hsa_agent_info_t", "hsa_amd_agent_info_t", "hsa_ext_agent_info_t")


def _traversal(scene: Scene) -> Traversal:
    return Traversal(scene, "hsa_iterate_agents", "hsa_agent_callback")


@proves("hsa_iterate_agents/once-per-agent")
def each_agent_is_reported_once(scene: Scene) -> None:
    """Each agent is reported once, and every traversal reports the same agents.

    None is missing that the library claims to list, or that its release knows.
    """
    _traversal(scene).reports_once({int(a.handle) for a in known_agents(scene)})
    for kind, expected in scene.session.expected_agents.items():
        listed = len(known_agents(scene, kind))
        scene.require(
            listed >= expected.count, f"{expected.words}, and fewer are reported", f"{listed}"
        )


@proves("agent/host-is-listed")
def a_cpu_is_among_the_agents(scene: Scene) -> None:
    """One or more of the agents that are listed are CPUs."""
    found = [agent.device for agent in known_agents(scene)]
    scene.require("cpu" in found, "no agent is a CPU", ", ".join(found) or "no agent")


@proves("hsa_iterate_agents/valid-agents")
def what_is_reported_can_be_queried(scene: Scene) -> None:
    """Each handle that the traversal reports is an agent that has a device type."""
    answers = [
        ask(scene, QUERY, "HSA_AGENT_INFO_DEVICE", agent=handle)
        for handle in _traversal(scene).handles()
    ]
    require_known(scene, answers, "HSA_STATUS_ERROR_INVALID_AGENT")


@proves("hsa_iterate_agents/passes-data")
def agents_come_with_the_data_of_the_caller(scene: Scene) -> None:
    """Each call of the callback gets the caller's data unchanged, NULL included."""
    _traversal(scene).passes_data()


@proves("hsa_iterate_agents/stops")
def the_callback_ends_the_traversal_of_agents(scene: Scene) -> None:
    """No agent is reported after the callback answers anything but success."""
    _traversal(scene).stops()


@proves("hsa_iterate_agents/returns-callback-status")
def the_traversal_of_agents_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal of agents answers the status with which the callback ended it."""
    _traversal(scene).returns_callback_status()


@proves("hsa_agent_get_info/value-size", examples=20)
def nothing_is_written_behind_an_agents_value(scene: Scene) -> None:
    """A query of an agent leaves the bytes behind the attribute's type as they were."""
    agent = scene.choose(known_agents(scene))
    attribute = scene.choose(attributes(scene.session, *ENUMS))
    require_no_overrun(scene, ask(scene, QUERY, attribute, agent=agent.handle), attribute)


@proves("hsa_agent_get_info/value-bool", examples=4)
def an_agents_bool_is_stored_as_0_or_1(scene: Scene) -> None:
    """An attribute of type bool is stored as 0 or 1."""
    agent = scene.choose(known_agents(scene))
    names = attributes(scene.session, *ENUMS, value_type="bool")
    attribute = scene.available(names, "attribute that is a bool")
    answer = ask_where_answered(scene, QUERY, attribute, agent=agent.handle)
    require_bool(scene, answer, attribute)


def _require_padded_text(scene: Scene, attribute: str) -> None:
    text = content(scene, QUERY, attribute, agent=scene.choose(known_agents(scene)).handle)
    scene.require(b"\0" in text, f"{attribute} has more than 63 characters", text)
    scene.require(is_text(text), f"{attribute} is not text", text)
    scene.require(is_padded(text), f"{attribute} is followed by bytes other than NUL", text)


@proves("hsa_agent_get_info/name")
def the_name_is_padded_with_nul(scene: Scene) -> None:
    """The name of an agent is text, padded with NUL bytes up to 64 bytes."""
    _require_padded_text(scene, "HSA_AGENT_INFO_NAME")


@proves("hsa_agent_get_info/vendor-name")
def the_vendors_name_is_padded_with_nul(scene: Scene) -> None:
    """The vendor's name of an agent is text, padded with NUL bytes up to 64 bytes."""
    _require_padded_text(scene, "HSA_AGENT_INFO_VENDOR_NAME")


@proves("hsa_agent_get_info/feature")
def features_are_bits_with_names(scene: Scene) -> None:
    """The features of an agent have only bits that the header defines."""
    agent = scene.choose(known_agents(scene))
    features = number(scene, QUERY, "HSA_AGENT_INFO_FEATURE", agent=agent.handle)
    named = sum(scene.session.registry.enums["hsa_agent_feature_t"].values)
    scene.require(
        features & ~named == 0, "bits outside hsa_agent_feature_t are set", f"{features:#x}"
    )


def _require_named(scene: Scene, attribute: str) -> None:
    agent = scene.choose(known_agents(scene))
    value = number(scene, QUERY, attribute, agent=agent.handle)
    require_named(scene, value, attribute)


@proves("hsa_agent_get_info/device")
def the_device_type_has_a_name(scene: Scene) -> None:
    """The device type of an agent is an enumerator of the header."""
    _require_named(scene, "HSA_AGENT_INFO_DEVICE")


@proves("hsa_agent_get_info/machine-model")
def the_agents_machine_model_has_a_name(scene: Scene) -> None:
    """The machine model of an agent is an enumerator of the header."""
    _require_named(scene, "HSA_AGENT_INFO_MACHINE_MODEL")


@proves("hsa_agent_get_info/profile")
def the_profile_has_a_name(scene: Scene) -> None:
    """The profile of an agent is an enumerator of the header."""
    _require_named(scene, "HSA_AGENT_INFO_PROFILE")


@proves("hsa_agent_get_info/queue-type")
def the_queue_type_has_a_name(scene: Scene) -> None:
    """The queue type of an agent is an enumerator of the header."""
    _require_named(scene, "HSA_AGENT_INFO_QUEUE_TYPE")


@proves("hsa_agent_get_info/rounding-mode")
def the_rounding_mode_is_zero_or_near(scene: Scene) -> None:
    """The default rounding mode of an agent is ZERO or NEAR."""
    agent = scene.choose(known_agents(scene))
    attribute = "HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE"
    mode = number(scene, QUERY, attribute, agent=agent.handle)
    modes = scene.session.registry.enums["hsa_default_float_rounding_mode_t"]
    allowed = [modes[f"HSA_DEFAULT_FLOAT_ROUNDING_MODE_{name}"] for name in ("ZERO", "NEAR")]
    scene.require(mode in allowed, "the default rounding mode is neither zero nor near", mode)


def _agents_with(scene: Scene, features: int) -> list[int]:
    """Return the agents that have any of these bits of hsa_agent_feature_t."""
    return [
        a.handle
        for a in known_agents(scene)
        if number(scene, QUERY, "HSA_AGENT_INFO_FEATURE", agent=a.handle) & features
    ]


@proves("hsa_agent_get_info/queue-sizes")
def queue_sizes_are_powers_of_two_in_order(scene: Scene) -> None:
    """An agent's least and largest queue sizes are powers of two, the least no larger."""
    agent = scene.available(_agents_with(scene, 0xFFFFFFFF), "agent that runs packets")
    smallest = number(scene, QUERY, "HSA_AGENT_INFO_QUEUE_MIN_SIZE", agent=agent)
    largest = number(scene, QUERY, "HSA_AGENT_INFO_QUEUE_MAX_SIZE", agent=agent)
    scene.require(is_power_of_two(smallest), "the smallest size is no power of two", smallest)
    scene.require(is_power_of_two(largest), "the largest size is no power of two", largest)
    scene.require(
        smallest <= largest,
        "the smallest queue is larger than the largest",
        f"{smallest} and {largest} packets",
    )


def _kernel_agent(scene: Scene) -> int:
    """Return an agent that runs kernel dispatch packets."""
    bit = scene.session.registry.constants["HSA_AGENT_FEATURE_KERNEL_DISPATCH"]
    return scene.available(_agents_with(scene, bit), "kernel agent")


@proves("hsa_agent_get_info/wavefront-size")
def the_wavefront_size_is_a_power_of_two_up_to_256(scene: Scene) -> None:
    """The wavefront size of a kernel agent is a power of two from 1 to 256."""
    agent = _kernel_agent(scene)
    size = number(scene, QUERY, "HSA_AGENT_INFO_WAVEFRONT_SIZE", agent=agent)
    scene.require(
        is_power_of_two(size) and size <= 256,
        "the wavefront size is no power of two between 1 and 256",
        size,
    )


def _workgroup(scene: Scene, agent: int) -> tuple[int, ...]:
    attribute = "HSA_AGENT_INFO_WORKGROUP_MAX_DIM"
    return struct.unpack("<3H", content(scene, QUERY, attribute, agent=agent))


@proves("hsa_agent_get_info/workgroup-limits")
def a_work_group_is_no_longer_than_it_is_large(scene: Scene) -> None:
    """Each dimension of a work-group is at least 1, and at most the size of a work-group."""
    agent = _kernel_agent(scene)
    largest = number(scene, QUERY, "HSA_AGENT_INFO_WORKGROUP_MAX_SIZE", agent=agent)
    lengths = _workgroup(scene, agent)
    for length in scene.parts("dimension", dict(zip("xyz", lengths, strict=True))):
        scene.require(
            0 < length <= largest,
            f"a dimension of a work-group is 0 or exceeds the {largest} work-items in all",
            length,
        )


@proves("hsa_agent_get_info/grid-limits")
def a_grid_is_no_longer_than_it_is_large(scene: Scene) -> None:
    """Each dimension of a grid holds that of a work-group, and is at most the size of a grid."""
    agent = _kernel_agent(scene)
    largest = number(scene, QUERY, "HSA_AGENT_INFO_GRID_MAX_SIZE", agent=agent)
    grid = content(scene, QUERY, "HSA_AGENT_INFO_GRID_MAX_DIM", agent=agent)
    workgroup = _workgroup(scene, agent)
    lengths = zip(struct.unpack("<3I", grid), workgroup, strict=True)
    for length, least in scene.parts("dimension", dict(zip("xyz", lengths, strict=True))):
        scene.require(
            0 < length and least <= length <= largest,
            f"a dimension of a grid is 0, less than the {least} work-items of a work-group, or "
            f"more than the {largest} in all",
            length,
        )


@proves("hsa_agent_get_info/fbarriers")
def there_are_at_least_32_fbarriers(scene: Scene) -> None:
    """A work-group on a kernel agent can have at least 32 fbarriers."""
    count = number(scene, QUERY, "HSA_AGENT_INFO_FBARRIER_MAX_SIZE", agent=_kernel_agent(scene))
    scene.require(count >= 32, "a work-group can have fewer than 32 fbarriers", count)
