"""Mistakes about queues."""

from __future__ import annotations

from hsa_reference import memory
from tests.wrong.functions import SUCCESS, Cases, Function, Functions, handle_at


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


MISTAKES: Cases = {
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
}
