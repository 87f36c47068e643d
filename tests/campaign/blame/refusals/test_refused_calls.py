"""A call that is refused something, answers an error, and has done its work all the same."""

from __future__ import annotations

from typing import Final

import pytest

from hsa_reports.verdicts import BROKEN
from hsa_spec import Registry
from tests.wrong.functions import SUCCESS, Function, Functions, Mistake, honest, mistaken
from tests.wrong.inside import results

#: By the clause that has to be blamed, what the result says.
SHOWN: Final = {
    "hsa_init/driver-refuses": "after hsa_init failed, there is a runtime to shut down",
    "hsa_amd_svm_attributes_set/driver-refuses": (
        "after a call of hsa_amd_svm_attributes_set that the driver refused something"
    ),
    "hsa_amd_vmem_set_access/driver-refuses": (
        "after a call of hsa_amd_vmem_set_access that the driver refused something"
    ),
    "hsa_amd_vmem_set_access/out-of-memory": (
        "after a call of hsa_amd_vmem_set_access that met a refusal of memory"
    ),
    "hsa_amd_agents_allow_access/driver-refuses": (
        "after a call of hsa_amd_agents_allow_access that the driver refused something"
    ),
}


def done_all_the_same(name: str) -> Mistake:
    """Return the mistake of a function that begins again, in vain, once it was refused."""

    def mistake(functions: Functions) -> dict[str, Function]:
        right = functions[name]

        def wrong(*arguments: int) -> int:
            answer = right(*arguments)
            if answer != SUCCESS:
                right(*arguments)
            return answer

        return {name: wrong}

    return mistake


@pytest.mark.parametrize("clause", SHOWN)
def test_what_a_refused_call_has_changed_is_blamed(registry: Registry, clause: str) -> None:
    mistake = done_all_the_same(clause.partition("/")[0])
    library = mistaken(registry, mistake, refused=True)
    broken = [r for r in results(library, registry, clause) if r.verdict in BROKEN]
    assert broken
    for result in broken:
        assert result.reason is not None
        assert result.reason.startswith(SHOWN[clause])


@pytest.mark.parametrize("clause", SHOWN)
def test_a_refused_call_that_changes_nothing_passes(registry: Registry, clause: str) -> None:
    library = mistaken(registry, honest, refused=True)
    assert {"PASS"} == {r.verdict for r in results(library, registry, clause)}
