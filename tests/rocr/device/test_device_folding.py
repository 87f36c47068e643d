"""Instructions compute what LLVM makes of the same operations on constants."""

from __future__ import annotations

import random

import pytest

from tests.rocr.device.device_waves import execute, give, new_waves, take
from tests.rocr.device.folding import FOLDED, ReferenceOperation, compiler, folded
from tests.rocr.device.manual_numbers import is_nan, mask, signalling
from tests.rocr.device.test_device_manual import inputs, register

_LANES = 64
#: Both are approximations, LLVM's and ours: they may differ in the last bit.
_NEAR = ("v_sin_f32", "v_cos_f32")
#: The least normal number of 32 bits, the largest with a normal reciprocal, and infinity.
_NORMAL, _ROOM, _INFINITE = 0x00800000, 0x7E800000, 0x7F800000


def _rows(name: str, each: ReferenceOperation) -> list[tuple[int, ...]]:
    """Return sources for all lanes: edges and others, by the name."""
    kinds = [f"u{kind[1:]}" if kind[0] in "ph" else kind for kind in each.sources]
    rows = [row for row in inputs(kinds, name) if _comparable(name, each, row)]
    return random.Random(name).sample(rows, _LANES)


def _comparable(name: str, each: ReferenceOperation, row: tuple[int, ...]) -> bool:
    """Return whether LLVM speaks of the same: it knows no signalling NaN, and differs in points.

    Where the third source of V_MED3 is NaN, it takes the larger of the others, and the manual
    (12.12) the smaller. To V_RCP denormal numbers are 0, and the sine of -0 is -0 (CDNA4 ISA,
    12.8).
    """
    size = row[0] & mask(31)
    if name == "v_rcp_f32" and (0 < size < _NORMAL or _ROOM < size < _INFINITE):
        return False
    if name == "v_sin_f32" and not size:
        return False
    if name == "v_med3_f32" and is_nan(row[2], 32):
        return False
    numbers = zip(each.sources, row, strict=True)
    return not any(kind[0] == "f" and signalling(bits, int(kind[1:])) for kind, bits in numbers)


@pytest.fixture(scope="module")
def answers() -> dict[str, list[int | None]]:
    """Return what LLVM says, by mnemonic: one run of the compiler for all."""
    if compiler() is None:
        pytest.skip("needs clang for AMD GPUs (Debian: clang-19)")
    asked = [(each, row) for name, each in FOLDED.items() for row in _rows(name, each)]
    found = iter(folded(asked))
    return {name: [next(found) for _ in range(_LANES)] for name in FOLDED}


def _computed(name: str, each: ReferenceOperation, rows: list[tuple[int, ...]]) -> list[int]:
    kinds = [f"u{kind[1:]}" for kind in each.sources]
    places = [register(kind, 2 + 2 * n) for n, kind in enumerate(kinds)]
    wave = new_waves()
    for n, place in enumerate(places):
        give(wave, {place: [row[n] for row in rows]})
    result = "s[10:11]" if each.result == "u1" else register(f"u{each.result[1:]}", 0)
    mnemonic, _, modifier = name.partition(" ")
    execute(wave, f"{mnemonic} {', '.join([result, *places])} {modifier}".strip())
    found = take(wave, result)
    if isinstance(found, int):
        return [found >> lane & 1 for lane in range(_LANES)]
    return [value & mask(int(each.result[1:])) for value in found]


@pytest.mark.parametrize("name", FOLDED)
def test_constants_are_folded_alike(name: str, answers: dict[str, list[int | None]]) -> None:
    each, rows = FOLDED[name], _rows(name, FOLDED[name])
    found = _computed(name, each, rows)
    differing = [
        (list(map(hex, row)), hex(wanted), hex(value))
        for row, wanted, value in zip(rows, answers[name], found, strict=True)
        if wanted is not None and not _same(name, each, wanted, value)
    ]
    assert [] == differing
    assert any(wanted is not None for wanted in answers[name])


def _same(name: str, each: ReferenceOperation, wanted: int, found: int) -> bool:
    """Return whether results are the same; any NaN is as good as another."""
    if each.result[0] == "h":
        halves = [(wanted >> place & mask(16), found >> place & mask(16)) for place in (0, 16)]
        return all(_same(name, ReferenceOperation("f16", (), ""), *half) for half in halves)
    if each.result[0] == "f" and is_nan(wanted, bits := int(each.result[1:])):
        return is_nan(found, bits)
    return abs(wanted - found) <= (name in _NEAR)
