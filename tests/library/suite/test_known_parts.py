"""A failure that a baseline explains hides none of another part of the same answer."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hsa_adapters import InProcessAdapter
from hsa_conformance.baselines import read_baseline
from hsa_reference import Runtime
from hsa_reports import Verdict
from hsa_spec import Registry
from hsa_spec.releases import Release
from tests.wrong.inside import running

CLAUSE = "hsa_agent_get_info/workgroup-limits"
QUERY, SUCCESS = "hsa_agent_get_info", 0
KNOWN = """
implementation: x
entries:
  - clause: hsa_agent_get_info/workgroup-limits
    verdict: FAIL
    got: "2048"
    values: [dimension=x]
    releases: "5.2.3..7.2.4"
    class: library
    reason: The first dimension is of another processor.
"""


def _adapter(registry: Registry, lengths: tuple[int, int, int]) -> InProcessAdapter:
    """Return the reference, whose work-groups are as long as is said."""
    wrong = registry.constants["HSA_AGENT_INFO_WORKGROUP_MAX_DIM"]

    def made() -> Mapping[str, Callable[..., int | None]]:
        right = Runtime(registry=registry).functions()

        def asked(agent: int, attribute: int, value: int) -> int | None:
            status = right[QUERY](agent, attribute, value)
            if attribute == wrong and status == SUCCESS:
                ctypes.memmove(value, struct.pack("<3H", *lengths), 6)
            return status

        return {**right, QUERY: asked}

    return InProcessAdapter("fake", made, registry)


@pytest.mark.parametrize(
    ("lengths", "news"),
    [
        ((2048, 1024, 1024), set()),
        ((2048, 1024, 4096), {"dimension=z"}),
        ((2048, 0, 1024), {"dimension=y"}),
    ],
)
def test_a_known_part_hides_no_other(
    registry: Registry, tmp_path: Path, lengths: tuple[int, int, int], news: set[str]
) -> None:
    """The first dimension fails as the baseline says; those after it are judged and blamed."""
    (tmp_path / "known.yaml").write_text(KNOWN)
    known = read_baseline(str(tmp_path / "known.yaml"), registry).expected(Release())
    assert known is not None
    with running(_adapter(registry, lengths), registry) as runner:
        results = [
            known.as_expected(r)
            for r in runner.run(registry.clauses[CLAUSE], explained=known.explains)
        ]
    assert {"dimension=x"} == {r.value for r in results if r.verdict is Verdict.XFAIL}
    assert news == {r.value for r in results if r.verdict is Verdict.FAIL}
