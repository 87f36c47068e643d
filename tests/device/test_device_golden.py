"""Instructions compute what the golden cases say, which are written from the ISA manual."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.device.device_waves import WHOLE, Numbers, execute, give, new_waves, take

CASES: list[Mapping[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("golden").joinpath("cases.yaml").read_text("utf-8")
)


def lanes(value: Numbers) -> Numbers:
    """Return what is expected of each lane: the numbers in turn."""
    if isinstance(value, int):
        return value
    return [value[lane % len(value)] for lane in range(64)]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['do'].split()[0]}: {case['title']}"
)
def test_a_golden_case(case: Mapping[str, Any]) -> None:
    wave = new_waves()
    give(wave, {"scc": 0, **case.get("given", {})})
    execute(wave, case["do"])
    expected = {name: lanes(value) for name, value in case["expect"].items()}
    assert expected == {name: take(wave, name) for name in expected}


@pytest.mark.parametrize(
    "case",
    [c for c in CASES if not {"exec", "vcc"} & {*c.get("given", {}), *c["expect"]}],
    ids=lambda case: f"{case['do'].split()[0]}: {case['title']}",
)
def test_lanes_that_are_not_active_keep_what_they_have(case: Mapping[str, Any]) -> None:
    """Nothing is written to vector registers where EXEC has no lane."""
    if "lane_b32" in case["do"]:
        pytest.skip("instructions that name a lane do not ask EXEC")
    wave = new_waves()
    give(wave, case.get("given", {}))
    give(wave, {"exec": 0})
    before = wave.vector.copy()
    execute(wave, case["do"])
    assert (before == wave.vector).all()


def test_each_wave_has_registers_of_its_own() -> None:
    """Waves that are chosen change, and others do not, whichever they are."""
    for chosen in (slice(1, 3), slice(0, 4)):
        waves = new_waves(4)
        give(waves, {"v1": [1, 2], "s1": 5, "exec": WHOLE})
        waves.choose(chosen)
        execute(waves, "v_add_u32_e32 v0, s1, v1")
        execute(waves, "s_add_u32 s0, s1, 1")
        changed = [number in range(*chosen.indices(4)) for number in range(4)]
        assert changed == [bool((row[::2] == 6).all()) for row in waves.vector[0]]
        assert changed == [word == 6 for word in waves.scalar[:, 0].tolist()]
