"""Long lives: what grows slowly in random programs of calls, and what does not."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance.engine.checks.random_programs import repeated_programs
from hsa_conformance.engine.checks.random_programs.repeated_programs import (
    LEAST,
    WINDOWS,
    Trend,
    trend,
    trends,
)
from hsa_conformance.engine.running.runner import Settings
from hsa_reports import Result
from hsa_spec import Registry
from tests.samples import WHOLE
from tests.wrong.inside import results

#: Seconds of a run: a few hundred rounds of a fake.
LENGTH = 6.0

Soak = Callable[..., list[Result]]


@pytest.fixture
def soak(registry: Registry, fake: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Soak:
    """Return a function that judges a clause about a fake that keeps something, in one program."""
    monkeypatch.setattr(repeated_programs, "PROGRAMS", 1)

    def soak(slug: str, **defines: object) -> list[Result]:
        library = fake("keeps", FAKE_KEEPS_IN="hsa_amd_memory_pool_free", **defines)
        settings = Settings(profile="soak", length=LENGTH)
        adapter = LibraryAdapter(library, registry)
        return results(adapter, registry, f"runtime/{slug}", settings=settings)

    return soak


def test_one_descriptor_in_many_rounds(soak: Soak) -> None:
    """What is kept each fifth time is found, with its slope, and whose it is."""
    [result] = soak("nothing-grows", FAKE_KEEPS=0, FAKE_KEEPS_EVERY=5)
    assert ("WARN", "file descriptor") == (result.verdict, result.failure and result.failure.got)
    assert result.failure
    assert "equal rounds of hsa_amd_memory_pool_free raise" in result.failure.summary


@pytest.mark.skipif(not WHOLE, reason="takes half a minute: run `tox -e whole`")
def test_rounds_that_take_longer_and_longer(soak: Soak) -> None:
    """A call that takes more time each time is found, though nothing is kept.

    Where others use the machine as well, it may take more than one run.
    """
    runs = (soak("no-slower", FAKE_KEEPS=5) for _ in range(4))
    assert any("WARN" == result.verdict for [result] in runs)


@pytest.mark.parametrize("slug", ["nothing-grows", "no-slower"])
def test_what_comes_and_goes(soak: Soak, slug: str) -> None:
    """What a library takes and gives back by chance is no growth."""
    assert ["PASS"] == [result.verdict for result in soak(slug, FAKE_KEEPS=4)]


def rounds(step: Callable[[int], float]) -> list[float]:
    return [step(n) for n in range(2 * LEAST * WINDOWS)]


def test_a_trend_has_its_slope() -> None:
    """What grows by one in four rounds does so by a quarter in each."""
    found = trend(rounds(lambda n: n // 4))
    assert isinstance(found, Trend)
    assert 0.2 < found.slope < 0.3


def test_noise_is_no_trend() -> None:
    """Of a thousand quantities that go up and down by chance, none seems to rise."""
    draw = random.Random(1)
    noise = [rounds(lambda _: draw.gauss(0, 1)) for _ in range(500)]
    walks = [list(accumulate(rounds(lambda _: draw.gauss(0, 1)))) for _ in range(500)]
    assert 0 == sum(trend(values) is not None for values in (*noise, *walks))


def test_a_little_slower_is_no_finding() -> None:
    """Rounds that get slower by a tenth in all may do so for the machine's sake."""
    slow = {"seconds of processor time": rounds(lambda n: 1 + n / 1280)}
    assert {} == trends(slow, "no-slower")
    slower = {"seconds of processor time": rounds(lambda n: 1 + n / 128)}
    assert ["seconds of processor time"] == list(trends(slower, "no-slower"))
    assert {} == trends(slower, "nothing-grows")
