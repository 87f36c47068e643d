"""What the registry says of the attributes that info queries report."""

from __future__ import annotations

import pytest

from hsa_spec import Attribute, DecidedBy, Prerequisite, Registry, Release
from hsa_spec.attribute_text import lines
from hsa_spec.attributes import decided_by, holder, meets
from hsa_spec.conditions.vocabulary.amd import svm
from hsa_spec.layout import size_of

GPU = "HSA_DEVICE_TYPE_GPU"


def defined(registry: Registry, name: str, **values: int) -> bool | None:
    """Return whether an attribute is defined for an object, given others of its attributes."""

    def holds(wanted: Prerequisite) -> bool:
        other = registry.attributes[wanted.attribute]
        value = values[wanted.attribute].to_bytes(size_of(other.type, registry), "little")
        return meets(wanted, other, value)

    return registry.attributes[name].is_defined(holds)


def test_every_query_of_attributes_reports_some(registry: Registry) -> None:
    queries = {
        f.name for f in registry.functions.values() if any(p.role == "attribute" for p in f.params)
    }
    assert queries <= {f for a in registry.attributes.values() for f in a.asked_by}


@pytest.mark.parametrize(("features", "expected"), [(0, False), (1, True), (2, False), (3, True)])
def test_the_wavefront_size_is_for_agents_that_run_kernels(
    registry: Registry, features: int, expected: bool
) -> None:
    found = defined(registry, "HSA_AGENT_INFO_WAVEFRONT_SIZE", HSA_AGENT_INFO_FEATURE=features)
    assert expected == found


@pytest.mark.parametrize(("extension", "expected"), [(0, False), (1, True)])
def test_limits_of_images_are_for_agents_with_the_extension(
    registry: Registry, extension: int, expected: bool
) -> None:
    bits = extension << registry.constants["HSA_EXTENSION_IMAGES"]
    name = "HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS"
    assert expected == defined(registry, name, HSA_AGENT_INFO_EXTENSIONS=bits)


@pytest.mark.parametrize(
    ("kind", "allocation", "expected"),
    [
        ("KERNEL", "PROGRAM", True),
        ("INDIRECT_FUNCTION", "PROGRAM", True),
        ("VARIABLE", "AGENT", True),
        ("VARIABLE", "PROGRAM", False),
    ],
)
def test_a_variable_of_the_program_has_no_agent(
    registry: Registry, kind: str, allocation: str, expected: bool
) -> None:
    found = defined(
        registry,
        "HSA_EXECUTABLE_SYMBOL_INFO_AGENT",
        HSA_EXECUTABLE_SYMBOL_INFO_TYPE=registry.constants[f"HSA_SYMBOL_KIND_{kind}"],
        HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION=registry.constants[
            f"HSA_VARIABLE_ALLOCATION_{allocation}"
        ],
    )
    assert expected == found


def test_what_the_text_does_not_say_is_not_known(registry: Registry) -> None:
    assert defined(registry, "HSA_AMD_QUEUE_INFO_READ_POINTER") is None


def test_what_another_operating_system_has_is_not_defined(registry: Registry) -> None:
    assert defined(registry, "HSA_AMD_AGENT_INFO_LUID") is False


def test_an_attribute_without_a_condition_is_defined_for_all(registry: Registry) -> None:
    assert defined(registry, "HSA_AGENT_INFO_NAME") is True


def test_what_a_document_says_of_all_holds_where_an_attribute_says_nothing(
    registry: Registry,
) -> None:
    chip, nearest = (
        registry.attributes[f"HSA_AMD_AGENT_INFO_{name}"] for name in ("CHIP_ID", "NEAREST_CPU")
    )
    assert (DecidedBy.DRIVER, DecidedBy.RUNTIME) == (chip.decided_by, nearest.decided_by)
    gpu = ((Prerequisite("HSA_AGENT_INFO_DEVICE", registry.constants[GPU]),),)
    assert (gpu, gpu) == (chip.defined_for, nearest.defined_for)


def test_an_attribute_leads_to_the_object_that_its_condition_is_about(registry: Registry) -> None:
    delta = registry.attributes["HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA"]
    lead = "HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE"
    assert lead == holder(registry, delta, "HSA_EXECUTABLE_INFO_STATE")
    assert holder(registry, delta, "HSA_CACHE_INFO_LEVEL") is None


def test_a_function_has_the_attributes_that_it_reports(registry: Registry) -> None:
    found = {a.name for a in registry.attributes_of("hsa_amd_svm_attributes_get")}
    assert "HSA_AMD_SVM_ATTRIB_ACCESS_QUERY" in found
    assert "HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS" not in found


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            "HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE",
            "  defined: HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED is true",
        ),
        ("HSA_REGION_INFO_GLOBAL_FLAGS", "  number: flags of hsa_region_global_flag_t"),
        ("HSA_CACHE_INFO_NAME", "  length: as many as HSA_CACHE_INFO_NAME_LENGTH says, and a NUL"),
        ("HSA_AMD_AGENT_INFO_LUID", "  defined: on Windows only"),
        (
            "HSA_AMD_QUEUE_INFO_READ_POINTER",
            "  elsewhere: the call answers HSA_STATUS_ERROR_INVALID_ARGUMENT",
        ),
        ("HSA_CODE_SYMBOL_INFO_MODULE_NAME_LENGTH", "  elsewhere: the value is 0"),
    ],
)
def test_an_attribute_can_be_read_by_people(registry: Registry, name: str, line: str) -> None:
    attribute: Attribute = registry.attributes[name]
    assert [line] == [found[: len(line)] for found in lines(attribute, registry) if line in found]


@pytest.mark.parametrize(("release", "expected"), [("5.2.3", "driver"), ("5.3", "runtime")])
def test_who_decides_may_differ_by_release(registry: Registry, release: str, expected: str) -> None:
    """Before ROCm 5.3 the driver read the clock of the system."""
    frequency = registry.attributes["HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY"]
    assert expected == decided_by(frequency, Release.parse(release))


def test_conditions_about_svm_know_what_can_be_set_and_read(registry: Registry) -> None:
    """The texts contradict each other on reading the prefetch location, so no condition has it."""
    found = [a for a in registry.attributes.values() if a.of == "svm_range"]
    settable = {registry.constants[a.name] for a in found if a.set_by}
    readable = {registry.constants[a.name] for a in found if a.asked_by}
    assert settable == svm.SETTABLE
    assert readable - {registry.constants["HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION"]} == svm.READABLE
