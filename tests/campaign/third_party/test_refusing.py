"""What the runtime of `tests/library/third_party/` is blamed for when it refuses calls."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.library.third_party.defects import defects
from tests.library.third_party.judging import judge
from tests.library.third_party.refusing import accused, refusing, waiting
from tests.samples import sample

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@pytest.mark.parametrize(
    ("function", "other"),
    sample(
        [
            ("hsa_iterate_agents", "hsa_signal_add_relaxed"),
            ("hsa_agent_get_info", "hsa_memory_register"),
            ("hsa_soft_queue_create", "hsa_queue_add_write_index_relaxed"),
            ("hsa_queue_create", "hsa_queue_cas_write_index_relaxed"),
            ("hsa_agent_iterate_regions", "hsa_queue_cas_write_index_relaxed"),
            ("hsa_isa_get_info", "hsa_isa_compatible"),
            ("hsa_system_get_info", "hsa_shut_down"),
        ],
        3,
    ),
)
def test_what_does_without_a_function_that_refuses_is_judged(
    function: str, other: str, tmp_path: Path
) -> None:
    """A function that refuses every call is blamed, nobody else is, and others can be judged."""
    select = ("--select", function, "--select", other)
    judged = judge(refusing(function, tmp_path), tmp_path / "run", *select)
    assert {function} == accused(judged)
    assert [] == waiting(judged, function)
    assert 1 == judged.status


def test_a_largest_queue_that_cannot_be_created_is_blamed(tmp_path: Path) -> None:
    """There is room for it: its size is the library's own word, and small."""
    [defect] = [d for d in defects() if d.name == "there is no room for the largest queue"]
    judged = judge(
        defect.library(tmp_path), tmp_path / "run", "--select", "hsa_queue_create/success"
    )
    assert "FAIL" == judged.verdicts["hsa_queue_create/success"]
