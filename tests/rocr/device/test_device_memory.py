"""Loads and stores, each in every way that it finds its address, and where memory ends."""

from __future__ import annotations

import numpy as np
import pytest

from hsa_device import MemoryFaultError
from tests.rocr.device.device_places import HALF, NAMES, SIZE, Place, lanes_of, registers
from tests.rocr.device.device_waves import OLD, WHOLE, execute, give, new_waves, take

_M32 = 2**32 - 1
_KINDS = {"b8": 1, "u8": 1, "i8": 1, "b16": 2, "u16": 2, "i16": 2, "b32": 4, "b64": 8}
_KINDS |= {"b96": 12, "b128": 16, "byte": 1, "ubyte": 1, "sbyte": 1, "short": 2, "ushort": 2}
_KINDS |= {"sshort": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16}


def plain(name: str) -> tuple[str, bool | None]:
    """Return what is moved, and which half of a register, None for all of it."""
    what = name.split("_", 2)[2]
    half = True if what.endswith("_d16_hi") else False if what.endswith("_d16") else None
    return what.replace("_d16", "").replace("_hi", ""), half


@pytest.mark.parametrize("exec_mask", [WHOLE, HALF], ids=["whole", "half"])
@pytest.mark.parametrize(
    "name", [n for n in NAMES if n.split("_")[1] in ("load", "read") and n.split("_")[2] in _KINDS]
)
def test_loads(name: str, exec_mask: int) -> None:
    place = Place(name)
    what, half = plain(name)
    size = _KINDS[what]
    give(place.waves, {"exec": exec_mask})
    execute(place.waves, place.text(name, registers(8, size)))
    for register in range(-(-size // 4)):
        for lane, found in enumerate(lanes_of(place.waves, 8 + register)):
            value = place.read(lane, min(size, 4), 4 * register)
            if what[0] in "si" and size < 4 and value >> 8 * size - 1:
                value |= _M32 << 8 * size & _M32
            if half is not None:
                kept = OLD & 0xFFFF if half else OLD & 0xFFFF0000
                value = kept | (value & 0xFFFF) << (16 if half else 0)
            assert (value if exec_mask >> lane & 1 else OLD) == found, (lane, hex(found))


@pytest.mark.parametrize("exec_mask", [WHOLE, HALF], ids=["whole", "half"])
@pytest.mark.parametrize(
    "name",
    [n for n in NAMES if n.split("_")[1] in ("store", "write") and n.split("_")[2] in _KINDS],
)
def test_stores(name: str, exec_mask: int) -> None:
    place = Place(name)
    what, half = plain(name)
    size = _KINDS[what]
    given = [[lane * 0x01234567 + n * 0x89ABCDEF & _M32 for lane in range(64)] for n in range(4)]
    give(place.waves, {f"v{8 + n}": each for n, each in enumerate(given)})
    give(place.waves, {"exec": exec_mask})
    wanted = bytearray(place.octets.tobytes())
    execute(place.waves, place.text(name, registers(8, size)))
    for lane in range(64):
        if exec_mask >> lane & 1:
            value = sum(each[lane] << 32 * n for n, each in enumerate(given))
            place.write(wanted, lane, value >> (16 if half else 0), size)
    assert bytes(wanted) == place.octets.tobytes()


@pytest.mark.parametrize(("words", "apart"), [(1, ""), (1, "st64"), (2, ""), (2, "st64")])
def test_two_places_of_lds(words: int, apart: str) -> None:
    unit = 4 * words * (64 if apart else 1)
    place = Place("ds_read2")
    give(place.waves, {"v2": [4 * lane for lane in range(64)]})
    name = f"{apart}_b{32 * words}"
    before = place.octets.view(np.uint32).copy()
    first, second = registers(8, 4 * words), registers(12, 4 * words)
    execute(place.waves, f"ds_read2{name} {registers(8, 8 * words)}, v2 offset0:1 offset1:3")
    for lane in range(64):
        wanted = [before[(4 * lane + o * unit) // 4 + n] for o in (1, 3) for n in range(words)]
        assert wanted == [lanes_of(place.waves, 8 + n)[lane] for n in range(2 * words)]
    give(place.waves, {"v2": 0, "v8": 1, "v9": 2, "v12": 3, "v13": 4, "exec": 1})
    execute(place.waves, f"ds_write2{name} v2, {first}, {second} offset0:1 offset1:3")
    after = place.octets.view(np.uint32)
    changed = {
        o * unit // 4 + n: 1 + n + (2 if o == 3 else 0) for o in (1, 3) for n in range(words)
    }
    wanted = [changed.get(n, value) for n, value in enumerate(before.tolist())]
    assert wanted == after.tolist()


def test_lanes_move_words_through_lds() -> None:
    """Of lanes that are not active nothing is read; of several writers the last one stays."""
    wave = new_waves()
    give(wave, {"v1": [4 * (lane ^ 1) for lane in range(64)], "v2": list(range(64))})
    give(wave, {"exec": WHOLE - 2})
    execute(wave, "ds_bpermute_b32 v0, v1, v2 offset:8")
    assert [(lane ^ 1) + 2 if lane != 1 else OLD for lane in range(60)] == lanes_of(wave, 0)[:60]
    assert [62 ^ 62, 1 ^ 1] == [
        lanes_of(wave, 0)[63],
        lanes_of(wave, 0)[62] ^ lanes_of(wave, 0)[62],
    ]
    wave = new_waves()
    give(wave, {"v1": [4 * (lane // 2) for lane in range(64)], "v2": list(range(64))})
    execute(wave, "ds_permute_b32 v0, v1, v2")
    assert [2 * lane + 1 if lane < 32 else 0 for lane in range(64)] == lanes_of(wave, 0)


def test_beyond_lds_reads_are_zero_and_writes_are_lost() -> None:
    place = Place("ds_read_b32")
    give(place.waves, {"v2": [SIZE - 4, SIZE - 2, SIZE, 2**32 - 4], "v8": 5})
    before = place.octets.tobytes()
    execute(place.waves, "ds_read_b32 v0, v2")
    last = int.from_bytes(before[-4:], "little")
    assert [last, 0, 0, 0] == lanes_of(place.waves, 0)[:4]
    execute(place.waves, "ds_write_b32 v2, v8")
    assert before[:-4] + b"\5\0\0\0" == place.octets.tobytes()


def test_beyond_a_buffer_loads_are_zero_and_stores_are_lost() -> None:
    place = Place("buffer_load_dword")
    give(place.waves, {"v2": [60, 61, 64, 0], "s[10:11]": 64, "v8": 5})
    before = place.octets.tobytes()
    execute(place.waves, "buffer_load_dword v0, v2, s[8:11], 0 offen")
    assert [int.from_bytes(before[60:64], "little"), 0, 0] == lanes_of(place.waves, 0)[:3]
    execute(place.waves, "buffer_store_dword v8, v2, s[8:11], 0 offen")
    assert before[64:] == place.octets.tobytes()[64:]


def test_a_structured_buffer_is_found_by_index() -> None:
    """The index times the stride, and the number of structures is the end."""
    place = Place("buffer_load_dword")
    start = int(place.waves.scalar_pairs[0, 4])
    give(place.waves, {"s[8:9]": start | 12 << 48, "s[10:11]": 36, "v2": [0, 1, 2, 3]})
    before = place.octets.tobytes()
    execute(place.waves, "buffer_load_dword v0, v2, s[8:11], 0 idxen offset:4")
    words = [int.from_bytes(before[12 * n + 4 : 12 * n + 8], "little") for n in range(3)]
    assert [*words, 0] == lanes_of(place.waves, 0)[:4]


def test_addresses_that_are_not_aligned() -> None:
    place = Place("global_load_dword")
    start = int(place.waves.scalar_pairs[0, 4])
    give(place.waves, {"v[2:3]": [start + 1, start + 6], "v8": [0xAABBCCDD]})
    before = place.octets.tobytes()
    execute(place.waves, "global_load_dword v0, v[2:3], off")
    wanted = [int.from_bytes(before[n : n + 4], "little") for n in (1, 6)]
    assert wanted == lanes_of(place.waves, 0)[:2]
    execute(place.waves, "global_store_dword v[2:3], v8, off")
    assert b"\xdd\xcc\xbb\xaa" == place.octets.tobytes()[6:10]
    with pytest.raises(MemoryFaultError, match="atomic operation at"):
        execute(place.waves, "global_atomic_add v[2:3], v8, off")


@pytest.mark.parametrize("base", ["s[8:9]"])
def test_a_scalar_base_and_an_offset_of_each_lane(base: str) -> None:
    place = Place("global_load_dword")
    give(place.waves, {"v2": [0, 4, 12]})
    execute(place.waves, f"global_load_dword v0, v2, {base} offset:-0")
    words = place.octets.view(np.uint32)
    assert [words[0], words[1], words[3]] == lanes_of(place.waves, 0)[:3]


def test_a_fault_names_the_address_and_changes_nothing() -> None:
    place = Place("global_load_dword")
    give(place.waves, {"v[2:3]": [16]})
    with pytest.raises(MemoryFaultError, match=r"^no memory that may be read at 0x10$"):
        execute(place.waves, "global_load_dword v0, v[2:3], off")
    assert [OLD] * 64 == lanes_of(place.waves, 0)


@pytest.mark.parametrize(
    ("suffix", "count"), [("", 1), ("x2", 2), ("x4", 4), ("x8", 8), ("x16", 16)]
)
def test_scalar_loads(suffix: str, count: int) -> None:
    """The two lowest bits of the address are ignored."""
    place = Place("s_load_dword")
    last = f"s[20:{19 + count}]" if count > 1 else "s20"
    words = place.octets.view(np.uint32).tolist()
    execute(place.waves, f"s_load_dword{suffix} {last}, s[8:9], 0x8")
    assert words[2 : 2 + count] == [take(place.waves, f"s{20 + n}") for n in range(count)]
    give(place.waves, {"s4": 6})
    execute(place.waves, f"s_load_dword{suffix} {last}, s[8:9], s4 offset:0x8")
    assert words[3 : 3 + count] == [take(place.waves, f"s{20 + n}") for n in range(count)]


def test_the_clocks_go_on() -> None:
    wave = new_waves()
    for name in ("s_memtime", "s_memrealtime"):
        execute(wave, f"{name} s[0:1]")
        before = take(wave, "s[0:1]")
        execute(wave, f"{name} s[0:1]")
        after = take(wave, "s[0:1]")
        assert isinstance(before, int)
        assert isinstance(after, int)
        assert 0 < before <= after
