"""Libraries that are wrong in one circumstance: without an output, after an answer, in a crowd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import pytest

from hsa_adapters import Adapter, Ended
from hsa_adapters.calls import Call, Outcome, TimedOutcome
from hsa_adapters.protocol import Process
from hsa_conformance import subjects
from hsa_conformance.engine.calls.values import PATTERN
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.topics import TOPICS
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.library.suite.test_campaign import Counting

MAP, UNMAP = "hsa_amd_interop_map_buffer", "hsa_amd_interop_unmap_buffer"
NAME = "hsa_extension_get_name"
POOL = "hsa_amd_agent_memory_pool_get_info"
WAIT = "hsa_signal_wait_relaxed"

#: Where the two outputs of MAP stand that may be NULL.
METADATA_SIZE, METADATA = 6, 7
#: More threads than a careless library has places for.
MANY: Final = 32


class Careless(Counting):
    """An adapter for a library that is wrong in one way.

    Args:
        adapter: answers.
        spoil_process: makes a process wrong.

    """

    def __init__(self, adapter: Adapter, spoil_process: Callable[[Process], None]) -> None:
        super().__init__(adapter)
        self.spoil_process = spoil_process

    def _spoilt(self, process: Process) -> Process:
        process = super()._spoilt(process)
        self.spoil_process(process)
        return process


def leave_size_unwritten(process: Process) -> None:
    """Write no size of the metadata where nobody asks for the metadata."""
    honest = process.call

    def call(call: Call) -> Outcome:
        outcome = honest(call)
        if call.function != MAP or call.args[METADATA]:
            return outcome
        size = call.args[METADATA_SIZE]
        place = [start for start, _ in call.reads].index(size)  # type: ignore[arg-type]
        reads = [*outcome.reads]
        reads[place] = bytes([PATTERN]) * call.reads[place][1]
        return replace(outcome, reads=tuple(reads))

    process.call = call  # type: ignore[method-assign]


def keep_one_text(process: Process) -> None:
    """Put another text in the place of all that were told but the last."""
    honest, read = process.call, process.read
    told = list[int]()

    def call(call: Call) -> Outcome:
        outcome = honest(call)
        if call.function == NAME and not outcome.result:
            told.append(int.from_bytes(outcome.reads[0] or b"", "little"))
        return outcome

    def other(address: int, size: int) -> bytes | None:
        spoilt = address in told and address != told[-1]
        return b"another\0".ljust(size) if spoilt else read(address, size)

    process.call, process.read = call, other  # type: ignore[method-assign]


def close_twice(process: Process) -> None:
    """Close the file that was opened last with each mapping that is taken away."""
    honest, opened = process.call, process.open_file
    last = list[int]()

    def open_file(size: int, content: bytes = b"", *, readable: bool = True) -> int:
        last.append(opened(size, content, readable=readable))
        return last[-1]

    def call(call: Call) -> Outcome:
        if call.function == UNMAP and last:
            process.close_descriptor(last.pop())
        return honest(call)

    process.open_file, process.call = open_file, call  # type: ignore[method-assign]


def answer_another(process: Process) -> None:
    """Give each of two threads the answer of the other, if they ask about two pools."""
    honest = process.together

    def together(
        lanes: Sequence[Sequence[Call]], budget: float | None = None
    ) -> list[list[TimedOutcome]]:
        timed = [list(lane) for lane in honest(lanes, budget)]
        first, second = (lane[0] for lane in lanes[:2])
        both = first.function == second.function == POOL
        if both and first.args[0] == second.args[0] and first.args[2] == second.args[2]:
            one, other = timed[0][0], timed[1][0]
            if len(one.outcome.reads[0] or b"") == len(other.outcome.reads[0] or b""):
                timed[0][0] = replace(one, outcome=other.outcome)
        return timed

    process.together = together  # type: ignore[method-assign]


def have_few_places(process: Process) -> None:
    """Never come back from waits of more threads than there are places for."""
    honest = process.together

    def together(
        lanes: Sequence[Sequence[Call]], budget: float | None = None
    ) -> list[list[TimedOutcome]]:
        waits = [lane for lane in lanes if lane[0].function == WAIT]
        if len(waits) > MANY:
            raise Ended("HANG", waits[0][0], "the call did not return within its budget")
        return honest(lanes, budget)

    process.together = together  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("spoil", "clause", "check", "summary"),
    [
        (leave_size_unwritten, f"{MAP}/success", "satisfied", "where metadata is NULL"),
        (keep_one_text, f"{NAME}/same-answer", "asked again", "has changed at its address"),
        (close_twice, f"{UNMAP}/nothing-kept", "objects that were used", "closes a file"),
        (answer_another, f"{POOL}/threads", "several threads", "otherwise than in one thread"),
        (have_few_places, f"{WAIT}/returns-at-once", "relay", "did not return"),
    ],
)
def test_it_is_blamed(
    registry: Registry,
    spoil: Callable[[Process], None],
    clause: str,
    check: str,
    summary: str,
) -> None:
    """The check of the circumstance shows it; the same check passes on the honest library."""

    def verdict(adapter: Adapter) -> tuple[Verdict, str]:
        runner = Runner(adapter, registry, TOPICS, Settings(profile="quick"))
        try:
            checks = runner.checks.of(registry.clauses[clause])
            [found] = [each for each in checks if check in each.name]
            result = runner.campaign.run(found)
            return result.verdict, result.reason or ""
        finally:
            runner.close()

    reference = subjects.reference(None, registry)
    found, words = verdict(Careless(reference, spoil))
    assert found in (Verdict.FAIL, Verdict.WARN, Verdict.HANG)
    assert summary in words
    assert verdict(reference)[0] in (Verdict.PASS, Verdict.NOT_APPLICABLE)
