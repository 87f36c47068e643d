"""Instruction set architectures of agents, their wavefronts, and attributes of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.amdgpu.target import Target, from_name
from hsa_reference.attributes import answer, defaults, pack_all
from hsa_reference.callbacks import iterate
from hsa_reference.core.agents import Agents
from hsa_reference.effects import unlocked
from hsa_reference.handles import ISAS, WAVEFRONTS
from hsa_reference.machine import IsaModel
from hsa_reference.state import Part, State
from hsa_reference.status import SUCCESS, Answer
from hsa_spec import Registry


@dataclass(frozen=True)
class Isa:
    """An instruction set architecture.

    Attributes:
        handle: its value.
        name: such as "AMD:amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-".
        wavefront: the handle of the kind of wavefronts that it has.
        attributes: their packed values, by attribute.

    """

    handle: int
    name: str
    wavefront: int
    attributes: Mapping[int, bytes]


class Isas(Part):
    """The instruction set architectures of agents and of code; those of one name are one.

    Attributes:
        by_handle: in the machine's order.
        by_name: likewise, by the bytes of their names.
        wavefronts: how many work-items wavefronts have, by their handle.

    """

    def __init__(self, state: State) -> None:
        constants = state.registry.constants
        agents = state.part(Agents)
        known = {isa.name: isa for a in state.machine.agents for isa in a.isas}
        self.wavefronts: dict[int, int] = {}
        self.by_name: dict[bytes, Isa] = {}
        self.by_handle: dict[int, Isa] = {}
        self._registry = state.registry
        self._prefix = state.machine.isa_prefix
        for isa in known.values():
            self._add(isa)
        self._of = {
            agents.handle[a.name]: [self.by_name[isa.name.encode("ascii")].handle for isa in a.isas]
            for a in state.machine.agents
        }
        agents.changing[constants["HSA_AGENT_INFO_ISA"]] = self._first
        state.things["isa"] = self.by_handle.get
        state.things["wavefront"] = self.wavefronts.get
        state.facts["names_isa"] = lambda address: memory.text(address) in self.by_name
        state.facts["has_call_convention"] = lambda _, index: index == 0

    def of(self, agent: int) -> list[int]:
        """Return the handles of what an agent runs, the best first."""
        return self._of[agent]

    def _first(self, agent: int) -> bytes:
        return next(iter(self.of(agent)), 0).to_bytes(8, "little")

    def of_code(self, target: Target) -> Isa:
        """Return the architecture that code is for; one that no agent runs is made for it."""
        for isa in self.by_name.values():
            if target.runs_on(from_name(isa.name)):
                return isa
        return self._add(IsaModel(f"{self._prefix}{target.processor}", target.wavefront, 0))

    def _add(self, model: IsaModel) -> Isa:
        handle, wavefront = ISAS + 1 + len(self.by_name), WAVEFRONTS + model.wavefront
        isa = Isa(handle, model.name, wavefront, _attributes(self._registry, model))
        self.by_name[model.name.encode("ascii")] = self.by_handle[handle] = isa
        self.wavefronts[wavefront] = model.wavefront
        return isa

    def runs(self, code: int, isa: int) -> bool:
        """Return whether code for one architecture runs where the other one does."""
        return any(
            {code, isa} <= set(known) and known.index(isa) <= known.index(code)
            for known in self._of.values()
        )


PART = Isas


@unlocked
def hsa_agent_iterate_isas(state: State, agent: int, callback: int, data: int) -> Answer:
    """Call the application with each architecture that an agent runs."""
    return iterate(callback, state.part(Isas).of(agent), data)


@unlocked
def hsa_isa_from_name(state: State, name: int, isa: int) -> Answer:
    """Write the handle of the architecture of a name."""
    memory.store(isa, state.part(Isas).by_name[memory.text(name)].handle, 8)
    return SUCCESS


@unlocked
def hsa_isa_get_info_alt(state: State, isa: int, attribute: int, value: int) -> Answer:
    """Write the value of an architecture's attribute."""
    return answer(state.part(Isas).by_handle[isa].attributes.get(attribute), value)


@unlocked
def hsa_isa_get_info(state: State, isa: int, attribute: int, index: int, value: int) -> Answer:
    """Write the value of an attribute; the index counts call conventions, of which there is one."""
    del index
    return hsa_isa_get_info_alt(state, isa, attribute, value)


@unlocked
def hsa_isa_get_exception_policies(state: State, isa: int, profile: int, mask: int) -> Answer:
    """Write no policy: nothing that runs here raises exceptions."""
    del state, isa, profile
    memory.store(mask, 0, 2)
    return SUCCESS


@unlocked
def hsa_agent_get_exception_policies(state: State, agent: int, profile: int, mask: int) -> Answer:
    """Write no policy; see `hsa_isa_get_exception_policies`."""
    return hsa_isa_get_exception_policies(state, agent, profile, mask)


@unlocked
def hsa_isa_get_round_method(
    state: State, isa: int, fp_type: int, flush_mode: int, round_method: int
) -> Answer:
    """Write that a multiply-add rounds once."""
    del isa, fp_type, flush_mode
    memory.store(round_method, state.registry.constants["HSA_ROUND_METHOD_SINGLE"], 4)
    return SUCCESS


@unlocked
def hsa_isa_iterate_wavefronts(state: State, isa: int, callback: int, data: int) -> Answer:
    """Call the application with the one kind of wavefront of an architecture."""
    return iterate(callback, [state.part(Isas).by_handle[isa].wavefront], data)


@unlocked
def hsa_wavefront_get_info(state: State, wavefront: int, attribute: int, value: int) -> Answer:
    """Write how many work-items a wavefront has; it has no other attribute."""
    del attribute
    memory.store(value, state.part(Isas).wavefronts[wavefront], 4)
    return SUCCESS


@unlocked
def hsa_isa_compatible(state: State, code_object_isa: int, agent_isa: int, result: int) -> Answer:
    """Write whether code for one architecture runs where the other one does."""
    memory.store(result, state.part(Isas).runs(code_object_isa, agent_isa), 1)
    return SUCCESS


def _attributes(registry: Registry, isa: IsaModel) -> Mapping[int, bytes]:
    name = isa.name.encode("ascii")
    values = {
        **defaults()["isa"],
        "HSA_ISA_INFO_NAME_LENGTH": len(name),
        "HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE": isa.wavefront,
        "HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT": isa.wavefronts,
    }
    enum = registry.enums["hsa_isa_info_t"]
    return {**pack_all(registry, [enum.name], values), enum["HSA_ISA_INFO_NAME"]: name}
