"""The defects of the headers' text are data."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Registry, RegistryError
from hsa_spec.text_defects import TextDefect, text_defects

SOUND = "defects:\n  - {function: hsa_init, defect: It is wrong., note: Another reading is used.}\n"


def test_every_contested_clause_is_a_defect(registry: Registry) -> None:
    """A contest in the registry is a defect of the text, with the clause that shows it."""
    defects = text_defects(registry)
    slugs, sections = {d.slug for d in defects}, {d.section for d in defects}
    shown = {d.clause: d.defect for d in defects if d.clause}
    alone = [
        c
        for c in registry.clauses.values()
        if c.contested
        and c.slug not in slugs
        and sections.isdisjoint(r.source.section for r in c.contested)
    ]
    assert {c.id: f"{c.contest}." for c in alone} == shown


def test_one_defect_stands_for_all_calls_before_init(registry: Registry) -> None:
    """What two texts say of calls before hsa_init is listed once, and not for each function."""
    [defect] = [d for d in text_defects(registry) if d.slug]
    assert ("hsa_init", "not-initialized") == (defect.function, defect.slug)


def test_one_defect_stands_for_all_handles_that_are_none(registry: Registry) -> None:
    """That implementations need not validate objects is listed once, and not for each function."""
    [defect] = [d for d in text_defects(registry) if d.section]
    assert ("hsa_agent_get_info", "2.2 Runtime Notifications") == (defect.function, defect.section)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("hsa_init", "below a reference count of one undefined"),
        ("hsa_system_get_info", "BUILD_VERSION is not stated"),
        ("hsa_amd_memory_pool_get_info", "Only HSA_STATUS_SUCCESS is documented"),
        ("hsa_amd_agent_memory_pool_get_info", "Only HSA_STATUS_SUCCESS is documented"),
        ("hsa_amd_memory_pool_allocate", "any flag but 0 an invalid argument"),
        ("hsa_amd_agents_allow_access", "zero agents an invalid argument"),
        ("hsa_amd_vmem_address_reserve", "no HSA_STATUS_ERROR_INVALID_ARGUMENT is listed"),
        ("hsa_amd_vmem_address_free", "va is marked as an output"),
        ("hsa_amd_vmem_handle_release", "copied from the reservation"),
        ("hsa_amd_vmem_map", "A bad handle is HSA_STATUS_ERROR_INVALID_ARGUMENT here"),
        ("hsa_amd_vmem_unmap", "a memory_handle, which the function does not take"),
        ("hsa_amd_vmem_set_access", "a memory_handle, which the function does not take"),
        ("hsa_amd_vmem_get_access", "perms is marked as an input"),
        ("hsa_amd_vmem_export_shareable_handle", "once all shareable handles are closed"),
        ("hsa_amd_vmem_import_shareable_handle", "No status is listed for a bad descriptor"),
    ],
)
def test_known_defect_is_listed(registry: Registry, function: str, words: str) -> None:
    """What is known to be wrong with the text can be found by function."""
    assert any(words in d.defect for d in text_defects(registry) if d.function == function)


def test_defects_come_in_the_order_of_the_functions(registry: Registry) -> None:
    """Defects of one function stand together, in the order of the registry."""
    order = list(registry.functions)
    places = [order.index(d.function) for d in text_defects(registry)]
    assert sorted(places) == places


def test_list_by_hand_adds_to_the_contested_clauses(registry: Registry, tmp_path: Path) -> None:
    """Another list can be read in place of the package's."""
    path = tmp_path / "defects.yaml"
    path.write_text(SOUND, encoding="utf-8")
    by_hand = [d for d in text_defects(registry, path) if d.clause is None]
    assert [TextDefect("hsa_init", "It is wrong.", "Another reading is used.")] == by_hand


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("hsa_init", "hsa_unit", "hsa_unit is not in the registry"),
        (
            "note:",
            "remark:",
            "unknown key 'remark'; the keys are function, defect, note, slug, section",
        ),
        ("defects:", "faults:", "unknown key 'faults'; the keys are defects"),
        (", note: Another reading is used.", "", "'note' is a required property"),
        ("It is wrong.", "5", "5 is not of type 'string'"),
    ],
)
def test_refuses_a_malformed_list(
    registry: Registry, tmp_path: Path, old: str, new: str, rule: str
) -> None:
    """A mistake in the list is an error with file and line."""
    path = tmp_path / "defects.yaml"
    path.write_text(SOUND.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RegistryError) as refused:
        text_defects(registry, path)
    assert path == refused.value.path
    assert refused.value.line in (1, 2)
    assert rule in refused.value.rule
