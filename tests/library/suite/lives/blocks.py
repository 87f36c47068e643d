"""Mistakes about blocks of pools and regions."""

from __future__ import annotations

from hsa_reference import memory
from tests.wrong.functions import PAGE, SUCCESS, Cases, Function, Functions, handle_at, of

POOL = ("hsa_amd_memory_pool_allocate", "hsa_amd_memory_pool_free")

REGION = ("hsa_memory_allocate", "hsa_memory_free")


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


def allocating_spoils_a_neighbour(f: Functions, allocate: str) -> dict[str, Function]:
    """Clear the start of the first block when another one is allocated."""
    first: list[int] = []

    def give(*arguments: int) -> int:
        answer = f[allocate](*arguments)
        if answer == SUCCESS:
            if first and memory.peek(first[0], 8) not in (None, bytes(8)):
                memory.store(first[0], 0, 8)
            first.append(handle_at(arguments[-1]))
        return answer

    return {allocate: give}


def registering_spoils(f: Functions) -> dict[str, Function]:
    """Clear the start of a range that is registered once another one is."""
    name = "hsa_memory_register"
    registered: list[int] = []

    def register(ptr: int, size: int) -> int:
        answer = f[name](ptr, size)
        if answer == SUCCESS:
            registered.append(ptr)
            if len(registered) > 1 and memory.peek(ptr, 8) not in (None, bytes(8)):
                memory.store(ptr, 0, 8)
        return answer

    return {name: register}


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


MISTAKES: Cases = {
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
    "pools: allocating spoils a neighbour": (
        "hsa_amd_memory_pool_free/success",
        of(allocating_spoils_a_neighbour, POOL[0]),
        {"hsa_amd_memory_pool_allocate/usable-by-host"},
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
        | {"hsa_amd_agents_allow_access/pool-out-of-reach"}
        | {"hsa_amd_agents_allow_access/ptr-unknown"},  # of a block that was freed meanwhile
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
    "regions: allocating spoils a neighbour": (
        "hsa_memory_free/success",
        of(allocating_spoils_a_neighbour, REGION[0]),
        {"hsa_memory_allocate/usable"},
    ),
    "regions: registering spoils a block": (
        "hsa_memory_free/success",
        registering_spoils,
        {"hsa_memory_register/contents-kept"},
    ),
}
