"""Mistakes about starting the runtime again."""

from __future__ import annotations

from tests.wrong.functions import SUCCESS, Cases, Function, Functions


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


MISTAKES: Cases = {
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
