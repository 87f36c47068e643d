"""Mistakes about blocks and signals that processes share, and their descriptors."""

from __future__ import annotations

import ctypes

from hsa_reference import memory
from tests.wrong.functions import SUCCESS, Cases, Function, Functions, handle_at

IPC = "hsa_amd_ipc_memory"

SHARED = "hsa_amd_ipc_signal_attach"


def second_offset_is_zero(f: Functions) -> dict[str, Function]:
    """Say that a second range starts where its dma-buf does."""
    name = "hsa_amd_portable_export_dmabuf"
    made: list[int] = []

    def export(ptr: int, size: int, dmabuf: int, offset: int) -> int:
        answer = f[name](ptr, size, dmabuf, offset)
        if answer == SUCCESS:
            made.append(ptr)
            if len(made) > 1:
                memory.store(offset, 0, 8)
        return answer

    return {name: export}


def closes_twice(f: Functions) -> dict[str, Function]:
    """Answer success for a descriptor that was closed before."""
    name = "hsa_amd_portable_close_dmabuf"
    closed: set[int] = set()

    def close(descriptor: int) -> int:
        answer = f[name](descriptor)
        if answer == SUCCESS:
            closed.add(descriptor)
        return SUCCESS if descriptor in closed else answer

    return {name: close}


def exports_nothing_later(f: Functions) -> dict[str, Function]:
    """Refuse to export once a block was freed."""
    freed: list[int] = []
    export, free = "hsa_amd_portable_export_dmabuf", "hsa_amd_memory_pool_free"

    def give(ptr: int, *rest: int) -> int:
        return 0x1008 if freed and 0 not in (ptr, *rest) else f[export](ptr, *rest)

    def take(ptr: int) -> int:
        freed.append(ptr)
        return f[free](ptr)

    return {export: give, free: take}


def detaches_another(f: Functions) -> dict[str, Function]:
    """Detach what was attached first along with what was attached later."""
    live: list[int] = []

    def attach(*arguments: int) -> int:
        answer = f[f"{IPC}_attach"](*arguments)
        if answer == SUCCESS:
            live.append(handle_at(arguments[-1]))
        return answer

    def detach(address: int) -> int:
        if address in live[1:]:
            f[f"{IPC}_detach"](live.pop(0))
        if address in live:
            live.remove(address)
            f[f"{IPC}_detach"](address)
            return SUCCESS
        return f[f"{IPC}_detach"](address)

    return {f"{IPC}_attach": attach, f"{IPC}_detach": detach}


def forgets_agents_later(f: Functions) -> dict[str, Function]:
    """Give access to the first agent of a list alone once something was attached."""
    attached: list[int] = []

    def attach(name: int, size: int, count: int, *rest: int) -> int:
        answer = f[f"{IPC}_attach"](name, size, min(count, 1) if attached else count, *rest)
        if answer == SUCCESS:
            attached.append(name)
        return answer

    return {f"{IPC}_attach": attach}


def attaches_the_first(f: Functions) -> dict[str, Function]:
    """Attach the block of the first name for all others of its length."""
    names: dict[int, bytes] = {}

    def attach(name: int, size: int, *rest: int) -> int:
        content = memory.peek(name, 32) if name else None
        if content is None or not rest[-1]:
            return f[f"{IPC}_attach"](name, size, *rest)
        first = ctypes.create_string_buffer(names.setdefault(size, content), 32)
        if f[f"{IPC}_attach"](ctypes.addressof(first), size, *rest) == SUCCESS:
            return SUCCESS
        names[size] = content
        return f[f"{IPC}_attach"](name, size, *rest)

    return {f"{IPC}_attach": attach}


def second_is_a_copy(f: Functions) -> dict[str, Function]:
    """Give a signal of its own to whoever attaches to one a second time."""
    attached: list[bytes] = []

    def attach(name: int, signal: int) -> int:
        answer = f[SHARED](name, signal)
        content = memory.peek(name, 32) if answer == SUCCESS else None
        if content in attached:
            value = f["hsa_signal_load_scacquire"](handle_at(signal))
            return f["hsa_signal_create"](value, 0, 0, signal)
        attached.extend([content] if content else [])
        return answer

    return {SHARED: attach}


def letting_go_clears(f: Functions) -> dict[str, Function]:
    """Clear a signal when a process lets go of it that has attached to two."""
    attached: list[int] = []

    def attach(name: int, signal: int) -> int:
        answer = f[SHARED](name, signal)
        if answer == SUCCESS:
            attached.append(handle_at(signal))
        return answer

    def destroy(signal: int) -> int:
        if signal in attached[1:]:
            f["hsa_signal_store_relaxed"](signal, 0)
        return f["hsa_signal_destroy"](signal)

    return {SHARED: attach, "hsa_signal_destroy": destroy}


MISTAKES: Cases = {
    "shared blocks: what was attached first is detached with another": (
        "hsa_amd_ipc_memory_detach/success",
        detaches_another,
        {"hsa_amd_ipc_memory_detach/others-stay"},
    ),
    "shared blocks: later attachments are for one agent": (
        "hsa_amd_ipc_memory_detach/success",
        forgets_agents_later,
        {"hsa_amd_ipc_memory_attach/agents-access"},
    ),
    "shared blocks: another block is attached": (
        "hsa_amd_ipc_memory_detach/success",
        attaches_the_first,
        {"hsa_amd_ipc_memory_attach/same-bytes", "hsa_amd_ipc_memory_attach/outlives-creator"},
    ),
    "shared signals: a second attachment is another signal": (
        "hsa_amd_ipc_signal_attach/success",
        second_is_a_copy,
        {"hsa_amd_ipc_signal_attach/same-value"},
    ),
    "shared signals: letting go of one clears it": (
        "hsa_amd_ipc_signal_attach/success",
        letting_go_clears,
        {"hsa_amd_ipc_signal_attach/counted"},
    ),
    "dma-buf: a second range starts at 0": (
        "hsa_amd_portable_close_dmabuf/success",
        second_offset_is_zero,
        {"hsa_amd_portable_export_dmabuf/offset-inside"},
    ),
    "dma-buf: a descriptor is closed twice": (
        "hsa_amd_portable_close_dmabuf/success",
        closes_twice,
        {"hsa_amd_portable_close_dmabuf/not-open"},
    ),
    "dma-buf: nothing is exported once a block was freed": (
        "hsa_amd_portable_close_dmabuf/success",
        exports_nothing_later,
        {"hsa_amd_portable_export_dmabuf/success"},
    ),
}
