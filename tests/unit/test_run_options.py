"""What the command line of a run said is read from its events."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_conformance.run_options import option_value
from tests.campaign.reproduce.conftest import STARTED


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), None),
        (("--host", "sid"), "sid"),
        (("--host=sid",), "sid"),
        (("--host", "sid", "--hosts", "x", "--host=trixie=2"), "trixie=2"),
        (("--hsa-host=sid",), "sid"),
        (("--out", "host"), None),
    ],
)
def test_an_option_has_the_value_that_was_given_last(
    words: tuple[str, ...], expected: str | None
) -> None:
    """With a space or an equals sign before it, of the command or of pytest."""
    run = replace(STARTED, command=("hsa-conformance", "run", *words))
    assert expected == option_value(run, "host")
