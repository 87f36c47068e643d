"""Instructions compute what the golden cases say, which are written from the ISA manual."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_device import NotExecutedError
from hsa_device.decoding import read_instruction
from hsa_device.isa import instruction_set
from hsa_device.targets import Family
from tests.rocr.device.device_waves import WHOLE, execute, give, new_waves
from tests.rocr.device.golden_cases import Case, Machine, expected, read_cases

_FOLDER = Path(__file__).with_name("golden")
CDNA_CASES = read_cases(_FOLDER, Family.CDNA, 64)
RDNA3_CASES = read_cases(_FOLDER / "rdna3", Family.RDNA3, 32)
CASES = [*CDNA_CASES, *RDNA3_CASES]
#: Those in which nothing depends on which lanes are active.
CASES_OF_ALL_LANES = [
    case
    for case in CASES
    if "expect" in case and not {"exec", "vcc"} & {*case.get("given", {}), *case["expect"]}
]


def title_of(case: Case) -> str:
    return f"{case['do'].split()[0]}: {case['title']}"


def test_each_instruction_has_a_case() -> None:
    """All but the clocks, whose results nobody can write down."""
    shown = {read_instruction(case["do"], 8).name for case in CDNA_CASES}
    sections = instruction_set(Family.CDNA).sections
    known = {name for section in sections for name in (*section.instructions, *section.ends)}
    assert {"s_memtime", "s_memrealtime"} == known - shown


@pytest.mark.parametrize("case", [c for c in CASES if "expect" in c], ids=title_of)
def test_a_golden_case(case: Case) -> None:
    machine = Machine(case)
    execute(machine.waves, case["do"], case["family"])
    wanted = expected(case)
    assert wanted == {name: machine.take(name) for name in wanted}


@pytest.mark.parametrize("case", [c for c in CASES if "refuses" in c], ids=title_of)
def test_what_is_not_executed_is_refused(case: Case) -> None:
    """Nothing is written then."""
    machine = Machine(case)
    before = machine.content()
    with pytest.raises(NotExecutedError, match=case["refuses"]):
        execute(machine.waves, case["do"], case["family"])
    assert before == machine.content()


@pytest.mark.parametrize("case", CASES_OF_ALL_LANES, ids=title_of)
def test_lanes_that_are_not_active_keep_what_they_have(case: Case) -> None:
    """Nothing is written to vector registers, memory and LDS where EXEC has no lane."""
    if "lane_b32" in case["do"]:
        pytest.skip("instructions that name a lane do not ask EXEC")
    machine = Machine(case)
    give(machine.waves, {"exec": 0})
    before = machine.content()
    execute(machine.waves, case["do"], case["family"])
    assert before == machine.content()


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
