"""A runtime that some processes cannot start: the verdict of hsa_init, and the exit status."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from hsa_adapters.worker.library.facts import device
from hsa_reports import Run, Verdict, read_run
from tests.library.cli.commands import Command
from tests.samples import sample

INIT = "hsa_init/success"
FREE = "hsa_amd_vmem_address_free"
STALL, ABORT, ERROR = 0, 1, "0x1000"

Start = Callable[..., tuple[int, Run]]


@pytest.fixture
def start(program: Command, fake: Callable[..., Path], tmp_path: Path) -> Start:
    """Return a function that runs the suite on a library that does not start in some processes."""

    def start(
        how: object, first: int, last: int = 1000, select: str = FREE, *options: str, **more: str
    ) -> tuple[int, Run]:
        library = fake(
            "starts",
            **more,
            FAKE_START_COUNT=f'"{tmp_path / "count"}"',
            FAKE_START_FROM=first,
            FAKE_START_TO=last,
            FAKE_START_HOW=how,
        )
        words = ("--library", library, "--select", select, "--budget", "0.5", "--out", "out")
        done = program("hsa-conformance", "run", *words, *options)
        return done.status, read_run(tmp_path / "out")

    return start


@pytest.mark.parametrize(
    ("how", "verdict"),
    sample([(STALL, Verdict.HANG), (ABORT, Verdict.CRASH), (ERROR, Verdict.FAIL)], 2),
)
def test_a_runtime_that_starts_no_more_fails_the_run(
    start: Start, how: object, verdict: Verdict
) -> None:
    """It is a verdict of hsa_init with its steps, and blocks the rest by name."""
    status, run = start(how, first=3)

    assert (1, verdict) == (status, run.verdicts[INIT])
    [found] = run.by_clause[INIT]
    assert found.failure is not None
    assert ["hsa_init()"] == [step.call for step in found.failure.steps]
    blocked = {r.blocked_by for r in run.results if r.verdict is Verdict.BLOCKED}
    assert {INIT} == blocked


@pytest.mark.parametrize(
    ("how", "select"),
    sample([*product((STALL, ABORT, ERROR), ("hsa_shut_down/last-one-ends", "hsa_init"))], 3),
)
def test_a_start_that_fails_once_is_flaky(start: Start, how: object, select: str) -> None:
    """Fresh processes start, so the rest is judged all the same."""
    status, run = start(how, first=2, last=2, select=select)

    assert (1, Verdict.FLAKY) == (status, run.verdicts[INIT])
    others = {verdict for clause, verdict in run.verdicts.items() if clause != INIT}
    assert others <= {Verdict.PASS, Verdict.UNTESTED, Verdict.NOT_APPLICABLE}


def test_a_first_process_that_dies_is_looked_at_again(start: Start) -> None:
    """The process that finds the release is one like any other."""
    status, run = start(ABORT, first=1, last=1, select=f"{FREE}/size-zero")

    assert (1, Verdict.FLAKY) == (status, run.verdicts[INIT])
    assert Verdict.PASS is run.verdicts[f"{FREE}/size-zero"]


def test_a_runtime_that_never_starts_fails_the_run(start: Start) -> None:
    """Nothing can be judged, and it is known whose fault that is."""
    status, run = start(ABORT, first=1, select=f"{FREE}/size-zero")

    assert (1, Verdict.CRASH) == (status, run.verdicts[INIT])
    assert Verdict.BLOCKED is run.verdicts[f"{FREE}/size-zero"]


needs_no_device = pytest.mark.skipif(device(), reason="needs a machine without a device node")


@needs_no_device
@pytest.mark.parametrize(
    ("options", "more"),
    [
        ((), {"FAKE_START_NODE": '"/dev/kfd"'}),
        (("--release", "6.1.2"), {}),
    ],
    ids=["opens the node", "is ROCr"],
)
def test_a_refusal_without_a_device_explains_nothing(
    start: Start, options: tuple[str, ...], more: dict[str, str]
) -> None:
    """A machine without a device may be the reason, so nobody is blamed and nothing holds."""
    status, run = start("0x1008", 1, 1000, f"{FREE}/size-zero", *options, **more)

    assert 3 == status
    assert {Verdict.BLOCKED} == set(run.verdicts.values())


@needs_no_device
@pytest.mark.parametrize("options", [(), ("--expect-no-device",)])
def test_a_runtime_that_knows_no_device_lacks_none(start: Start, options: tuple[str, ...]) -> None:
    """Its hsa_init fails by itself, whatever is expected of the machine."""
    status, run = start("0x1008", 1, 1000, f"{FREE}/size-zero", *options)

    assert (1, Verdict.FAIL) == (status, run.verdicts[INIT])
    assert Verdict.BLOCKED is run.verdicts[f"{FREE}/size-zero"]
