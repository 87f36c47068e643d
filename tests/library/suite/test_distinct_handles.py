"""Objects that live at one time have handles of their own, or the library is blamed."""

from __future__ import annotations

from hsa_reference.memory import store
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import SUCCESS, Function, Functions, handle_at, honest, mistaken
from tests.wrong.inside import results

CREATE = "hsa_executable_create_alt"
HANDLE = 8  # its size in bytes


def shares(right: Functions) -> dict[str, Function]:
    """Give what was created for equal arguments once more, and count nobody."""
    created: dict[tuple[int, ...], int] = {}

    def create(*arguments: int) -> int:
        *given, out = arguments
        if tuple(given) in created:
            store(out, created[tuple(given)], HANDLE)
            return SUCCESS
        status = right[CREATE](*arguments)
        if status == SUCCESS:
            created[tuple(given)] = handle_at(out)
        return status

    return {CREATE: create}


def test_an_object_that_is_given_twice_is_found(registry: Registry) -> None:
    clause = f"{CREATE}/distinct"
    for mistake, verdict in ((honest, Verdict.PASS), (shares, Verdict.WARN)):
        found = results(mistaken(registry, mistake), registry, clause)
        assert verdict is found[0].verdict
