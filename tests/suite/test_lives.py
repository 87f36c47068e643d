"""Mistakes over the reference that take a sequence of calls to show, and who is blamed for them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from hsa_conformance.engine import shortening
from hsa_conformance.engine.runner import Runner, Settings
from hsa_conformance.topics import TOPICS
from hsa_reference import memory
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.samples import sample
from tests.suite.mistaken import SUCCESS, Function, Functions, Mistake, mistaken


def handle_at(place: int) -> int:
    return memory.load(place, 8)


# A mistake gets the right functions, and returns wrong ones.


def forgets_to_free_again(f: Functions, free: str) -> dict[str, Function]:
    """Do nothing when a second block is freed."""
    freed: list[int] = []

    def wrong(ptr: int) -> int:
        freed.append(ptr)
        return SUCCESS if len(freed) == 2 else f[free](ptr)

    return {free: wrong}


def gives_out_what_lives(f: Functions, allocate: str, free: str) -> dict[str, Function]:
    """Once something was freed, give out a block that another one has, in the same pool."""
    live: dict[int, tuple[int, int]] = {}
    freed: list[int] = []

    def give(origin: int, size: int, *rest: int) -> int:
        shared = [a for a, (of, most) in live.items() if of == origin and size <= most]
        if freed and shared and rest[-1]:
            memory.store(rest[-1], shared[0], 8)
            return SUCCESS
        answer = f[allocate](origin, size, *rest)
        if answer == SUCCESS:
            live[handle_at(rest[-1])] = origin, size
        return answer

    def take(ptr: int) -> int:
        freed.append(ptr)
        live.pop(ptr, None)
        return f[free](ptr)

    return {allocate: give, free: take}


def spoils_a_neighbour(f: Functions, allocate: str, free: str) -> dict[str, Function]:
    """Clear the start of the oldest block when another one is freed."""
    live: list[int] = []

    def give(*arguments: int) -> int:
        answer = f[allocate](*arguments)
        if answer == SUCCESS:
            live.append(handle_at(arguments[-1]))
        return answer

    def take(ptr: int) -> int:
        answer = f[free](ptr)
        if ptr in live:
            live.remove(ptr)
            if live and memory.peek(live[0], 8) not in (None, bytes(8)):
                memory.store(live[0], 0, 8)
        return answer

    return {allocate: give, free: take}


def describes_the_neighbour(f: Functions) -> dict[str, Function]:
    """Where three blocks live, give the size of the first for all."""
    live: dict[int, int] = {}
    allocate, free = "hsa_amd_memory_pool_allocate", "hsa_amd_memory_pool_free"

    def give(pool: int, size: int, flags: int, ptr: int) -> int:
        answer = f[allocate](pool, size, flags, ptr)
        if answer == SUCCESS:
            live[handle_at(ptr)] = size
        return answer

    def take(ptr: int) -> int:
        live.pop(ptr, None)
        return f[free](ptr)

    def describe(ptr: int, info: int, *rest: int) -> int:
        answer = f["hsa_amd_pointer_info"](ptr, info, *rest)
        inner = any(a < ptr < a + size for a, size in live.items())
        if len(live) > 2 and inner:
            memory.store(info + 8, next(iter(live)), 8)
        return answer

    return {allocate: give, free: take, "hsa_amd_pointer_info": describe}


def describes_the_block_before(f: Functions) -> dict[str, Function]:
    """Take the first address behind a block for a part of it, once a block was freed."""
    freed: list[int] = []

    def take(ptr: int) -> int:
        freed.append(ptr)
        return f[POOL[1]](ptr)

    def describe(ptr: int, info: int, *rest: int) -> int:
        answer = f["hsa_amd_pointer_info"](ptr, info, *rest)
        unknown = answer == SUCCESS and memory.load(info + 4, 4) == 0
        if unknown and freed and ptr % PAGE == 0 and ptr not in freed:
            return f["hsa_amd_pointer_info"](ptr - 1, info, *rest)
        return answer

    return {POOL[1]: take, "hsa_amd_pointer_info": describe}


def keeps_the_first_list(f: Functions) -> dict[str, Function]:
    """Ignore a second list of agents for a block, after another block was given one."""
    name = "hsa_amd_agents_allow_access"
    seen: list[int] = []

    def allow(count: int, agents: int, flags: int, ptr: int) -> int:
        if flags == 0 and ptr in seen[:-1] and seen[-1] != ptr:
            return SUCCESS
        answer = f[name](count, agents, flags, ptr)
        if answer == SUCCESS:
            seen.append(ptr)
        return answer

    return {name: allow}


def unlocks_all(f: Functions) -> dict[str, Function]:
    """Unlock every range that overlaps the one to be unlocked."""
    locked: list[tuple[int, int]] = []

    def lock(host: int, size: int, *rest: int) -> int:
        answer = f["hsa_amd_memory_lock"](host, size, *rest)
        if answer == SUCCESS:
            locked.append((host, size))
        return answer

    def unlock(host: int) -> int:
        mine = next((one for one in locked if one[0] == host), None)
        if mine is None:
            return f["hsa_amd_memory_unlock"](host)
        for start, size in list(locked):
            if start < host + mine[1] and host < start + size and start != host:
                f["hsa_amd_memory_unlock"](start)
                locked.remove((start, size))
        locked.remove(mine)
        return f["hsa_amd_memory_unlock"](host)

    return {"hsa_amd_memory_lock": lock, "hsa_amd_memory_unlock": tolerant(unlock)}


def tolerant(unlock: Function) -> Function:
    """Answer success for what is not locked any more."""

    def wrong(host: int) -> int:
        unlock(host)
        return SUCCESS

    return wrong


def never_unlocks_the_second(f: Functions) -> dict[str, Function]:
    """Leave a second range locked that is to be unlocked."""
    name = "hsa_amd_memory_unlock"
    unlocked: list[int] = []

    def unlock(host: int) -> int:
        unlocked.append(host)
        return SUCCESS if len(unlocked) == 2 else f[name](host)

    return {name: unlock}


def loses_the_third(f: Functions) -> dict[str, Function]:
    """Lock only the first byte of a third range."""
    name = "hsa_amd_memory_lock"
    locked: list[int] = []

    def lock(host: int, size: int, *rest: int) -> int:
        answer = f[name](host, 1 if len(locked) == 2 and size else size, *rest)
        if answer == SUCCESS:
            locked.append(host)
        return answer

    return {name: lock}


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


IPC = "hsa_amd_ipc_memory"


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


SHARED = "hsa_amd_ipc_signal_attach"


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


HANDLER = "hsa_amd_signal_async_handler"


def later_handlers_wait_for_zero(f: Functions) -> dict[str, Function]:
    """Once a watched signal was destroyed, let handlers wait for 0."""
    watched: list[int] = []
    destroyed: list[int] = []

    def register(signal: int, condition: int, value: int, *rest: int) -> int:
        answer = f[HANDLER](signal, condition, 0 if destroyed else value, *rest)
        watched.append(signal)
        return answer

    def destroy(signal: int) -> int:
        if signal in watched:
            destroyed.append(signal)
        return f["hsa_signal_destroy"](signal)

    return {HANDLER: register, "hsa_signal_destroy": destroy}


def watches_the_first(f: Functions) -> dict[str, Function]:
    """Let the third handler of all watch the signal of the first."""
    watched: list[int] = []

    def register(signal: int, *rest: int) -> int:
        watched.append(signal)
        return f[HANDLER](watched[0] if len(watched) == 3 else signal, *rest)

    return {HANDLER: register}


def a_group_takes_handlers(f: Functions) -> dict[str, Function]:
    """Register no handler any more once a group was destroyed."""
    destroyed: list[int] = []

    def register(signal: int, *rest: int) -> int:
        return SUCCESS if destroyed else f[HANDLER](signal, *rest)

    def destroy(group: int) -> int:
        destroyed.append(group)
        return f["hsa_signal_group_destroy"](group)

    return {HANDLER: register, "hsa_signal_group_destroy": destroy}


def second_value_is_lost(f: Functions) -> dict[str, Function]:
    """Start a signal at 0 that is made after one was destroyed."""
    destroyed: list[int] = []

    def create(initial: int, *rest: int) -> int:
        return f["hsa_signal_create"](0 if destroyed else initial, *rest)

    def destroy(signal: int) -> int:
        destroyed.append(signal)
        return f["hsa_signal_destroy"](signal)

    return {"hsa_signal_create": create, "hsa_signal_destroy": destroy}


def group_takes_its_signals(f: Functions) -> dict[str, Function]:
    """Clear the first signal of a group that is destroyed."""
    groups: dict[int, int] = {}
    create, destroy = "hsa_signal_group_create", "hsa_signal_group_destroy"

    def make(count: int, signals: int, *rest: int) -> int:
        answer = f[create](count, signals, *rest)
        if answer == SUCCESS:
            groups[handle_at(rest[-1])] = handle_at(signals)
        return answer

    def end(group: int) -> int:
        answer = f[destroy](group)
        if group in groups:
            f["hsa_signal_store_relaxed"](groups.pop(group), 0)
        return answer

    return {create: make, destroy: end}


def destroying_touches_another(f: Functions) -> dict[str, Function]:
    """Add 1 to the oldest signal when another one is destroyed."""
    live: list[int] = []

    def create(*arguments: int) -> int:
        answer = f["hsa_signal_create"](*arguments)
        if answer == SUCCESS:
            live.append(handle_at(arguments[-1]))
        return answer

    def destroy(signal: int) -> int:
        answer = f["hsa_signal_destroy"](signal)
        if signal in live:
            live.remove(signal)
            if live:
                f["hsa_signal_add_relaxed"](live[0], 1)
        return answer

    return {"hsa_signal_create": create, "hsa_signal_destroy": destroy}


def id_is_used_again(f: Functions) -> dict[str, Function]:
    """Give a queue the id of one that was destroyed."""
    free: list[int] = []

    def create(*arguments: int) -> int:
        answer = f["hsa_queue_create"](*arguments)
        if answer == SUCCESS and free:
            memory.store(handle_at(arguments[-1]) + 32, free.pop(), 8)
        return answer

    def destroy(queue: int) -> int:
        number = handle_at(queue + 32) if queue and memory.peek(queue, 40) else None
        answer = f["hsa_queue_destroy"](queue)
        if answer == SUCCESS and number is not None:
            free.append(number)
        return answer

    return {"hsa_queue_create": create, "hsa_queue_destroy": destroy}


def index_of_another(f: Functions) -> dict[str, Function]:
    """Set the write index of the oldest queue back when another one is destroyed."""
    live: list[int] = []

    def create(*arguments: int) -> int:
        answer = f["hsa_queue_create"](*arguments)
        if answer == SUCCESS:
            live.append(handle_at(arguments[-1]))
        return answer

    def destroy(queue: int) -> int:
        answer = f["hsa_queue_destroy"](queue)
        if queue in live:
            live.remove(queue)
            if live:
                f["hsa_queue_store_write_index_screlease"](live[0], 3)
        return answer

    return {"hsa_queue_create": create, "hsa_queue_destroy": destroy}


def structure_of_another(f: Functions) -> dict[str, Function]:
    """Change the structure of the oldest queue when there are two others."""
    live: list[int] = []

    def create(*arguments: int) -> int:
        answer = f["hsa_queue_create"](*arguments)
        if answer == SUCCESS:
            live.append(handle_at(arguments[-1]))
            if len(live) == 3:
                memory.store(live[0] + 24, 1, 4)
        return answer

    def destroy(queue: int) -> int:
        if queue in live:
            live.remove(queue)
        return f["hsa_queue_destroy"](queue)

    return {"hsa_queue_create": create, "hsa_queue_destroy": destroy}


ITERATE = "hsa_ven_amd_loader_iterate_executables"
TABLE = "hsa_system_get_major_extension_table"


def forgets_the_others(f: Functions) -> dict[str, Function]:
    """Find no symbol of an executable any more once another one was destroyed."""
    destroyed: list[int] = []
    find, destroy = "hsa_executable_get_symbol_by_name", "hsa_executable_destroy"

    def look(executable: int, name: int, agent: int, symbol: int) -> int:
        if destroyed and executable and name and symbol:
            return 0x1014
        return f[find](executable, name, agent, symbol)

    def end(executable: int) -> int:
        answer = f[destroy](executable)
        if answer == SUCCESS:
            destroyed.append(executable)
        return answer

    return {find: look, destroy: end}


def two_handles(f: Functions) -> dict[str, Function]:
    """Refuse to create an executable after three."""
    made: list[int] = []
    name = "hsa_executable_create_alt"

    def create(*arguments: int) -> int:
        if len(made) == 3 and arguments[-1]:
            return 0x1008
        answer = f[name](*arguments)
        if answer == SUCCESS:
            made.append(handle_at(arguments[-1]))
        return answer

    return {name: create}


def says_frozen(f: Functions) -> dict[str, Function]:
    """Freeze the oldest executable along with another one."""
    made: list[int] = []
    create, freeze = "hsa_executable_create_alt", "hsa_executable_freeze"

    def make(*arguments: int) -> int:
        answer = f[create](*arguments)
        if answer == SUCCESS:
            made.append(handle_at(arguments[-1]))
        return answer

    def stop(executable: int, options: int) -> int:
        answer = f[freeze](executable, options)
        for oldest in made[:1] if answer == SUCCESS else ():
            f[freeze](oldest, 0)
        return answer

    return {create: make, freeze: stop}


def starts_only_twice(f: Functions) -> dict[str, Function]:
    """Fail to start for a third time."""
    count, starts = [0], [0]

    def init() -> int:
        if count[0] == 0 and starts[0] == 2:
            return 0x1008
        count[0] += 1
        starts[0] += count[0] == 1
        return f["hsa_init"]()

    def shut_down() -> int:
        answer = f["hsa_shut_down"]()
        count[0] -= answer == SUCCESS
        return answer

    return {"hsa_init": init, "hsa_shut_down": shut_down}


def loses_values_later(f: Functions) -> dict[str, Function]:
    """Start every signal at 0 once the runtime was started again."""
    starts: list[int] = []

    def init() -> int:
        starts.append(1)
        return f["hsa_init"]()

    def create(initial: int, *rest: int) -> int:
        return f["hsa_signal_create"](0 if len(starts) > 1 else initial, *rest)

    return {"hsa_init": init, "hsa_signal_create": create}


def counts_too_few(f: Functions) -> dict[str, Function]:
    """Shut down for good at the first of three references, if there was a shut-down before."""
    count, ended = [0], [0]

    def init() -> int:
        answer = f["hsa_init"]()
        count[0] += answer == SUCCESS
        return answer

    def shut_down() -> int:
        answer = f["hsa_shut_down"]()
        count[0] -= answer == SUCCESS
        if ended[0] and count[0] > 0:
            while f["hsa_shut_down"]() == SUCCESS:
                pass
        ended[0] += count[0] == 0
        return answer

    return {"hsa_init": init, "hsa_shut_down": shut_down}


MAP, UNMAP = "hsa_amd_vmem_map", "hsa_amd_vmem_unmap"


class Mapped:
    """What is mapped, and the right functions for it."""

    def __init__(self, functions: Functions) -> None:
        self.right = functions
        self.sizes: dict[int, int] = {}

    def map(self, va: int, size: int, *rest: int) -> int:
        """Map as it should be."""
        answer = self.right[MAP](va, size, *rest)
        if answer == SUCCESS:
            self.sizes[va] = size
        return answer

    def unmap(self, va: int, size: int) -> int:
        """Unmap as it should be."""
        answer = self.right[UNMAP](va, size)
        if answer == SUCCESS:
            self.sizes = {a: n for a, n in self.sizes.items() if not va <= a < va + size}
        return answer

    def is_row(self, va: int, size: int) -> bool:
        """Return whether these are several mappings."""
        ends = {a + n for a, n in self.sizes.items()}
        return va in self.sizes and self.sizes[va] < size and va + size in ends


def unmaps_only_the_first(f: Functions) -> dict[str, Function]:
    """Unmap only the first of several mappings."""
    known = Mapped(f)

    def unmap(va: int, size: int) -> int:
        return known.unmap(va, known.sizes[va] if known.is_row(va, size) else size)

    return {MAP: known.map, UNMAP: unmap}


def unmaps_before_it_refuses(f: Functions) -> dict[str, Function]:
    """Refuse to unmap several mappings once the first is gone."""
    known = Mapped(f)

    def unmap(va: int, size: int) -> int:
        if known.is_row(va, size):
            known.unmap(va, known.sizes[va])
            return 0x1001
        return known.unmap(va, size)

    return {MAP: known.map, UNMAP: unmap}


def unmaps_one_more(f: Functions) -> dict[str, Function]:
    """Unmap what follows several mappings, too."""
    known = Mapped(f)

    def unmap(va: int, size: int) -> int:
        row = known.is_row(va, size)
        answer = known.unmap(va, size)
        if row and va + size in known.sizes:
            known.unmap(va + size, known.sizes[va + size])
        return answer

    return {MAP: known.map, UNMAP: unmap}


def counts_a_row_once(f: Functions) -> dict[str, Function]:
    """Take a range for one in use once several of its mappings were unmapped together."""
    known = Mapped(f)
    rows: list[int] = []
    free = "hsa_amd_vmem_address_free"

    def unmap(va: int, size: int) -> int:
        rows.extend([va] if known.is_row(va, size) else [])
        return known.unmap(va, size)

    def give_back(va: int, size: int) -> int:
        return 0x1024 if any(va <= a < va + size for a in rows) else f[free](va, size)

    return {MAP: known.map, UNMAP: unmap, free: give_back}


SVM = "hsa_amd_svm"
PAGE = 4096


def sets_a_page_too_many(f: Functions) -> dict[str, Function]:
    """Set attributes of the page behind a range as well, once a range of three pages was set."""
    wide: list[int] = []

    def set_(ptr: int, size: int, *rest: int) -> int:
        wide.extend([size] if size > 2 * PAGE else [])
        return f[f"{SVM}_attributes_set"](ptr, size + PAGE if wide else size, *rest)

    return {f"{SVM}_attributes_set": set_}


def tells_the_first_page(f: Functions) -> dict[str, Function]:
    """Tell of a range what its first page has."""

    def get(ptr: int, size: int, *rest: int) -> int:
        return f[f"{SVM}_attributes_get"](ptr, min(size, 1), *rest)

    return {f"{SVM}_attributes_get": get}


def fetching_takes_access(f: Functions) -> dict[str, Function]:
    """Let a second prefetch take the first agent's access away that was given any."""
    let_in: list[int] = []
    fetched: list[int] = []

    def set_(ptr: int, size: int, pairs: int, count: int) -> int:
        words = memory.words(pairs, 2 * count) if pairs else ()
        let_in.extend(v for a, v in zip(words[::2], words[1::2], strict=True) if a >= 0x200)
        return f[f"{SVM}_attributes_set"](ptr, size, pairs, count)

    def fetch(ptr: int, size: int, *rest: int) -> int:
        answer = f[f"{SVM}_prefetch_async"](ptr, size, *rest)
        fetched.append(ptr)
        if answer == SUCCESS and len(fetched) > 1 and let_in:
            pair = (ctypes.c_uint64 * 2)(0x202, let_in[0])
            f[f"{SVM}_attributes_set"](ptr, size, ctypes.addressof(pair), 1)
        return answer

    return {f"{SVM}_attributes_set": set_, f"{SVM}_prefetch_async": fetch}


def waits_for_two_pages(f: Functions) -> dict[str, Function]:
    """Let a prefetch that waits be of the page before its range, too."""

    def fetch(ptr: int, size: int, agent: int, count: int, *rest: int) -> int:
        more = PAGE if count else 0
        return f[f"{SVM}_prefetch_async"](ptr - more, size + more, agent, count, *rest)

    return {f"{SVM}_prefetch_async": fetch}


def forgets_what_waits(f: Functions) -> dict[str, Function]:
    """Tell no place of a range once two prefetches have waited."""
    waited: list[int] = []

    def fetch(ptr: int, size: int, agent: int, count: int, *rest: int) -> int:
        waited.extend([ptr] if count else [])
        return f[f"{SVM}_prefetch_async"](ptr, size, agent, count, *rest)

    def get(ptr: int, size: int, pairs: int, count: int) -> int:
        answer = f[f"{SVM}_attributes_get"](ptr, size, pairs, count)
        if answer == SUCCESS and count and handle_at(pairs) == 5 and len(waited) > 1:
            memory.store(pairs + 8, 0, 8)
        return answer

    return {f"{SVM}_prefetch_async": fetch, f"{SVM}_attributes_get": get}


IMAGE, SAMPLER = "hsa_ext_image", "hsa_ext_sampler"


def destroying_clears_other_data(f: Functions) -> dict[str, Function]:
    """Clear the start of the data of the oldest image when another one is destroyed."""
    live: dict[int, int] = {}

    def creating(name: str) -> Function:
        def create(agent: int, form: int, data: int, *rest: int) -> int:
            answer = f[name](agent, form, data, *rest)
            if answer == SUCCESS:
                live[handle_at(rest[-1])] = data
            return answer

        return create

    def destroy(agent: int, image: int) -> int:
        answer = f[f"{IMAGE}_destroy"](agent, image)
        if live.pop(image, None) and live:
            memory.store(next(iter(live.values())), 0, 8)
        return answer

    names = (f"{IMAGE}_create", f"{IMAGE}_create_with_layout")
    return {**{name: creating(name) for name in names}, f"{IMAGE}_destroy": destroy}


def destroys_two_samplers(f: Functions) -> dict[str, Function]:
    """Destroy the oldest sampler of an agent with another one, where there are three."""
    live: list[tuple[int, int]] = []

    def creating(name: str) -> Function:
        def create(agent: int, form: int, out: int) -> int:
            answer = f[name](agent, form, out)
            if answer == SUCCESS:
                live.append((agent, handle_at(out)))
            return answer

        return create

    def destroy(agent: int, sampler: int) -> int:
        if (agent, sampler) in live:
            live.remove((agent, sampler))
            if len(live) > 1:
                f[f"{SAMPLER}_destroy"](*live[0])
        return f[f"{SAMPLER}_destroy"](agent, sampler)

    names = (f"{SAMPLER}_create", f"{SAMPLER}_create_v2")
    return {**{name: creating(name) for name in names}, f"{SAMPLER}_destroy": destroy}


def words_at(place: int, count: int) -> list[int]:
    return [memory.load(place + 4 * i, 4) for i in range(count)]


def copies_too_few_slices(f: Functions) -> dict[str, Function]:
    """Copy the first slice of several alone."""

    def copy(agent: int, source: int, start: int, target: int, to: int, extent: int) -> int:
        if not extent or source == target:
            return f[f"{IMAGE}_copy"](agent, source, start, target, to, extent)
        width, height, _ = words_at(extent, 3)
        first = (ctypes.c_uint32 * 3)(width, height, 1)
        return f[f"{IMAGE}_copy"](agent, source, start, target, to, ctypes.addressof(first))

    return {f"{IMAGE}_copy": copy}


def clears_a_row_too_many(f: Functions) -> dict[str, Function]:
    """Clear the row before a part as well."""

    def clear(agent: int, image: int, data: int, region: int) -> int:
        if not region:
            return f[f"{IMAGE}_clear"](agent, image, data, region)
        x, y, z, width, height, depth = words_at(region, 6)
        more = min(y, 1)
        part = (ctypes.c_uint32 * 6)(x, y - more, z, width, height + more, depth)
        return f[f"{IMAGE}_clear"](agent, image, data, ctypes.addressof(part))

    return {f"{IMAGE}_clear": clear}


POOL = ("hsa_amd_memory_pool_allocate", "hsa_amd_memory_pool_free")
REGION = ("hsa_memory_allocate", "hsa_memory_free")


def of(mistake: Callable[..., Any], *names: str) -> Mistake:
    """Return a mistake in certain functions."""
    return lambda functions: mistake(functions, *names)


#: By what is called wrongly: where it is found, the mistake, and which clauses may be blamed.
MISTAKES: Mapping[str, tuple[str, Mistake, set[str]]] = {
    "pools: a second block is not freed": (
        "hsa_amd_memory_pool_free/success",
        of(forgets_to_free_again, POOL[1]),
        {"hsa_amd_pointer_info/freed-block"},
    ),
    "pools: a block is given out twice": (
        "hsa_amd_memory_pool_free/success",
        of(gives_out_what_lives, *POOL),
        {"hsa_amd_memory_pool_allocate/blocks-apart", "hsa_amd_pointer_info/block-size"},
    ),
    "pools: freeing spoils a neighbour": (
        "hsa_amd_memory_pool_free/success",
        of(spoils_a_neighbour, *POOL),
        {"hsa_amd_memory_pool_free/others-unharmed"},
    ),
    "pools: the inside of a third block is another's": (
        "hsa_amd_memory_pool_free/success",
        describes_the_neighbour,
        {"hsa_amd_pointer_info/block-base", "hsa_amd_pointer_info/block-agent-base"},
    ),
    "pools: the first address behind a block is its own": (
        "hsa_amd_memory_pool_free/success",
        describes_the_block_before,
        {"hsa_amd_pointer_info/covers", "hsa_amd_pointer_info/freed-block"},
    ),
    "pools: a later list is ignored for a block of before": (
        "hsa_amd_memory_pool_free/success",
        keeps_the_first_list,
        {"hsa_amd_agents_allow_access/grants-access"}
        | {"hsa_amd_agents_allow_access/takes-access-away"}
        | {"hsa_amd_agents_allow_access/pool-out-of-reach"},
    ),
    "locks: unlocking ends what overlaps": (
        "hsa_amd_memory_unlock/success",
        unlocks_all,
        {"hsa_amd_memory_lock/nests", "hsa_amd_memory_lock/whole-range"}
        | {"hsa_amd_pointer_info/locked"},
    ),
    "locks: a second range stays locked": (
        "hsa_amd_memory_unlock/success",
        never_unlocks_the_second,
        {"hsa_amd_pointer_info/unknown"},
    ),
    "locks: a third range is locked in part": (
        "hsa_amd_memory_unlock/success",
        loses_the_third,
        {"hsa_amd_memory_lock/whole-range"},
    ),
    "virtual memory: only the first of several is unmapped": (
        "hsa_amd_vmem_map/success",
        unmaps_only_the_first,
        {"hsa_amd_vmem_unmap/host-access-gone", "hsa_amd_vmem_address_free/success"}
        | {"hsa_amd_vmem_get_access/not-mapped", "hsa_amd_vmem_map/success"},
    ),
    "virtual memory: the first of several goes though they are refused": (
        "hsa_amd_vmem_map/success",
        unmaps_before_it_refuses,
        {"hsa_amd_vmem_unmap/failure-changes-nothing", "hsa_amd_vmem_unmap/success"}
        | {"hsa_amd_vmem_get_access/success", "hsa_amd_vmem_set_access/success"},
    ),
    "virtual memory: what follows several goes with them": (
        "hsa_amd_vmem_map/success",
        unmaps_one_more,
        {"hsa_amd_vmem_unmap/others-stay", "hsa_amd_vmem_unmap/success"}
        | {"hsa_amd_vmem_get_access/success", "hsa_amd_vmem_set_access/success"},
    ),
    "virtual memory: a range is in use after several are unmapped": (
        "hsa_amd_vmem_map/success",
        counts_a_row_once,
        {"hsa_amd_vmem_address_free/success"},
    ),
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
        {"hsa_amd_ipc_memory_attach/same-bytes", "hsa_amd_ipc_memory_detach/others-stay"}
        | {"hsa_amd_ipc_memory_attach/outlives-creator"}
        | {"hsa_amd_memory_pool_free/others-unharmed"},
    ),
    "shared signals: a second attachment is another signal": (
        "hsa_amd_ipc_signal_attach/success",
        second_is_a_copy,
        {"hsa_amd_ipc_signal_attach/same-value", "hsa_amd_ipc_signal_attach/counted"},
    ),
    "shared signals: letting go of one clears it": (
        "hsa_amd_ipc_signal_attach/success",
        letting_go_clears,
        {"hsa_amd_ipc_signal_attach/counted"},
    ),
    "handlers: later ones wait for another value": (
        f"{HANDLER}/success",
        later_handlers_wait_for_zero,
        {f"{HANDLER}/called-once-met", f"{HANDLER}/again"},
    ),
    "handlers: a third one watches another signal": (
        f"{HANDLER}/success",
        watches_the_first,
        {f"{HANDLER}/called-once-met", f"{HANDLER}/again"},
    ),
    "handlers: none is called after a group was destroyed": (
        f"{HANDLER}/success",
        a_group_takes_handlers,
        {f"{HANDLER}/called-once-met"},
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
    "images: destroying one clears the data of another": (
        f"{IMAGE}_destroy/success",
        destroying_clears_other_data,
        {f"{IMAGE}_destroy/data-stays"},
    ),
    "samplers: one goes with another": (
        f"{IMAGE}_destroy/success",
        destroys_two_samplers,
        {f"{SAMPLER}_destroy/others-unharmed"},
    ),
    "images: of several slices one is copied": (
        f"{IMAGE}_copy/success",
        copies_too_few_slices,
        {f"{IMAGE}_copy/copied", f"{IMAGE}_copy/rest-stays"},
    ),
    "images: the row before a part is cleared with it": (
        f"{IMAGE}_copy/success",
        clears_a_row_too_many,
        {f"{IMAGE}_clear/rest-stays", f"{IMAGE}_copy/rest-stays"}
        | {f"{IMAGE}_import/round-trip", f"{IMAGE}_export/image-stays", f"{IMAGE}_copy/copied"}
        | {f"{IMAGE}_clear/cleared"}
        | {f"{IMAGE}_create_with_layout/row-pitch-default"}
        | {f"{IMAGE}_create_with_layout/slice-pitch-default"},
    ),
    "ranges: attributes of a page too many are set": (
        f"{SVM}_attributes_set/success",
        sets_a_page_too_many,
        {f"{SVM}_attributes_set/reads-back", f"{SVM}_attributes_get/access-query"}
        | {f"{SVM}_attributes_get/indeterminate"},
    ),
    "ranges: the first page stands for all": (
        f"{SVM}_attributes_set/success",
        tells_the_first_page,
        {f"{SVM}_attributes_get/indeterminate", f"{SVM}_prefetch_async/location-pending"},
    ),
    "ranges: a prefetch takes access away": (
        f"{SVM}_attributes_set/success",
        fetching_takes_access,
        {f"{SVM}_attributes_get/access-query"},
    ),
    "ranges: the page before one that waits is at its place": (
        f"{SVM}_attributes_set/success",
        waits_for_two_pages,
        {f"{SVM}_prefetch_async/location-elsewhere", f"{SVM}_prefetch_async/location-pending"},
    ),
    "ranges: places are forgotten while others wait": (
        f"{SVM}_attributes_set/success",
        forgets_what_waits,
        {f"{SVM}_prefetch_async/location-elsewhere", f"{SVM}_prefetch_async/location-pending"},
    ),
    "regions: a second block is not freed": (
        "hsa_memory_free/success",
        of(forgets_to_free_again, REGION[1]),
        {"hsa_memory_free/block-gone"},
    ),
    "regions: a block is given out twice": (
        "hsa_memory_free/success",
        of(gives_out_what_lives, *REGION),
        {"hsa_memory_allocate/apart"},
    ),
    "regions: freeing spoils a neighbour": (
        "hsa_memory_free/success",
        of(spoils_a_neighbour, *REGION),
        {"hsa_memory_free/others-unharmed"},
    ),
    "signals: a later one starts at 0": (
        "hsa_signal_destroy/success",
        second_value_is_lost,
        {"hsa_signal_create/initial-value", "hsa_signal_load_scacquire/value"},
    ),
    "signals: a group takes a signal with it": (
        "hsa_signal_destroy/success",
        group_takes_its_signals,
        {"hsa_signal_group_destroy/signals-live-on", "hsa_signal_load_scacquire/value"},
    ),
    "signals: destroying one changes another": (
        "hsa_signal_destroy/success",
        destroying_touches_another,
        {"hsa_signal_load_scacquire/value", "hsa_signal_group_destroy/signals-live-on"},
    ),
    "queues: an id is used again": (
        "hsa_queue_destroy/success",
        id_is_used_again,
        {"hsa_queue_create/id-unique"},
    ),
    "queues: destroying one sets another's index": (
        "hsa_queue_destroy/success",
        index_of_another,
        {"hsa_queue_create/indices-zero", "hsa_queue_load_write_index_scacquire/value"},
    ),
    "queues: a third one changes the first": (
        "hsa_queue_destroy/success",
        structure_of_another,
        {"hsa_queue_create/type"},
    ),
    "executables: symbols go with another executable": (
        "hsa_executable_destroy/success",
        forgets_the_others,
        {"hsa_executable_get_symbol_by_name/success"},
    ),
    "executables: no fourth one is created": (
        "hsa_executable_destroy/success",
        two_handles,
        {"hsa_executable_create_alt/success"},
    ),
    "executables: another one is frozen as well": (
        "hsa_executable_destroy/success",
        says_frozen,
        {"hsa_executable_create_alt/unfrozen"}
        | {"hsa_executable_load_agent_code_object/success"}
        | {"hsa_executable_global_variable_define/success"}
        | {"hsa_executable_agent_global_variable_define/success"},
    ),
    "init: no third start": (
        "hsa_shut_down/success",
        starts_only_twice,
        {"hsa_init/starts-again"},
    ),
    "init: values are lost after a new start": (
        "hsa_shut_down/success",
        loses_values_later,
        {"hsa_signal_create/initial-value", "hsa_signal_load_scacquire/value"},
    ),
    "init: references are not counted after a new start": (
        "hsa_shut_down/success",
        counts_too_few,
        set(),
    ),
}


@pytest.fixture
def sequences(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that plays the sequences of a clause on a reference with a mistake.

    What Hypothesis draws depends on the modules that are loaded, so it plays many of them.
    """
    monkeypatch.setattr(shortening, "SHRINK_BUDGET", 1.0)

    def play(clause: str, mistake: Mistake, effort: float = 20) -> Result:
        runner = Runner(mistaken(registry, mistake), registry, TOPICS, Settings(seed=1))
        try:
            check = next(c for c in runner.checks.of(registry.clauses[clause]) if c.stepwise)
            return runner.campaign.run(replace(check, examples=effort * check.examples))
        finally:
            runner.close()

    return play


@pytest.mark.parametrize("mistake", sample(list(MISTAKES), 15))
def test_a_mistake_that_takes_several_calls_is_blamed(
    sequences: Callable[..., Result], mistake: str
) -> None:
    clause, wrong, blamed = MISTAKES[mistake]
    result = sequences(clause, wrong)
    assert result.verdict in {Verdict.FAIL, Verdict.WARN}
    assert result.clause in blamed or not blamed


def test_a_reference_without_a_mistake_passes(
    sequences: Callable[..., Result],
) -> None:
    for clause in dict.fromkeys(clause for clause, _, _ in MISTAKES.values()):
        assert "PASS" == sequences(clause, lambda _: {}, effort=1).verdict
