"""Instructions compute what the ISA manual's pseudo-code says, in the active lanes alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from hsa_device.isa.rdna3.names import NAMES
from hsa_device.targets import Family
from tests.rocr.device.device_waves import OLD, WHOLE, execute, give, new_waves, take
from tests.rocr.device.manual_compare import COMPARE
from tests.rocr.device.manual_numbers import is_nan, mask
from tests.rocr.device.manual_scalar import SCALAR, SCALAR_COMPARE
from tests.rocr.device.manual_vector import VECTOR

_INTEGERS = {
    16: [0, 1, 2, 15, 16, 31, 0x7F, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF, 0x1234],
    32: [
        *(0, 1, 2, 31, 32, 0x7FFF, 0xFFFF, 0x800000, 0xFFFFFF, 0x7FFFFFFF, 0x80000000),
        *(0x80000001, 0xFFFFFFFF, 0x12345678, 0x0C0D0E08),
    ],
    64: [
        *(0, 1, 63, 64, 0xFFFFFFFF, 0x100000000, 2**63 - 1, 2**63, 2**64 - 1),
        0x123456789ABCDEF0,
    ],
}
_FLOATS = {
    16: [
        *(0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x3C00, 0xBC00, 0x3555, 0x4248, 0x7BFF, 0xFBFF),
        *(0x7C00, 0xFC00, 0x7E00, 0x3800, 0xC500, 0x6400),
    ],
    32: [
        *(0, 1 << 31, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x3F800000, 0xBF800000, 0x3EAAAAAB),
        *(0x40490FDB, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x4F000000),
        *(0xCF000000, 0x4F800000, 0x3F000000, 0x3FC00000, 0x40200000, 0xC0600000, 0x33800000),
    ],
    64: [
        *(0, 1 << 63, 1, 0xFFFFFFFFFFFFF, 1 << 52, 0x3FF << 52, 0xBFF << 52, 0x3FD5555555555555),
        *(0x7FEFFFFFFFFFFFFF, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48, 0x41E0 << 48, 0xC1E0 << 48),
        *(0x3FE0 << 48, 0x4004 << 48, 0x36A0 << 48, 0x3CA0 << 48, 0x4330 << 48),
    ],
}
_MOST = 640  # lanes of an instruction: ten waves
_HALF = 0xAAAA5555AAAA5555


def values(kind: str) -> Sequence[int]:
    if kind in ("c", "scc"):
        return (0, 1)
    return (_FLOATS if kind[0] == "f" else _INTEGERS)[int(kind[1:])]


def inputs(kinds: Sequence[str], name: str) -> Sequence[tuple[int, ...]]:
    """Return edges in all combinations, or a sample of them with other numbers between."""
    chance = random.Random(name)
    found = list(product(*map(values, kinds)))
    if len(found) > _MOST:
        found = chance.sample(found, _MOST)
    for _ in range(64):
        drawn = [chance.getrandbits(int(k[1:]) if k[1:].isdigit() else 1) for k in kinds]
        found.append(tuple(drawn))
    return found + found[: -len(found) % 64]


def register(kind: str, number: int, letter: str = "v") -> str:
    return f"{letter}[{number}:{number + 1}]" if kind[1:] == "64" else f"{letter}{number}"


def same(wanted: int, found: int, name: str, kind: str) -> bool:
    """Return whether these are the same; any NaN is as good as another."""
    bits = int(kind[1:])
    if name.startswith(("v_cmp", "s_")) or kind[0] != "f":
        return wanted == found
    both = is_nan(wanted, bits), is_nan(found & mask(bits), bits)
    return all(both) or wanted == found


def result_kind(name: str, kinds: Sequence[str]) -> str:
    if name.startswith("v_cvt_pk"):
        return "u32"
    if name.startswith("v_cvt_"):
        return name.split("_")[2].replace("i", "u")
    widest = max((k for k in kinds if k[0] in "uf"), key=lambda k: int(k[1:]))
    if name.startswith(("v_fma", "v_add_f", "v_sub_f", "v_mul_f")):
        return widest
    return widest if name[-3] == "f" else "u" + widest[1:]


def called(name: str, family: Family) -> str:
    """Return what a family calls an instruction of MI200."""
    return name if family is Family.CDNA else NAMES.get(name, name)


both_families = pytest.mark.parametrize("family", Family, ids=lambda each: str(each.value))


@both_families
@pytest.mark.parametrize("exec_mask", [WHOLE, _HALF], ids=["whole", "half"])
@pytest.mark.parametrize("name", sorted(VECTOR))
def test_vector_instructions(name: str, exec_mask: int, family: Family) -> None:
    """Those of RDNA3 with results of 16 bits keep what is above them."""
    kinds, has_carry, function = VECTOR[name]
    kind = result_kind(name, kinds)
    lanes = inputs(kinds, name)
    places = ["s[20:21]" if k == "c" else register(k, 2 + 2 * n) for n, k in enumerate(kinds)]
    operands = [register(kind, 0), *(["s[10:11]"] if has_carry else []), *places]
    for start in range(0, len(lanes), 64):
        wave = new_waves()
        chosen = lanes[start : start + 64]
        for place, (each, where) in enumerate(zip(kinds, places, strict=True)):
            given = [lane[place] for lane in chosen]
            packed = sum(bit << n for n, bit in enumerate(given)) if each == "c" else given
            give(wave, {where: packed})
        give(wave, {"exec": exec_mask})
        execute(wave, f"{called(name, family)}_e64 {', '.join(operands)}", family)
        found = take(wave, operands[0])
        assert not isinstance(found, int)
        carries = take(wave, "s[10:11]")
        old = OLD << 32 | OLD if kind[1:] == "64" else OLD
        for lane, sources in enumerate(chosen):
            wanted = function(*sources)
            number, carry = wanted if isinstance(wanted, tuple) else (wanted, 0)
            active = exec_mask >> lane & 1
            if has_carry:
                assert isinstance(carries, int)
                assert (carry if active else 0) == carries >> lane & 1, (name, sources)
            if not active:
                assert old == found[lane]
                continue
            seen = found[lane]
            if kind[1:] == "16" and (family is Family.RDNA3 or seen >> 16 == OLD >> 16):
                assert OLD >> 16 == seen >> 16
                seen &= 0xFFFF  # an instruction that keeps the upper half
            assert same(number, seen, name, kind), (
                name,
                list(map(hex, sources)),
                hex(number),
                hex(seen),
            )


@both_families
@pytest.mark.parametrize("exec_mask", [WHOLE, _HALF], ids=["whole", "half"])
@pytest.mark.parametrize("name", sorted(COMPARE))
def test_vector_comparisons(name: str, exec_mask: int, family: Family) -> None:
    """V_CMPX writes EXEC as well, and that of RDNA3 nothing else."""
    kind, function = COMPARE[name]
    plain = called(name, family)
    to_exec = plain.replace("v_cmp", "v_cmpx")
    lanes = inputs((kind, kind), name)
    for start in range(0, len(lanes), 64):
        chosen = lanes[start : start + 64]
        bits = sum(int(function(a, b)) << n for n, (a, b) in enumerate(chosen)) & exec_mask
        both = f"{to_exec}_e64 s[10:11]," if family is Family.CDNA else f"{to_exec}_e32"
        for text in (f"{plain}_e32 vcc,", both):
            wave = new_waves()
            give(wave, {register(kind, 2): [a for a, _ in chosen], "exec": exec_mask})
            give(wave, {register(kind, 4): [b for _, b in chosen]})
            execute(wave, f"{text} {register(kind, 2)}, {register(kind, 4)}", family)
            written = [each for each in ("vcc", "s[10:11]") if each in text]
            target = written[0] if written else "exec"
            after = exec_mask if "vcc" in text else bits
            assert (bits, after) == (take(wave, target), take(wave, "exec"))


@both_families
@pytest.mark.parametrize("name", sorted(SCALAR))
def test_scalar_instructions(name: str, family: Family) -> None:
    kinds, kind, function = SCALAR[name]
    places = [register(k, 2 + 2 * n, "s") for n, k in enumerate(kinds) if k != "scc"]
    for sources in inputs(kinds, name):
        before = sources[-1] if kinds[-1] == "scc" else 1
        wave = new_waves()
        give(wave, {**dict(zip(places, sources, strict=False)), "scc": before})
        result = register(kind, 0, "s")
        execute(wave, f"{called(name, family)} {result}, {', '.join(places)}", family)
        wanted, scc = function(*sources)
        found = take(wave, result), take(wave, "scc")
        assert (wanted, before if scc is None else scc) == found, (name, list(map(hex, sources)))


@both_families
@pytest.mark.parametrize("name", sorted(SCALAR_COMPARE))
def test_scalar_comparisons(name: str, family: Family) -> None:
    kinds, function = SCALAR_COMPARE[name]
    places = [register(k, 2 + 2 * n, "s") for n, k in enumerate(kinds)]
    for sources in inputs(kinds, name):
        wave = new_waves()
        give(wave, dict(zip(places, sources, strict=True)))
        execute(wave, f"{called(name, family)} {', '.join(places)}", family)
        assert int(function(*sources)) == take(wave, "scc"), (name, list(map(hex, sources)))
