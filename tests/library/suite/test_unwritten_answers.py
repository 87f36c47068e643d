"""An answer of SUCCESS without the output that it has to write is a failure, wherever it is met."""

from __future__ import annotations

from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import SUCCESS, Function, Functions, mistaken
from tests.wrong.inside import results


def says_nothing(_: Functions) -> dict[str, Function]:
    """Answer SUCCESS, and write nothing."""
    return {"hsa_isa_compatible": lambda *_: SUCCESS}


def test_a_check_of_the_function_is_not_blocked_by_itself(registry: Registry) -> None:
    """A call that only prepares something in a check of its own function is judged, too."""
    found = results(mistaken(registry, says_nothing), registry, "hsa_isa_compatible/itself")
    assert {("hsa_isa_compatible/success", Verdict.FAIL)} == {(r.clause, r.verdict) for r in found}
