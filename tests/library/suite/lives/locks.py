"""Mistakes about memory that is locked."""

from __future__ import annotations

from tests.wrong.functions import SUCCESS, Cases, Function, Functions


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


MISTAKES: Cases = {
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
}
