"""How Hypothesis draws the examples of a check: what it is asked for, and what it is not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from hsa_conformance.engine.generation.fixtures import Draw

#: Speed and waste are the campaign's own business: it has budgets for both.
_HEALTH_CHECKS: Final = (
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
)


def examples_of(body: Callable[[Draw], None], count: int, seed: str) -> Callable[[], None]:
    """Return what runs a body with drawn examples, and makes one that fails simpler.

    Args:
        body: one example.
        count: how many there are to be.
        seed: makes two runs draw the same.

    """
    example = hypothesis.given(_drawn(body))(_nothing_more)
    return _settings(count)(hypothesis.seed(seed)(example))


@st.composite
def _drawn(draw: Draw, body: Callable[[Draw], None]) -> None:
    """Run a body as a strategy: to draw inside one costs less than to draw from `st.data()`."""
    body(draw)


def _nothing_more(_: None) -> None:
    """Do nothing more: what an example is made of is drawn while it runs."""


@cache
def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=_HEALTH_CHECKS,
        print_blob=False,
        report_multiple_bugs=False,
    )
