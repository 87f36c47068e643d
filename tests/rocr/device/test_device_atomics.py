"""Atomic operations, each in every way that it finds its address."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from hsa_device.model.waves import Waves
from tests.rocr.device.device_places import HALF, NAMES, OFFSET, Place, lanes_of, registers
from tests.rocr.device.device_waves import WHOLE, execute, give

_M32 = 2**32 - 1


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value


def real(value: int, bits: int) -> float:
    layout = ("<I", "<f") if bits == 32 else ("<Q", "<d")
    found: float = struct.unpack(layout[1], struct.pack(layout[0], value))[0]
    return found


def encoded(value: float, bits: int) -> int:
    layout = ("<I", "<f") if bits == 32 else ("<Q", "<d")
    found: int = struct.unpack(layout[0], struct.pack(layout[1], value))[0]
    return found


#: What is there afterwards: of what was there, the value, and what is compared with.
_MODIFY: Mapping[str, Callable[[int, int, int, int], int]] = {
    "swap": lambda old, new, other, bits: new,
    "cmpswap": lambda old, new, other, bits: new if old == other else old,
    "add": lambda old, new, other, bits: old + new,
    "sub": lambda old, new, other, bits: old - new,
    "smin": lambda old, new, other, bits: min(old, new, key=lambda v: signed(v, bits)),
    "smax": lambda old, new, other, bits: max(old, new, key=lambda v: signed(v, bits)),
    "umin": lambda old, new, other, bits: min(old, new),
    "umax": lambda old, new, other, bits: max(old, new),
    "and": lambda old, new, other, bits: old & new,
    "or": lambda old, new, other, bits: old | new,
    "xor": lambda old, new, other, bits: old ^ new,
    "inc": lambda old, new, other, bits: 0 if old >= new else old + 1,
    "dec": lambda old, new, other, bits: new if old == 0 or old > new else old - 1,
    "fadd": lambda old, new, other, bits: encoded(real(old, bits) + real(new, bits), bits),
    "fmin": lambda old, new, other, bits: encoded(min(real(old, bits), real(new, bits)), bits),
    "fmax": lambda old, new, other, bits: encoded(max(real(old, bits), real(new, bits)), bits),
}
_LDS_NAMES = {"wrxchg": "swap", "cmpst": "cmpswap"}


def operation(name: str) -> tuple[str, int]:
    """Return the name of an atomic operation, and the bits of its numbers."""
    if name.startswith("ds_"):
        parts = name.removeprefix("ds_").replace("_rtn", "").split("_")
        bits, letter = int(parts[1][1:]), parts[1][0]
        found = _LDS_NAMES.get(parts[0], parts[0])
        if letter == "f":
            return f"f{found}", bits
        return (
            f"{'s' if letter == 'i' else 'u'}{found}" if found in ("min", "max") else found
        ), bits
    what = name.split("_atomic_")[1]
    if "_f" in what:
        return f"f{what.split('_')[0]}", int(what[-2:])
    return what.removesuffix("_x2"), 64 if what.endswith("_x2") else 32


ATOMIC = [
    n
    for n in NAMES
    if "atomic" in n
    or (
        n.startswith("ds_")
        and n.split("_")[1]
        in (*("add", "sub", "inc", "dec", "min", "max", "and", "or", "xor", "wrxchg", "cmpst"),)
    )
]


@pytest.mark.parametrize("exec_mask", [WHOLE, HALF], ids=["whole", "half"])
@pytest.mark.parametrize(
    ("name", "returns"),
    # Of LDS a name of its own says whether the number before is returned.
    [(n, r) for n in ATOMIC for r in (False, True) if n[:3] != "ds_" or r == ("_rtn" in n)],
)
def test_atomic_operations(name: str, returns: bool, exec_mask: int) -> None:
    """Lanes that change the same number do so one after the other."""
    place = Place(name)
    what, bits = operation(name)
    size, count = bits // 8, bits // 32
    floating = what[0] == "f"
    for lane in range(64):  # numbers around those of the instruction, and moderate ones
        number = encoded(lane - 20.5, bits) if floating else (lane * 3, 2**bits - lane)[lane % 2]
        octets = bytearray(place.octets.tobytes())
        place.write(octets, lane, number, size)
        place.octets[:] = np.frombuffer(octets, np.uint8)
    old = [place.read(lane, size) for lane in range(64)]
    new = [encoded(7.25 - lane, bits) if floating else lane ^ 5 for lane in range(64)]
    other = [old[lane] if lane % 3 else old[lane] ^ 1 for lane in range(64)]
    pair = (other, new) if name.startswith("ds_") else (new, other)
    for n, values in enumerate(pair):
        for half in range(count):
            words = [v >> 32 * half & _M32 for v in values]
            give(place.waves, {f"v{8 + n * count + half}": words})
    if what != "cmpswap":
        give_wide(place.waves, 8, new, count)
    give(place.waves, {"exec": exec_mask})
    execute(place.waves, _atomic_text(place, name, what, size, returns=returns))
    result = 8 if place.kind == "buffer" else 16
    for lane in range(64):
        active = exec_mask >> lane & 1
        wanted = _MODIFY[what](old[lane], new[lane], other[lane], bits) if active else old[lane]
        assert wanted % 2**bits == place.read(lane, size), (lane, hex(old[lane]))
        if returns and active:
            words = [lanes_of(place.waves, result + n)[lane] for n in range(count)]
            assert old[lane] == sum(word << 32 * n for n, word in enumerate(words))


def give_wide(waves: Waves, first: int, values: Sequence[int], count: int) -> None:
    for half in range(count):
        give(waves, {f"v{first + half}": [v >> 32 * half & _M32 for v in values]})


def _atomic_text(place: Place, name: str, what: str, size: int, *, returns: bool) -> str:
    if place.kind == "ds":
        sources = registers(8, size)
        if what == "cmpswap":
            sources += f", {registers(8 + size // 4, size)}"
        result = f"{registers(16, size)}, " if returns else ""
        return f"{name} {result}v2, {sources} offset:{OFFSET}"
    source = registers(8, 2 * size if what == "cmpswap" else size)
    suffix = " glc" if returns else ""
    if place.kind == "buffer":
        return place.text(name, source, suffix)
    if returns:
        return place.text(name, registers(16, size), suffix, source)
    return place.text(name, source)
