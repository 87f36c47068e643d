"""Attributes of the system."""

from __future__ import annotations

import sys
import time
from typing import Final

from hsa_conformance.engine.calls.comparing import between
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.session.strings import text_at
from hsa_conformance.topics.shared.attributes import (
    ask,
    ask_where_answered,
    attributes,
    content,
    number,
    require_bool,
    require_no_overrun,
)

proves = Proofs()

QUERY: Final = "hsa_system_get_info"
ENUM: Final = "hsa_system_info_t"

#: Seconds between two timestamps when their rate is measured.
INTERVAL: Final = 0.1


@proves("hsa_system_get_info/value-size", examples=4)
def nothing_is_written_behind_the_value(scene: Scene) -> None:
    """A query of the system leaves the bytes behind the attribute's type as they were."""
    attribute = scene.choose(attributes(scene.session, ENUM))
    require_no_overrun(scene, ask(scene, QUERY, attribute), attribute)


@proves("hsa_system_get_info/value-bool", examples=2)
def a_bool_is_stored_as_0_or_1(scene: Scene) -> None:
    """An attribute of type bool is stored as 0 or 1."""
    names = attributes(scene.session, ENUM, value_type="bool")
    attribute = scene.available(names, "attribute that is a bool")
    require_bool(scene, ask_where_answered(scene, QUERY, attribute), attribute)


@proves("hsa_system_get_info/timestamp-increases")
def a_later_timestamp_is_not_smaller(scene: Scene) -> None:
    """Of two timestamps read one after the other, the second is not smaller."""
    last = number(scene, QUERY, "HSA_SYSTEM_INFO_TIMESTAMP")
    for _ in range(scene.draw(drawing.integers(1, 30))):
        now = number(scene, QUERY, "HSA_SYSTEM_INFO_TIMESTAMP")
        scene.require(now >= last, "the later timestamp is smaller", f"first {last}, then {now}")
        last = now


@proves("hsa_system_get_info/timestamp-rate", examples=0.125)
def the_timestamp_grows_as_its_frequency_says(scene: Scene) -> None:
    """Over an interval the timestamp grows as its frequency says, to within 10 percent."""
    frequency = number(scene, QUERY, "HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY")
    earliest = time.monotonic()
    first = number(scene, QUERY, "HSA_SYSTEM_INFO_TIMESTAMP")
    after_first = time.monotonic()
    time.sleep(INTERVAL)
    before_second = time.monotonic()
    second = number(scene, QUERY, "HSA_SYSTEM_INFO_TIMESTAMP")
    latest = time.monotonic()
    shortest, longest = before_second - after_first, latest - earliest
    scene.require(
        0.9 * shortest * frequency <= second - first <= 1.1 * longest * frequency,
        f"the timestamp does not grow by {frequency} ticks in a second",
        f"{second - first} ticks in {shortest:.3f} to {longest:.3f} seconds",
    )


@proves("hsa_system_get_info/frequency-range")
def the_frequency_is_between_1_and_400_mhz(scene: Scene) -> None:
    """The frequency of the system's timestamp lies between 1 and 400 MHz."""
    frequency = number(scene, QUERY, "HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY")
    scene.require(
        between(1_000_000, frequency, 400_000_000),
        "the frequency of the timestamp is not between 1 MHz and 400 MHz",
        f"{frequency} Hz",
    )


@proves("hsa_system_get_info/endianness")
def the_order_of_bytes_is_the_hosts(scene: Scene) -> None:
    """The endianness of the system is that of the host."""
    found = number(scene, QUERY, "HSA_SYSTEM_INFO_ENDIANNESS")
    expected = scene.session.registry.constants[f"HSA_ENDIANNESS_{sys.byteorder.upper()}"]
    scene.require(
        found == expected, f"the order of bytes is not that of a {sys.byteorder}-endian host", found
    )


@proves("hsa_system_get_info/machine-model")
def the_machine_model_is_large(scene: Scene) -> None:
    """The machine model of a process with 64-bit addresses is LARGE."""
    found = number(scene, QUERY, "HSA_SYSTEM_INFO_MACHINE_MODEL")
    large = scene.session.registry.constants["HSA_MACHINE_MODEL_LARGE"]
    scene.require(found == large, "the machine model is not HSA_MACHINE_MODEL_LARGE", found)


@proves("hsa_system_get_info/build-version")
def the_build_version_is_text(scene: Scene) -> None:
    """The build version is the address of text that ends with a NUL byte."""
    # The header names no type, so there is room for more than an address.
    stored = content(scene, QUERY, "HSA_AMD_SYSTEM_INFO_BUILD_VERSION")
    address = int.from_bytes(stored[:8], "little")
    scene.require(
        text_at(scene.session, address) is not None,
        "the build version is not the address of text with an end",
        f"{address:#x}",
    )
