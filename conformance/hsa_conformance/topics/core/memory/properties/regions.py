"""The attributes of regions."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.comparing import at_most
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.memory.generators import regions, regions_where
from hsa_conformance.topics.core.memory.state import Region
from hsa_conformance.topics.shared.attributes import (
    ask_where_answered,
    attributes,
    is_power_of_two,
    number,
    require_named,
    require_no_overrun,
)

proves = Proofs()

QUERY: Final = "hsa_region_get_info"
ENUMS: Final = ("hsa_region_info_t", "hsa_amd_region_info_t")
PREFIX: Final = "HSA_REGION_INFO_"
FLAG: Final = "HSA_REGION_GLOBAL_FLAG_"

#: What a region of the private segment grants at least, in bytes: to a work-item, to a work-group.
LEAST_PRIVATE: Final = {"ALLOC_MAX_SIZE": 256, "ALLOC_MAX_PRIVATE_WORKGROUP_SIZE": 65536}


def _info(scene: Scene, region: Region, attribute: str) -> int:
    return number(scene, QUERY, PREFIX + attribute, region=region.handle)


def _region(scene: Scene) -> Region:
    return scene.available(list(regions(scene).values()), "memory region")


def _allocatable(scene: Scene) -> Region:
    return scene.available(
        regions_where(scene, lambda r: r.allocatable), "region that allows allocation"
    )


def _in_segment(scene: Scene, *names: str) -> Region:
    numbers = {scene.session.registry.constants[f"HSA_REGION_SEGMENT_{name}"] for name in names}
    return scene.available(
        regions_where(scene, lambda r: r.segment in numbers),
        f"region in the segment {' or '.join(names)}",
    )


def _has(scene: Scene, region: Region, flag: str) -> bool:
    bit = scene.session.registry.constants[FLAG + flag]
    return bool(_info(scene, region, "GLOBAL_FLAGS") & bit)


@proves("hsa_region_get_info/value-of-type", examples=8)
def nothing_is_written_behind_a_regions_value(scene: Scene) -> None:
    """A query of a region leaves the bytes behind the attribute's type as they were."""
    region = _region(scene)
    attribute = scene.choose(attributes(scene.session, *ENUMS))
    answer = ask_where_answered(scene, QUERY, attribute, region=region.handle)
    require_no_overrun(scene, answer, attribute)


@proves("hsa_region_get_info/segment")
def the_segment_of_a_region_has_a_name(scene: Scene) -> None:
    """The segment of a region is an enumerator of the header."""
    segment = _info(scene, _region(scene), "SEGMENT")
    require_named(scene, segment, f"{PREFIX}SEGMENT")


@proves("hsa_region_get_info/granule-divides")
def the_largest_block_is_a_number_of_granules(scene: Scene) -> None:
    """The granule of a region is not 0, and divides the largest allocation."""
    region = _allocatable(scene)
    granule = _info(scene, region, "RUNTIME_ALLOC_GRANULE")
    scene.require(granule > 0, "the allocation granule is zero", granule)
    largest = _info(scene, region, "ALLOC_MAX_SIZE")
    scene.require(
        largest % granule == 0,
        f"the largest allocation is no multiple of the granule of {granule} bytes",
        f"{largest} bytes",
    )


@proves("hsa_region_get_info/max-size-within-size")
def no_block_is_larger_than_its_region(scene: Scene) -> None:
    """The largest allocation of a region is not larger than the region."""
    region = _region(scene)
    size = _info(scene, region, "SIZE")
    largest = _info(scene, region, "ALLOC_MAX_SIZE")
    scene.require(
        at_most(largest, size),
        f"the largest allocation exceeds the region's {size} bytes",
        f"{largest} bytes",
    )


@proves("hsa_region_get_info/alignment-power")
def the_alignment_of_a_region_is_a_power_of_two(scene: Scene) -> None:
    """The alignment of blocks is a power of two in each region that allows allocation."""
    alignment = _info(scene, _allocatable(scene), "RUNTIME_ALLOC_ALIGNMENT")
    scene.require(is_power_of_two(alignment), "the alignment is no power of two", alignment)


@proves("hsa_region_get_info/one-grain")
def no_region_is_fine_and_coarse(scene: Scene) -> None:
    """No region of the global segment is both fine-grained and coarse-grained."""
    region = _in_segment(scene, "GLOBAL")
    scene.require(
        not (_has(scene, region, "FINE_GRAINED") and _has(scene, region, "COARSE_GRAINED")),
        "a region has the flags of both fine-grained and coarse-grained memory",
        region.handle,
    )


@proves("hsa_region_get_info/kernarg-fine-grained", examples=4)
def memory_for_kernel_arguments_is_fine_grained(scene: Scene) -> None:
    """A region for kernel arguments is fine-grained."""
    bit = scene.session.registry.constants[f"{FLAG}KERNARG"]
    fitting = regions_where(scene, lambda r: bool(r.flags & bit))
    region = scene.available(fitting, "region for kernel arguments")
    scene.require(
        _has(scene, region, "FINE_GRAINED"),
        "a region for kernel arguments is not fine-grained",
        region.handle,
    )


@proves("hsa_region_get_info/group-and-private-not-allocatable")
def memory_of_work_groups_and_work_items_is_not_given_out(scene: Scene) -> None:
    """Regions of the group and private segments do not allow allocation."""
    region = _in_segment(scene, "GROUP", "PRIVATE")
    scene.require(
        _info(scene, region, "RUNTIME_ALLOC_ALLOWED") == 0,
        "a region in the group segment or the private segment allows allocation",
        "true",
    )


@proves("hsa_region_get_info/private-limits")
def private_memory_has_its_least_sizes(scene: Scene) -> None:
    """Private regions give a work-item and a work-group the memory that the header promises."""
    region = _in_segment(scene, "PRIVATE")
    for attribute in scene.parts("attribute", {name: name for name in LEAST_PRIVATE}):
        least = LEAST_PRIVATE[attribute]
        found = _info(scene, region, attribute)
        scene.require(
            found >= least, f"{PREFIX}{attribute} is less than {least} bytes", f"{found} bytes"
        )
