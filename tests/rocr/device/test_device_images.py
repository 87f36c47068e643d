"""Loads and stores of elements of linear images and of typed buffers, format by format."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
import pytest

from hsa_device import Memory, NotExecutedError, Range
from hsa_device.model.waves import Waves
from tests.rocr.device.device_waves import OLD, execute, give, new_waves, take

_WIDTH, _HEIGHT, _SLICES, _PITCH = 5, 3, 2, 8
_X, _Y, _Z, _W = 4, 5, 6, 7
_IDENTITY = (_X, _Y, _Z, _W)
_SIZE = _PITCH * _HEIGHT * _SLICES * 16
_KINDS = {"1d": 8, "2d": 9, "3d": 10, "1da": 12, "2da": 13}
_UNORM, _SNORM, _USCALED, _SSCALED, _UINT, _SINT, _FLOAT, _SRGB = 0, 1, 2, 3, 4, 5, 7, 9


def _bits(*values: float) -> list[int]:
    return [*struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))]


#: Data format, number format, an element in memory, and X, Y, Z and W in registers.
FORMATS: list[tuple[int, int, bytes, list[int]]] = [
    (1, _UINT, b"\xfe", [0xFE]),
    (1, _SINT, b"\xfe", [0xFFFFFFFE]),
    (1, _UNORM, b"\x33", _bits(0.2)),
    (1, _UNORM, b"\xff", _bits(1.0)),
    (1, _SNORM, b"\x81", _bits(-1.0)),
    (1, _SNORM, b"\x7f", _bits(1.0)),
    (2, _UINT, b"\x34\xf2", [0xF234]),
    (2, _SINT, b"\x34\xf2", [0xFFFFF234]),
    (2, _UNORM, b"\x33\x33", _bits(0.2)),
    (2, _SNORM, b"\x01\x80", _bits(-1.0)),
    (2, _FLOAT, b"\x00\xc1", _bits(-2.5)),
    (2, _FLOAT, b"\x01\x00", _bits(2.0**-24)),
    (2, _FLOAT, b"\x00\x7c", _bits(float("inf"))),
    (3, _UINT, b"\x01\x82", [1, 0x82]),
    (4, _UINT, b"\x78\x56\x34\xf2", [0xF2345678]),
    (4, _SINT, b"\x78\x56\x34\xf2", [0xF2345678]),
    (4, _FLOAT, b"\x01\x00\xc0\x7f", [0x7FC00001]),
    (5, _SNORM, b"\xff\x7f\x01\x80", _bits(1.0, -1.0)),
    (8, _UINT, b"\x06\x20\x00\xc0", [2, 1, 2, 0x300]),
    (9, _UNORM, b"\xff\x03\x00\xc0", _bits(1.0, 0.0, 0.0, 1.0)),
    (10, _UINT, b"\x01\x02\x03\x84", [1, 2, 3, 0x84]),
    (10, _UNORM, b"\x00\x33\x66\xff", _bits(0.0, 0.2, 0.4, 1.0)),
    (11, _UINT, b"\x01\0\0\x80\x02\0\0\0", [0x80000001, 2]),
    (12, _SINT, b"\xff\xff\x02\0\x03\0\x04\x80", [0xFFFFFFFF, 2, 3, 0xFFFF8004]),
    (13, _FLOAT, struct.pack("<3f", 1.5, -2.5, 3.5), _bits(1.5, -2.5, 3.5)),
    (14, _FLOAT, struct.pack("<4f", 1.5, -2.5, 3.5, 9.0), _bits(1.5, -2.5, 3.5, 9.0)),
    (16, _UNORM, b"\x1f\x00", _bits(1.0, 0.0, 0.0)),
    (16, _UNORM, b"\xe0\x07", _bits(0.0, 1.0, 0.0)),
    (16, _UNORM, b"\x00\xf8", _bits(0.0, 0.0, 1.0)),
    (17, _UNORM, b"\xe0\x83", _bits(0.0, 1.0, 0.0, 1.0)),
    (18, _UNORM, b"\x3f\x00", _bits(1.0, 1.0, 0.0, 0.0)),
    (19, _UINT, b"\x21\x43", [1, 2, 3, 4]),
]
#: Those that are only loaded.
LOADED: list[tuple[int, int, bytes, list[int]]] = [
    (1, _SNORM, b"\x80", _bits(-1.0)),
    (1, _USCALED, b"\xfe", _bits(254.0)),
    (1, _SSCALED, b"\xfe", _bits(-2.0)),
    (10, _SRGB, b"\x00\xff\x0a\x33", _bits(0.0, 1.0, 10 / 255 / 12.92, 0.2)),
    (10, _SRGB, b"\xbc\x00\x00\x00", _bits(((188 / 255 + 0.055) / 1.055) ** 2.4, 0.0, 0.0, 0.0)),
]
#: What does not convert exactly: data format, number format, a number, and what is stored.
ROUNDED = [
    (1, _UNORM, 2.0, b"\xff"),
    (1, _UNORM, -1.0, b"\x00"),
    (1, _UNORM, float("nan"), b"\x00"),
    (1, _UNORM, 0.5, b"\x80"),
    (1, _SNORM, -2.0, b"\x81"),
    (1, _SNORM, 0.5, b"\x40"),
    (2, _FLOAT, 1.0 + 2.0**-11, b"\x00\x3c"),
    (2, _FLOAT, 1e6, b"\x00\x7c"),
]


class Picture:
    """An image or a typed buffer in memory, and a wave that accesses it.

    Args:
        data: its data format.
        number: its number format.
        kind: of `_KINDS`.
        selects: DST_SEL.
        changed: fields of its resource that have other values: first bit, and value.

    """

    def __init__(
        self,
        data: int,
        number: int,
        kind: str = "2d",
        selects: Sequence[int] = _IDENTITY,
        changed: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.content = np.full(_SIZE + 512, 0xA5, np.uint8)
        place = self.content.ctypes.data
        self.start = -(-place // 256) * 256
        self.octets = self.content[self.start - place : self.start - place + _SIZE]
        self.waves: Waves = new_waves(1, Memory(lambda: [Range(self.start, self.octets)]))
        self.texel = next(len(e[2]) for e in FORMATS if e[0] == data)
        swizzle = sum(select << 3 * n for n, select in enumerate(selects))
        resource = self.start >> 8 | data << 52 | number << 58 | _KINDS[kind] << 124
        resource |= _WIDTH - 1 << 64 | _HEIGHT - 1 << 78 | swizzle << 96
        resource |= _SLICES - 1 << 128 | _PITCH - 1 << 141
        for first, value in changed:
            resource |= value << first
        for n in range(4):
            half = resource >> 64 * n & 2**64 - 1
            give(self.waves, {f"s[{8 + 2 * n}:{9 + 2 * n}]": half})
        buffer = self.start | self.texel << 48
        records = _WIDTH * self.texel | (swizzle | number << 12 | data << 15) << 32
        give(self.waves, {"s[20:21]": buffer, "s[22:23]": records})
        self.array = " da" if kind.endswith("a") else ""

    def do(self, name: str, dmask: int = 15) -> None:
        count = dmask.bit_count()
        data = "v8" if count == 1 else f"v[8:{7 + count}]"
        execute(self.waves, f"{name} {data}, v[2:4], s[8:15] dmask:{dmask:#x} unorm{self.array}")

    def do_buffer(self, name: str, count: int = 4) -> None:
        data = "v8" if count == 1 else f"v[8:{7 + count}]"
        execute(self.waves, f"{name} {data}, v2, s[20:23], 0 idxen")

    def place(self, element: int) -> slice:
        return slice(element * self.texel, (element + 1) * self.texel)

    def lane(self, lane: int, count: int = 4) -> list[int]:
        found = []
        for n in range(count):
            lanes = take(self.waves, f"v{8 + n}")
            assert not isinstance(lanes, int)
            found.append(lanes[lane])
        return found


def _four(components: Sequence[int]) -> list[int]:
    return [*components, 0, 0, 0][:4]


@pytest.mark.parametrize(("data", "number", "content", "components"), [*FORMATS, *LOADED])
def test_elements_are_loaded(
    data: int, number: int, content: bytes, components: Sequence[int]
) -> None:
    """The last element of the second row, in a row that is longer than the image is wide."""
    made = Picture(data, number)
    made.octets[made.place(_PITCH + _WIDTH - 1)] = list(content)
    give(made.waves, {"v2": [0, _WIDTH - 1], "v3": [0, 1], "exec": 2})
    made.do("image_load")
    assert _four(components) == made.lane(1)
    assert [OLD] * 4 == made.lane(0)


@pytest.mark.parametrize(("data", "number", "content", "components"), FORMATS)
def test_elements_are_stored(
    data: int, number: int, content: bytes, components: Sequence[int]
) -> None:
    """The last element of the second row; all else stays, the padding of rows too."""
    made = Picture(data, number)
    wanted = made.octets.copy()
    wanted[made.place(_PITCH + _WIDTH - 1)] = list(content)
    give(made.waves, {"v2": [0, _WIDTH - 1], "v3": [0, 1], "exec": 2})
    give(made.waves, {f"v{8 + n}": [OLD, each] for n, each in enumerate(_four(components))})
    made.do("image_store")
    assert wanted.tobytes() == made.octets.tobytes()


@pytest.mark.parametrize(("data", "number", "value", "content"), ROUNDED)
def test_numbers_are_rounded_and_clamped(
    data: int, number: int, value: float, content: bytes
) -> None:
    made = Picture(data, number)
    give(made.waves, {"v2": 0, "v3": 0, "v8": _bits(value), "exec": 1})
    made.do("image_store", 1)
    assert content == made.octets[made.place(0)].tobytes()


@pytest.mark.parametrize("kind", _KINDS)
def test_coordinates(kind: str) -> None:
    """Each element of each kind of image lies where rows and slices of the pitch put it."""
    made = Picture(4, _UINT, kind)
    words = made.octets.view(np.uint32)
    words[:] = np.arange(len(words), dtype=np.uint32)
    height, slices = (
        (_HEIGHT if kind[0] != "1" else 1),
        (_SLICES if kind not in ("1d", "2d") else 1),
    )
    at = [(x, y, z) for z in range(slices) for y in range(height) for x in range(_WIDTH)]
    used = [0, 2] if kind == "1da" else [0, 1, 2]
    for register, axis in enumerate(used):
        give(made.waves, {f"v{2 + register}": [place[axis] for place in at]})
    give(made.waves, {"exec": 2 ** len(at) - 1})
    made.do("image_load", 1)
    wanted = [x + _PITCH * (y + height * z) for x, y, z in at]
    assert wanted == [made.lane(lane, 1)[0] for lane in range(len(at))]
    give(made.waves, {"v8": [1000 + each for each in wanted]})
    made.do("image_store", 1)
    expected = [n + 1000 * (n in wanted) for n in range(len(words))]
    assert expected == words.tolist()


@pytest.mark.parametrize("kind", _KINDS)
def test_outside_of_an_image(kind: str) -> None:
    """Just beyond each edge, and before it, loads are 0 and stores do nothing."""
    made = Picture(4, _UINT, kind)
    before = made.octets.tobytes()
    limits = [
        _WIDTH,
        *([_HEIGHT] if kind[0] != "1" else []),
        *([_SLICES] if kind[1:] != "d" else []),
    ]
    limits = limits[: {"1d": 1, "2d": 2, "1da": 2}.get(kind, 3)]
    for axis, limit in enumerate(limits):
        for beyond in (limit, 2**32 - 1, 2**31):
            give(made.waves, {"v2": 0, "v3": 0, "v4": 0, "exec": 1, "v8": 5})
            give(made.waves, {f"v{2 + axis}": beyond})
            made.do("image_store", 1)
            assert before == made.octets.tobytes()
            made.do("image_load", 1)
            assert [0] == made.lane(0, 1)


@pytest.mark.parametrize(
    "bit", [40, 51, 62, 63, 78, 92, 94, 121, 123, 157, 159, 173, 176, 177, 191]
)
def test_a_field_ends_where_the_next_begins(bit: int) -> None:
    """A bit of what no load needs, or of the height, changes no place and no other edge.

    ROCr lays out an image resource of generation 9 in `image/resource_ai.h`: the base address has
    40 bits and the least level 12, width and height have 14 each, depth and first slice 13 each,
    and the pitch has 16.
    """
    made = Picture(4, _UINT, "2da", changed=[(bit, 1)])
    words = made.octets.view(np.uint32)
    words[:] = np.arange(1, len(words) + 1, dtype=np.uint32)
    give(made.waves, {"v2": [_WIDTH - 1, _WIDTH, 0, 0], "v3": [_HEIGHT - 1, 0, 0, _HEIGHT + 1]})
    give(made.waves, {"v4": [0, 0, _SLICES, 0], "exec": 15})
    made.do("image_load", 1)
    last = _WIDTH - 1 + _PITCH * (_HEIGHT - 1)
    assert [words[last], 0, 0, 0] == [made.lane(lane, 1)[0] for lane in range(4)]


def test_a_view_of_slices_begins_at_its_first() -> None:
    """In an array that begins with its slice 1, slice 0 is that one, and there is no slice 1."""
    made = Picture(4, _UINT, "2da", changed=[(160, 1)])
    made.octets.view(np.uint32)[_PITCH * _HEIGHT] = 7
    give(made.waves, {"v2": 0, "v3": 0, "v4": [0, 1], "exec": 3})
    made.do("image_load", 1)
    assert [7, 0] == [made.lane(lane, 1)[0] for lane in (0, 1)]


@pytest.mark.parametrize(
    ("selects", "loaded"),
    [
        ((_Z, _Y, _X, _W), [3, 2, 1, 4]),
        ((_Y, _Z, _W, _X), [2, 3, 4, 1]),
        ((_X, 0, 0, 1), [1, 0, 0, 1]),
        ((0, 0, 0, _X), [0, 0, 0, 1]),
    ],
)
def test_components_change_places(selects: Sequence[int], loaded: Sequence[int]) -> None:
    """What is loaded and stored again has its old bytes, where nothing else is selected."""
    made = Picture(10, _UINT, selects=selects)
    made.octets[made.place(0)] = [1, 2, 3, 4]
    give(made.waves, {"v2": [0, 1], "v3": 0, "exec": 1})
    made.do("image_load")
    assert loaded == made.lane(0)
    give(made.waves, {"v2": 1})
    made.do("image_store")
    kept = [n + 1 if _X + n in selects else 0 for n in range(4)]
    assert kept == made.octets[made.place(1)].tolist()


def test_the_constant_one_is_a_number_of_the_kind() -> None:
    made = Picture(1, _UNORM, selects=(_X, 0, 0, 1))
    give(made.waves, {"v2": 0, "v3": 0, "exec": 1})
    made.do("image_load")
    assert _bits(1.0) == made.lane(0)[3:]


def test_a_mask_of_components() -> None:
    """Registers follow each other; what is not written counts as 0."""
    made = Picture(10, _UINT)
    made.octets[made.place(0)] = [1, 2, 3, 4]
    give(made.waves, {"v2": [0, 1], "v3": 0, "exec": 1})
    made.do("image_load", 0b1010)
    assert [2, 4, OLD] == made.lane(0, 3)
    made.do("image_store", 0b0101)
    assert [2, 0, 4, 0] == made.octets[made.place(0)].tolist()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("data", "number", "content", "components"),
    [each for each in FORMATS if each[0] < 16],  # other formats are those of images alone
)
def test_elements_of_buffers(
    data: int, number: int, content: bytes, components: Sequence[int], count: int
) -> None:
    """The last element of a typed buffer is loaded and stored; beyond it there is none."""
    made = Picture(data, number)
    made.octets[made.place(_WIDTH - 1)] = list(content)
    give(made.waves, {"v2": [_WIDTH - 1, _WIDTH], "exec": 3})
    made.do_buffer(f"buffer_load_format_{'xyzw'[:count]}", count)
    assert _four(components)[:count] == made.lane(0, count)
    assert [0] * count == made.lane(1, count)
    assert [OLD] * count == made.lane(2, count)
    give(made.waves, {f"v{8 + n}": [each] for n, each in enumerate(_four(components))})
    made.octets[:] = 0xA5
    wanted = made.octets.copy()
    wanted[made.place(_WIDTH - 1)] = list(content)
    made.do_buffer("buffer_store_format_xyzw")
    assert wanted.tobytes() == made.octets.tobytes()


@pytest.mark.parametrize("name", ["image_load", "image_store"])
@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ((116, 9), "the tiled layout SW_MODE 9 is opaque, and not imitated"),
        ((108, 1), "levels or compression"),
        ((112, 1), "levels or compression"),
        ((213, 1), "levels or compression"),
        ((124, 6), "does not execute images of type 15"),
        ((52, 32), "data format 42"),
        ((58, 2), "number format 6"),
    ],
)
def test_what_is_not_executed_stops(name: str, changed: tuple[int, int], complaint: str) -> None:
    """Other layouts and formats are named, and nothing is written."""
    made = Picture(10, _UINT, changed=[changed])
    before = made.octets.tobytes()
    give(made.waves, {"v2": 0, "v3": 0, "v8": 1, "v9": 1, "v10": 1, "v11": 1})
    with pytest.raises(NotExecutedError, match=complaint):
        made.do(name)
    assert before == made.octets.tobytes()
    assert [1] == made.lane(0, 1)


@pytest.mark.parametrize(
    ("made", "words", "complaint"),
    [
        (Picture(1, _UINT), [256, 0, 0, 0], "an integer that 8 bits cannot hold"),
        (Picture(1, _SINT), [128, 0, 0, 0], "an integer that 8 bits cannot hold"),
        (Picture(1, _UINT, selects=(_X,) * 4), [1, 1, 2, 1], "several components to one place"),
        (Picture(10, _SRGB), [0, 0, 0, 0], "a store as srgb"),
    ],
)
def test_what_no_text_says_is_not_stored(
    made: Picture, words: Sequence[int], complaint: str
) -> None:
    before = made.octets.tobytes()
    give(made.waves, {"v2": 0, "v3": 0, "exec": 1})
    give(made.waves, {f"v{8 + n}": word for n, word in enumerate(words)})
    with pytest.raises(NotExecutedError, match=complaint):
        made.do("image_store")
    assert before == made.octets.tobytes()


def test_the_constant_one_outside_of_an_image_is_not_executed() -> None:
    made = Picture(1, _UINT, selects=(_X, 0, 0, 1))
    give(made.waves, {"v2": _WIDTH, "v3": 0})
    with pytest.raises(NotExecutedError, match="always 1"):
        made.do("image_load")


def test_the_resource_of_a_buffer_is_no_image() -> None:
    made = Picture(10, _UINT)
    give(made.waves, {f"s[{n}:{n + 1}]": 0 for n in range(8, 16, 2)})
    with pytest.raises(NotExecutedError, match="images of type 0 are reserved, and not imitated"):
        made.do("image_load")


def test_without_active_lanes_nothing_is_looked_at() -> None:
    """The resource may then be anything."""
    made = Picture(10, _UINT, changed=[(116, 9)])
    give(made.waves, {"exec": 0})
    made.do("image_load")
    made.do("image_store")
    assert [OLD] == made.lane(0, 1)


def test_waves_with_different_images_are_not_executed_together() -> None:
    waves = new_waves(2)
    waves.scalar_pairs[:, 4] = [1, 2]
    with pytest.raises(NotExecutedError, match="different resources"):
        execute(waves, "image_load v8, v[2:3], s[8:15] dmask:0x1 unorm")
