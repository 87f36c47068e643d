"""How Hypothesis makes an example that fails simpler: what it is asked for, and what it is not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, Unsatisfiable

from hsa_conformance.engine.calls.outcomes import Violation
from hsa_conformance.engine.generation.drawing import Draw

#: How many examples are drawn to find one that fails.
SEARCHED: Final = 20

_SETTINGS: Final = settings(
    max_examples=SEARCHED,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    # The attempt itself has budgets for time and waste.
    suppress_health_check=(
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
        HealthCheck.large_base_example,
    ),
    print_blob=False,
    report_multiple_bugs=False,
)


def by_hypothesis(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Draw:
    """Return what leaves to Hypothesis which values are drawn.

    Args:
        draw: what Hypothesis gives to a composite strategy, or its `st.data()` has.

    """
    return lambda choice: draw(choice.strategy(st))


def simplify(example: Callable[[Draw], bool], seed: str) -> None:
    """Look for an example that fails, and make it simpler as long as it does.

    Args:
        example: makes one, and raises a Violation where it fails; returns False where it proves
            nothing.
        seed: makes two runs draw the same.

    """

    @st.composite
    def drawn(draw: Callable[[st.SearchStrategy[object]], object]) -> None:
        # A strategy draws faster than what is drawn from `st.data()`.
        if not example(by_hypothesis(draw)):
            hypothesis.reject()

    search = hypothesis.given(drawn())(lambda _: None)
    # A failure that does not come back was noted when it came.
    with suppress(Violation, Flaky, Unsatisfiable):
        hypothesis.seed(seed)(_SETTINGS(search))()
