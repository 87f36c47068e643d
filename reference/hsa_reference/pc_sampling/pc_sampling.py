"""Sampling sessions. No kernel runs that could be sampled, so there are never samples."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.attributes import pack
from hsa_reference.callbacks import iterate
from hsa_reference.core.agents import Agents
from hsa_reference.core.extensions import Extensions
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.handles import SAMPLING_SESSIONS
from hsa_reference.machine import SamplingModel
from hsa_reference.objects import Objects
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, OUT_OF_RESOURCES, SUCCESS, Answer


@dataclass
class Session:
    """A session: the agent that is sampled, and whether it is now."""

    agent: int
    runs: bool = False


class Sampling(Part):
    """How agents can be sampled, and the sessions.

    Attributes:
        sessions: by handle; an agent has one at a time.

    """

    def __init__(self, state: State) -> None:
        agents = state.part(Agents)
        self.sessions: Objects[int, Session] = Objects()
        self._serial = 0
        self._ways = {agents.handle[a.name]: a.sampling for a in state.machine.agents}
        extension = state.registry.constants["HSA_EXTENSION_AMD_PC_SAMPLING"]
        state.part(Extensions).limit(extension, lambda agent: bool(self._ways[agent]))
        # A client may keep the address of a configuration longer than its callback runs.
        self._listed = {
            agent: [ctypes.create_string_buffer(_packed(state, way)) for way in ways]
            for agent, ways in self._ways.items()
        }
        state.things["sampling_session"] = self.sessions.get
        state.facts["can_be_sampled"] = lambda agent: bool(self.available(agent))
        state.facts["sampling_supported"] = lambda agent, *way: bool(self._fitting(agent, *way))
        state.facts["sampling_is_reserved"] = lambda number, agent: any(
            number in way.reserved for way in self._ways[agent]
        )
        state.facts["is_being_sampled"] = self.is_sampled
        state.facts["sampling_runs"] = lambda session: self.sessions[session].runs

    def available(self, agent: int) -> Sequence[int]:
        """Return the addresses of the configurations that a new session can have."""
        if self.is_sampled(agent):
            return ()
        return [ctypes.addressof(each) for each in self._listed[agent]]

    def is_sampled(self, agent: int) -> bool:
        """Return whether an agent has a session."""
        return any(session.agent == agent for session in self.sessions.values())

    def was_reserved(self, number: int, agent: int, method: int, units: int, interval: int) -> bool:
        """Return whether the driver reserved an agent under a number for such a way."""
        return any(number in w.reserved for w in self._fitting(agent, method, units, interval))

    def create(self, agent: int) -> int:
        """Return the handle of a new session.

        Raises:
            OSError: there is no memory.

        """
        self._serial += 1
        self.sessions[SAMPLING_SESSIONS + self._serial] = Session(agent)
        return SAMPLING_SESSIONS + self._serial

    def release(self) -> None:
        """End every session."""
        self.sessions.clear()

    def _fitting(
        self, agent: int, method: int, units: int, interval: int
    ) -> Sequence[SamplingModel]:
        return [
            way
            for way in self._ways[agent]
            if (way.method, way.units) == (method, units)
            and way.min_interval <= interval <= way.max_interval
            and not (way.power_of_two and interval.bit_count() != 1)
        ]


PART = Sampling


@unlocked
def hsa_ven_amd_pcs_iterate_configuration(
    state: State, agent: int, configuration_callback: int, callback_data: int
) -> Answer:
    """Call the application with each way in which a session could sample an agent now."""
    with LOCK:
        available = state.part(Sampling).available(agent)
    return iterate(configuration_callback, available, callback_data)


def hsa_ven_amd_pcs_create(
    state: State,
    agent: int,
    method: int,
    units: int,
    interval: int,
    latency: int,
    buffer_size: int,
    data_ready_callback: int,
    client_callback_data: int,
    pc_sampling: int,
) -> Answer:
    """Make a session, which is stopped."""
    return _create(state, agent, pc_sampling)


def hsa_ven_amd_pcs_create_from_id(
    state: State,
    pcs_id: int,
    agent: int,
    method: int,
    units: int,
    interval: int,
    latency: int,
    buffer_size: int,
    data_ready_callback: int,
    client_callback_data: int,
    pc_sampling: int,
) -> Answer:
    """Make a session of what the driver has reserved for sampling in the same way."""
    sampling = state.part(Sampling)
    if not sampling.was_reserved(pcs_id, agent, method, units, interval):
        return INVALID_ARGUMENT
    return _create(state, agent, pc_sampling)


def _create(state: State, agent: int, pc_sampling: int) -> Answer:
    try:
        session = state.part(Sampling).create(agent)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(pc_sampling, session, 8)
    return SUCCESS


def hsa_ven_amd_pcs_destroy(state: State, pc_sampling: int) -> Answer:
    """End a session, whether it runs or not."""
    del state.part(Sampling).sessions[pc_sampling]
    return SUCCESS


def hsa_ven_amd_pcs_start(state: State, pc_sampling: int) -> Answer:
    """Let a session run."""
    state.part(Sampling).sessions[pc_sampling].runs = True
    return SUCCESS


def hsa_ven_amd_pcs_stop(state: State, pc_sampling: int) -> Answer:
    """Let a session run no longer."""
    state.part(Sampling).sessions[pc_sampling].runs = False
    return SUCCESS


def hsa_ven_amd_pcs_flush(state: State, pc_sampling: int) -> Answer:
    """Deliver the samples, of which there are none: the application is not called."""
    return SUCCESS


def _packed(state: State, way: SamplingModel) -> bytes:
    values = {
        "method": way.method,
        "units": way.units,
        "min_interval": way.min_interval,
        "max_interval": way.max_interval,
        "flags": state.registry.constants["HSA_VEN_AMD_PCS_CONFIGURATION_FLAGS_INTERVAL_POWER_OF_2"]
        * way.power_of_two,
    }
    return pack(state.registry, "hsa_ven_amd_pcs_configuration_t", values, "a way to sample")
