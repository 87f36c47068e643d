"""Processors whose names say how their features are set, and attributes of agents of the host."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from hsa_conformance.selection.names import select
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, mistaken
from tests.wrong.inside import by_clause

INVALID_ARGUMENT, INVALID_ISA, INVALID_ISA_NAME = 0x1001, 0x100F, 0x1017
AVAILABLE, DEVICE = 0xA015, 17
DIFFER, EQUAL = "hsa_isa_compatible/settings-differ", "hsa_isa_compatible/settings-equal"
OF_AGENTS = "hsa_agent_get_info/amd-attribute-of-agents"


def processors(answer: Callable[[str, str], bool]) -> Functions:
    """Return what finds each setting of one processor, and says which are compatible."""
    names: list[str] = []

    def find(name: int, isa: int) -> int:
        if not name or not isa:
            return INVALID_ARGUMENT
        text = ctypes.string_at(name).decode()
        if "--gfx906:" not in text:
            return INVALID_ISA_NAME
        names.append(text)
        ctypes.c_uint64.from_address(isa).value = 0x5000 + len(names)
        return 0

    def compatible(code: int, agent: int, result: int) -> int:
        places = [handle - 0x5001 for handle in (code, agent)]
        if not result or any(place not in range(len(names)) for place in places):
            return INVALID_ARGUMENT if not result else INVALID_ISA
        known = answer(*(names[place] for place in places))
        ctypes.c_bool.from_address(result).value = known
        return 0

    return {"hsa_isa_from_name": find, "hsa_isa_compatible": compatible}


def without(setting: str) -> Callable[[str, str], bool]:
    """Return a comparison that leaves one feature out."""
    return lambda code, agent: (
        code.replace(f"{setting}+", f"{setting}-") == agent.replace(f"{setting}+", f"{setting}-")
    )


def verdicts(registry: Registry, changed: Functions, *clauses: str) -> dict[str, set[str]]:
    """Return the verdicts of clauses on the reference with other functions."""

    def mistake(real: Functions) -> dict[str, Function]:
        real_query = real["hsa_agent_get_info"]

        def query(agent: int, attribute: int, value: int) -> int:
            device = ctypes.c_uint32(1)
            real_query(agent, DEVICE, ctypes.addressof(device))
            refused = "refuse" in changed and attribute == AVAILABLE and not device.value
            return INVALID_ARGUMENT if refused else real_query(agent, attribute, value)

        return {"hsa_agent_get_info": query, **changed}

    adapter = mistaken(registry, mistake, "gfx90a")
    found = by_clause(adapter, registry, select(registry, TOPICS, clauses))
    return {clause: {result.verdict for result in results} for clause, results in found.items()}


@pytest.mark.parametrize(
    ("answer", "broken"),
    [
        (lambda code, agent: code == agent, set()),
        (without("sramecc"), {DIFFER}),
        (without("xnack"), {DIFFER}),
        (lambda *_: True, {DIFFER}),
        (lambda *_: False, {EQUAL}),
        (lambda code, agent: code == agent and "xnack+" not in code, {EQUAL}),
    ],
    ids=["right", "sramecc ignored", "xnack ignored", "all", "none", "one setting with itself"],
)
def test_settings_decide_what_is_compatible(
    registry: Registry, answer: Callable[[str, str], bool], broken: set[str]
) -> None:
    """Whichever feature is not looked at, a clause breaks."""
    found = verdicts(registry, processors(answer), DIFFER, EQUAL)
    assert broken == {clause for clause, seen in found.items() if "WARN" in seen}
    assert all("PASS" in seen for clause, seen in found.items() if clause not in broken)


def test_an_attribute_that_is_refused_for_the_host_is_found(registry: Registry) -> None:
    """One attribute of many is enough."""
    right = verdicts(registry, {}, OF_AGENTS)
    wrong = verdicts(registry, {"refuse": lambda: 0}, OF_AGENTS)
    assert ({"PASS"}, True) == (right[OF_AGENTS], "WARN" in wrong[OF_AGENTS])
