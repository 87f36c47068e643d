"""Mistakes about signals, their groups and handlers."""

from __future__ import annotations

from tests.wrong.functions import SUCCESS, Cases, Function, Functions, handle_at

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


def keeps_a_bit(f: Functions) -> dict[str, Function]:
    """Let one of the operations, and no other, leave the lowest bit of the value as it was."""
    operation = "hsa_signal_and_release"
    return {operation: lambda signal, value: f[operation](signal, value | 1)}


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


MISTAKES: Cases = {
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
    "signals: a later one starts at 0": (
        "hsa_signal_destroy/success",
        second_value_is_lost,
        {"hsa_signal_create/initial-value", "hsa_signal_load_scacquire/value"},
    ),
    "signals: a group takes a signal with it": (
        "hsa_signal_destroy/success",
        group_takes_its_signals,
        {"hsa_signal_group_destroy/signals-live-on"},
    ),
    "signals: one operation keeps a bit": (
        "hsa_signal_destroy/success",
        keeps_a_bit,
        {"hsa_signal_and_release/value"},
    ),
    "signals: destroying one changes another": (
        "hsa_signal_destroy/success",
        destroying_touches_another,
        {"hsa_signal_load_scacquire/value"},
    ),
}
