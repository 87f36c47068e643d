"""The suite names the function of a library that is wrong for one value alone."""

from __future__ import annotations

import ctypes.util
from collections.abc import Iterator
from itertools import islice

import pytest

from hsa_adapters import AdapterError, LibraryAdapter
from hsa_adapters.virtual_kfd import DEFAULT, ImitatedAdapter, load_machine
from hsa_conformance.subjects import reference
from hsa_conformance.topics.amd.copies import state
from hsa_conformance.topics.shared import copies, signals
from hsa_spec import Registry
from tests.campaign.mutants.campaign import Campaign
from tests.campaign.mutants.idle_effects import IDLE
from tests.campaign.mutants.mutant import Fault, Kind, Mutant
from tests.wrong.fates import Outcome

SEED = 11
#: One of each kind; `tox -e value-mutants` draws many more.
MUTANTS = 7
#: How many of them may survive.
SURVIVORS = 1

#: What can be seen with one sort of object, of memory or of size alone.
SEEN = (
    "hsa_agent_iterate_isas: second agent (agent hsa_agent_t) first",
    "hsa_amd_ais_file_read: above a granule (size 4096) cut",
    "hsa_amd_ais_file_write: one kind of pointer (devicePtr pool block) refused",
    "hsa_amd_ais_file_write: above a granule (size 4096) refused",
    "hsa_amd_image_create: one value (image_descriptor geometry HSA_EXT_IMAGE_GEOMETRY_3D) refused",
    "hsa_amd_profiling_convert_tick_to_system_domain: second agent (agent hsa_agent_t) changed",
    "hsa_amd_spm_acquire: second agent (preferred_agent hsa_agent_t) refused",
    "hsa_amd_spm_release: second agent (preferred_agent hsa_agent_t) refused",
    "hsa_amd_spm_set_dest_buffer: second agent (preferred_agent hsa_agent_t) refused",
    "hsa_amd_spm_set_dest_buffer: above a granule (size_in_bytes 4096) refused",
    "hsa_ext_sampler_destroy: second object (sampler hsa_ext_sampler_t) first",
)
#: What no call shows.
UNSEEN = (
    "hsa_amd_agent_preload: second agent (agent hsa_agent_t) undone",
    "hsa_amd_ais_file_write: one kind of pointer (devicePtr region block) refused",
    "hsa_amd_signal_get_event_id: second object (signal hsa_signal_t) first",
    "hsa_amd_spm_set_dest_buffer: above a granule (size_in_bytes 4096) cut",
    "hsa_system_get_major_extension_table: above a granule (table_length 4096) cut",
)


@pytest.fixture
def on_reference(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> Iterator[Campaign]:
    # What a mutant never ends is waited for after each example; right ones end at once.
    monkeypatch.setattr(state, "LONGEST_COPY", 0.5)
    monkeypatch.setattr(signals, "PATIENCE", 0.1)
    monkeypatch.setattr(copies, "PATIENCE", 1.0)
    campaign = Campaign(reference(None, registry), registry)
    yield campaign
    campaign.close()


@pytest.fixture
def on_rocr(registry: Registry) -> Iterator[Campaign]:
    name = ctypes.util.find_library("hsa-runtime64")
    if name is None:
        pytest.skip("no libhsa-runtime64 is installed (Debian: apt install libhsa-runtime64-1)")
    try:
        adapter = ImitatedAdapter(LibraryAdapter(name, registry), load_machine(DEFAULT))
        campaign = Campaign(adapter, registry)
    except AdapterError as error:
        pytest.skip(str(error))
    yield campaign
    campaign.close()


def survivors(campaign: Campaign) -> list[str]:
    """Return the mutants of a fixed sample that no clause of their function is blamed for."""
    fates = [campaign.judge(m, topic=False) for m in islice(campaign.draw(SEED), MUTANTS)]
    return [f"{fate}" for fate in fates if fate.outcome is Outcome.SURVIVED]


def drawn(campaign: Campaign, name: str, kind: Kind) -> set[tuple[str, Fault]]:
    """Return the values that a function may be wrong for, with how."""
    return {(m.name, m.fault) for m in campaign.drawing.of(campaign.registry.functions[name], kind)}


def named(campaign: Campaign, words: str) -> Mutant:
    """Return the mutant that reports call so."""
    function = campaign.registry.functions[words.partition(":")[0]]
    return next(m for kind in Kind for m in campaign.drawing.of(function, kind) if f"{m}" == words)


def test_what_one_sort_of_input_shows_is_blamed(on_reference: Campaign) -> None:
    mutants = [named(on_reference, words) for words in SEEN]
    assert all(on_reference.suits(mutant) for mutant in mutants)
    fates = [on_reference.judge(mutant, topic=False) for mutant in mutants]
    assert [] == [f"{fate}" for fate in fates if fate.outcome is not Outcome.BLAMED]


def test_what_no_call_shows_is_not_drawn(on_reference: Campaign) -> None:
    found = [words for words in UNSEEN if on_reference.suits(named(on_reference, words))]
    assert [] == found


def test_a_hint_that_is_cut_short_is_not_drawn(on_reference: Campaign) -> None:
    """The size of another driver's buffer is one that the caller may leave out."""
    found = drawn(on_reference, "hsa_amd_interop_map_buffer_with_size", Kind.SIZE)
    assert {Fault.REFUSED} == {fault for _, fault in found}


def test_a_value_that_nothing_promises_is_not_drawn(on_reference: Campaign) -> None:
    """No text says what comes of memory that is assigned for no access."""
    found = drawn(on_reference, "hsa_memory_assign_agent", Kind.VALUE)
    assert ("HSA_ACCESS_PERMISSION_RW", Fault.REFUSED) in found
    assert "HSA_ACCESS_PERMISSION_NONE" not in {name for name, _ in found}


def test_a_value_that_may_be_refused_is_drawn(on_reference: Campaign) -> None:
    """Where code is not kept in memory, there need not be an address of it."""
    query = "hsa_ven_amd_loader_loaded_code_object_get_info"
    name = "HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE"
    assert (name, Fault.UNDONE) in drawn(on_reference, query, Kind.VALUE)


def test_what_does_nothing_by_its_text_is_named_by_clauses_that_exist(registry: Registry) -> None:
    assert set() == IDLE - registry.clauses.keys()


def test_another_refusal_of_an_equal_call_is_blamed(on_reference: Campaign) -> None:
    """A call that is refused is refused again, and with a status that is as right."""
    mutant = Mutant("hsa_amd_memory_fill", Kind.AGAIN, Fault.REFUSED)
    assert Outcome.BLAMED is on_reference.judge(mutant, topic=False).outcome


def test_the_reference_with_one_wrong_value_is_blamed(on_reference: Campaign) -> None:
    """Of one mutant of each kind, most are blamed on their function."""
    found = survivors(on_reference)
    assert len(found) <= SURVIVORS, found


def test_a_rocr_with_one_wrong_value_is_blamed(on_rocr: Campaign) -> None:
    """The same of a real library."""
    found = survivors(on_rocr)
    assert len(found) <= SURVIVORS, found
