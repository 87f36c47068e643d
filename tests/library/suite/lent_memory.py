"""Mistakes with memory of the caller: kept where it was only lent, changed, or written around."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from hsa_reference import memory
from tests.wrong.functions import SUCCESS, Function, Functions, Mistake

INVALID_ARGUMENT = 0x1001


@dataclass(frozen=True)
class _Loan:
    """Memory that a call was given, as it was then."""

    address: int
    content: bytes

    @classmethod
    def of(cls, address: int, size: int) -> _Loan:
        return cls(address, ctypes.string_at(address, size))

    @property
    def now(self) -> bytes:
        return ctypes.string_at(self.address, len(self.content))


def access_descriptors(f: Functions) -> dict[str, Function]:
    """Answer the access to mapped memory from the caller's descriptors."""
    kept: dict[int, _Loan] = {}

    def give(va: int, size: int, desc: int, count: int) -> int:
        status = f["hsa_amd_vmem_set_access"](va, size, desc, count)
        if status == SUCCESS:
            kept[va] = _Loan.of(desc, 16 * count)
        return status

    def ask(va: int, perms: int, agent: int) -> int:
        status = f["hsa_amd_vmem_get_access"](va, perms, agent)
        if status == SUCCESS and va in kept and kept[va].now != kept[va].content:
            memory.store(perms, 0x5A, 4)
        return status

    return {"hsa_amd_vmem_set_access": give, "hsa_amd_vmem_get_access": ask}


def mask_of_units(f: Functions) -> dict[str, Function]:
    """Answer the mask of a queue's units from the caller's memory."""
    kept: dict[int, _Loan] = {}

    def give(queue: int, bits: int, mask: int) -> int:
        status = f["hsa_amd_queue_cu_set_mask"](queue, bits, mask)
        if status == SUCCESS:
            kept.pop(queue, None)
        if status == SUCCESS and bits:
            kept[queue] = _Loan.of(mask, bits // 8)
        return status

    def ask(queue: int, bits: int, mask: int) -> int:
        status = f["hsa_amd_queue_cu_get_mask"](queue, bits, mask)
        if status == SUCCESS and queue in kept:
            content = kept[queue].now[: bits // 8]
            ctypes.memmove(mask, content, len(content))
        return status

    return {"hsa_amd_queue_cu_set_mask": give, "hsa_amd_queue_cu_get_mask": ask}


def names_of_variables(f: Functions) -> dict[str, Function]:
    """Compare the name of a variable with those in the memory of earlier callers."""
    kept: list[_Loan] = []
    defined = 0x1014  # HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED

    def define(executable: int, agent: int, name: int, address: int) -> int:
        status = f["hsa_executable_agent_global_variable_define"](executable, agent, name, address)
        known = {each.now for each in kept}
        if status == SUCCESS:
            kept.append(_Loan.of(name, len(memory.text(name))))
        wrong = status == defined and memory.text(name) not in known
        return SUCCESS if wrong else status

    return {"hsa_executable_agent_global_variable_define": define}


def agents_with_access(f: Functions) -> dict[str, Function]:
    """Tell from the caller's array which agents can access a block."""
    kept: dict[int, _Loan] = {}

    def allow(count: int, agents: int, flags: int, ptr: int) -> int:
        status = f["hsa_amd_agents_allow_access"](count, agents, flags, ptr)
        if status == SUCCESS:
            kept[ptr] = _Loan.of(agents, 8 * count)
        return status

    def ask(ptr: int, info: int, alloc: int, count: int, accessible: int) -> int:
        status = f["hsa_amd_pointer_info"](ptr, info, alloc, count, accessible)
        if status == SUCCESS and count and ptr in kept and kept[ptr].now != kept[ptr].content:
            memory.store(count, 0, 4)
        return status

    return {"hsa_amd_agents_allow_access": allow, "hsa_amd_pointer_info": ask}


def image_descriptors(f: Functions) -> dict[str, Function]:
    """Look up what an image is like in the caller's descriptor."""
    kept: dict[int, _Loan] = {}

    def create(agent: int, descriptor: int, data: int, access: int, image: int) -> int:
        status = f["hsa_ext_image_create"](agent, descriptor, data, access, image)
        if status == SUCCESS:
            kept[memory.load(image, 8)] = _Loan.of(descriptor, 56)
        return status

    def export(agent: int, image: int, *rest: int) -> int:
        if image in kept and kept[image].now != kept[image].content:
            return INVALID_ARGUMENT
        return f["hsa_ext_image_export"](agent, image, *rest)

    return {"hsa_ext_image_create": create, "hsa_ext_image_export": export}


def changes(function: str, place: int) -> Mistake:
    """Return the mistake to change the memory of an input."""

    def mistake(f: Functions) -> dict[str, Function]:
        def wrong(*arguments: int) -> int:
            status = f[function](*arguments)
            if status == SUCCESS:
                memory.store(arguments[place], 0, 1)
            return status

        return {function: wrong}

    return mistake


def work_list(f: Functions) -> dict[str, Function]:
    """Move the signal that ended a wait to the front of the caller's list."""
    function = "hsa_amd_signal_wait_any"

    def wait(count: int, signals: int, *rest: int) -> int:
        index = f[function](count, signals, *rest)
        if 0 < index < count:
            first = memory.load(signals, 8)
            memory.store(signals, memory.load(signals + 8 * index, 8), 8)
            memory.store(signals + 8 * index, first, 8)
        return index

    return {function: wait}


def writes_before(function: str, place: int) -> Mistake:
    """Return the mistake to write before the start of an output."""

    def mistake(f: Functions) -> dict[str, Function]:
        def wrong(*arguments: int) -> int:
            status = f[function](*arguments)
            if status == SUCCESS:
                memory.store(arguments[place] - 1, 0, 1)
            return status

        return {function: wrong}

    return mistake
