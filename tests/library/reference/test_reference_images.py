"""Images and samplers of the reference: how elements are stored, limits, parts, machines."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_reference import load_machine
from hsa_reference.images.images.elements import element
from hsa_spec.machines import MachineError
from tests.library.reference.reference_client import Client, readable

OUT = Client.OUT
READ, WRITE = 1, 2  # access permissions
RECTANGLE, BOX, ROWS, RECTANGLES, BUFFER = 1, 2, 3, 4, 5
UNSIGNED_BYTES, RGBA, RED = 11, 8, 1
LINEAR = 1
LONG = (1 << 32) - 1


def floats(*values: float) -> tuple[int, ...]:
    return struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))


@pytest.mark.parametrize(
    ("channel_type", "order", "value", "expected"),
    [
        ("UNORM_INT8", "RGBA", floats(0, 1, 0.5, 2), "00 ff 80 ff"),
        ("UNORM_INT8", "R", floats(math.nan, 1, 1, 1), "00"),
        ("UNORM_INT16", "RG", floats(-1, 1, 0, 0), "00 00 ff ff"),
        ("SNORM_INT8", "RGBA", floats(-1, 1, -2, 0.5), "81 7f 81 40"),
        ("SNORM_INT16", "R", floats(-1, 0, 0, 0), "01 80"),
        ("UNSIGNED_INT8", "RGBA", (1, 255, 256, LONG), "01 ff ff ff"),
        ("UNSIGNED_INT16", "A", (0, 0, 0, 0x12345), "ff ff"),
        ("UNSIGNED_INT32", "R", (0x12345678, 0, 0, 0), "78 56 34 12"),
        ("SIGNED_INT8", "RGBA", (LONG, 127, 128, LONG - 199), "ff 7f 7f 80"),
        ("SIGNED_INT32", "R", (LONG - 1, 0, 0, 0), "fe ff ff ff"),
        ("HALF_FLOAT", "RG", floats(1, -2, 0, 0), "00 3c 00 c0"),
        ("HALF_FLOAT", "RG", floats(1e6, -math.inf, 0, 0), "00 7c 00 fc"),
        ("HALF_FLOAT", "R", floats(65519, 0, 0, 0), "ff 7b"),
        ("FLOAT", "R", floats(1, 0, 0, 0), "00 00 80 3f"),
        ("UNORM_INT8", "BGRA", floats(1, 0, 0.2, 0.4), "33 00 ff 66"),
        ("UNORM_INT8", "ARGB", floats(1, 0, 0.2, 0.4), "66 ff 00 33"),
        ("UNORM_INT8", "ABGR", floats(1, 0, 0.2, 0.4), "66 33 00 ff"),
        ("UNORM_INT8", "RA", floats(1, 0, 0, 0.4), "ff 66"),
        ("UNORM_INT8", "INTENSITY", floats(0.2, 1, 1, 1), "33"),
        ("FLOAT", "LUMINANCE", floats(1, 0, 0, 0), "00 00 80 3f"),
        ("UNORM_SHORT_565", "RGB", floats(1, 0, 0, 0), "00 f8"),
        ("UNORM_SHORT_565", "RGB", floats(0, 1, 0, 0), "e0 07"),
        ("UNORM_SHORT_555", "RGB", floats(0, 0, 1, 0), "1f 00"),
        ("UNORM_SHORT_555", "RGB", floats(1, 0, 0, 0), "00 7c"),
        ("UNORM_SHORT_101010", "RGB", floats(1, 0, 0, 0), "00 00 f0 3f"),
        ("UNORM_INT8", "SRGBA", floats(0.5, 0, 1, 0.5), "bc 00 ff 80"),
        ("UNORM_INT8", "SBGRA", floats(0.001, 0, 1, 1), "ff 00 03 ff"),
        ("UNORM_INT8", "SRGB", floats(1, 0, 0.5, 0), "ff 00 bc"),
        ("UNORM_INT16", "DEPTH", floats(1), "ff ff"),
        ("FLOAT", "DEPTH", floats(0.5), "00 00 00 3f"),
    ],
)
def test_a_value_is_converted_to_channel_type_and_order(
    channel_type: str, order: str, value: tuple[int, ...], expected: str
) -> None:
    found = element(channel_type, order)
    assert found is not None
    assert (len(value), expected) == (found.values, found.encode(value).hex(" "))
    assert len(bytes.fromhex(expected)) == found.size


@pytest.mark.parametrize(
    "image_format",
    [
        ("UNORM_INT8", "RGBX"),
        ("UNORM_INT8", "RGB"),
        ("UNORM_SHORT_565", "RGBA"),
        ("FLOAT", "SRGBA"),
    ],
)
def test_what_no_text_lays_out_has_no_element(image_format: tuple[str, str]) -> None:
    assert element(*image_format) is None


class Photographer:
    """A client with images of bytes in memory of its own."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.gpu = client.gpu
        self._memory: list[ctypes.Array[ctypes.c_char]] = []

    def memory(self, content: bytes | int) -> int:
        size = content if isinstance(content, int) else len(content)
        room = ctypes.create_string_buffer(size + 256)
        self._memory.append(room)
        address = -(-ctypes.addressof(room) // 256) * 256
        if isinstance(content, bytes):
            ctypes.memmove(address, content, size)
        return address

    def descriptor(
        self,
        geometry: int,
        *size: int,
        order: int = RGBA,
        kind: int = UNSIGNED_BYTES,
        levels: int = 1,
    ) -> int:
        return self.memory(struct.pack("<I4xQQQQIIQ", geometry, *size, kind, order, levels))

    def linear(self, geometry: int, *size: int, row: int = 0) -> tuple[int, int]:
        """Return an image with linear data, and the data."""
        described = self.descriptor(geometry, *size)
        info = self.memory(16)
        layout = LINEAR, row, 0
        query = "hsa_ext_image_data_get_info_with_layout"
        self.client.ok(query, self.gpu, described, READ, *layout, info)
        data = self.memory(bytes(ctypes.c_uint64.from_address(info).value))
        create = "hsa_ext_image_create_with_layout"
        return self.client.ok(create, self.gpu, described, data, READ, *layout, OUT), data

    def numbers(self, *values: int) -> int:
        return self.memory(struct.pack(f"<{len(values)}I", *values))

    def clear(self, image: int, red: int, start: tuple[int, ...], part: tuple[int, ...]) -> str:
        value, region = self.numbers(red, 2, 3, 4), self.numbers(*start, *part)
        return self.client.call("hsa_ext_image_clear", self.gpu, image, value, region)


@pytest.fixture
def photographer(client: Client) -> Photographer:
    return Photographer(client)


def test_a_part_of_a_box_is_cleared(photographer: Photographer) -> None:
    image, data = photographer.linear(BOX, 64, 2, 3, 0)
    photographer.clear(image, 9, (1, 1, 2), (2, 1, 1))
    row = 5 * 256  # slice 2, row 1
    assert bytes([0] * 4 + [9, 2, 3, 4] * 2 + [0] * 4) == ctypes.string_at(data + row, 16)
    assert 8 == sum(map(bool, ctypes.string_at(data, 6 * 256)))


def test_a_layer_of_rows_is_cleared(photographer: Photographer) -> None:
    image, data = photographer.linear(ROWS, 64, 0, 0, 3)
    photographer.clear(image, 9, (0, 0, 1), (1, 0, 1))
    assert bytes([9, 2, 3, 4]) == ctypes.string_at(data + 256, 4)


def test_data_may_be_where_the_host_has_no_access(photographer: Photographer) -> None:
    client, gpu = photographer.client, photographer.gpu
    data = client.ok("hsa_amd_memory_pool_allocate", client.pool, 1 << 12, 0, OUT)
    described = photographer.descriptor(RECTANGLE, 64, 2, 0, 0)
    image = client.ok("hsa_ext_image_create", gpu, described, data, READ, OUT)
    source, _ = photographer.linear(RECTANGLE, 64, 1, 0, 0)
    photographer.clear(source, 8, (0, 0, 0), (1, 1, 1))
    photographer.clear(image, 9, (0, 0, 0), (64, 2, 1))
    origin, to, one = (photographer.numbers(*n) for n in ((0, 0, 0), (1, 1, 0), (1, 1, 1)))
    client.ok("hsa_ext_image_copy", gpu, source, origin, image, to, one)
    found, region = photographer.memory(bytes(8)), photographer.numbers(0, 1, 0, 2, 1, 1)
    client.ok("hsa_ext_image_export", gpu, image, found, 0, 0, region)
    assert bytes([9, 2, 3, 4, 8, 2, 3, 4]) == ctypes.string_at(found, 8)
    assert not readable(data)


def test_a_part_outside_is_refused(photographer: Photographer) -> None:
    image, data = photographer.linear(BUFFER, 64, 0, 0, 0)
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == photographer.clear(
        image, 9, (63, 0, 0), (2, 1, 1)
    )
    assert bytes(256) == ctypes.string_at(data, 256)


def test_a_rectangle_is_copied_into_a_layer(photographer: Photographer) -> None:
    source, theirs = photographer.linear(RECTANGLE, 64, 2, 0, 0, row=512)
    target, ours = photographer.linear(RECTANGLES, 64, 2, 0, 2)
    ctypes.memmove(theirs + 512, bytes(range(1, 9)), 8)
    places = [photographer.numbers(*place) for place in ((0, 1, 0), (2, 0, 1), (2, 1, 1))]
    first, to, part = places
    photographer.client.ok("hsa_ext_image_copy", photographer.gpu, source, first, target, to, part)
    assert bytes(8) + bytes(range(1, 9)) + bytes(8) == ctypes.string_at(ours + 512, 24)


def test_images_of_larger_elements_are_not_copied(photographer: Photographer) -> None:
    source, _ = photographer.linear(RECTANGLE, 64, 2, 0, 0)
    described = photographer.descriptor(RECTANGLE, 64, 2, 0, 0, order=RED)
    data = photographer.memory(1024)
    target = photographer.client.ok(
        "hsa_ext_image_create", photographer.gpu, described, data, READ, OUT
    )
    zero, part = photographer.numbers(0, 0, 0), photographer.numbers(1, 1, 1)
    args = photographer.gpu, source, zero, target, zero, part
    answer = photographer.client.call("hsa_ext_image_copy", *args)
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == answer


def test_a_level_is_an_image_behind_those_before_it(photographer: Photographer) -> None:
    client, gpu = photographer.client, photographer.gpu
    described = photographer.descriptor(RECTANGLE, 64, 4, 0, 0, levels=3)
    data = photographer.memory(bytes(7 * 256))
    whole = photographer.memory(
        struct.pack("<Q", client.ok("hsa_ext_image_create_v2", gpu, described, data, WRITE, OUT))
    )
    get = "hsa_ext_image_mipmap_array_get_level"
    level = client.ok(get, gpu, whole, 1, described, OUT)
    photographer.clear(level, 9, (0, 1, 0), (32, 1, 1))
    assert bytes([9, 2, 3, 4]) * 32 == ctypes.string_at(data + 5 * 256, 128)
    assert 128 == sum(map(bool, ctypes.string_at(data, 7 * 256)))
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == photographer.clear(level, 9, (0, 2, 0), (1, 1, 1))


def test_images_of_another_agent_are_left_alone(photographer: Photographer) -> None:
    image, _ = photographer.linear(RECTANGLE, 64, 2, 0, 0)
    other = photographer.client.agents()[2]
    refused = "HSA_STATUS_ERROR_INVALID_ARGUMENT"
    assert refused == photographer.client.call("hsa_ext_image_destroy", other, image)
    photographer.client.ok("hsa_ext_image_destroy", photographer.gpu, image)


def make_image(p: Photographer) -> str:
    described = p.descriptor(RECTANGLE, 64, 1, 0, 0)
    args = p.gpu, described, p.memory(256), WRITE, OUT
    return p.client.call("hsa_ext_image_create", *args)


def make_sampler(p: Photographer) -> str:
    return p.client.call("hsa_ext_sampler_create", p.gpu, p.numbers(0, 0, 0), OUT)


@pytest.mark.parametrize(
    ("attribute", "make"),
    [("MAX_IMAGE_RORW_HANDLES", make_image), ("MAX_SAMPLER_HANDLERS", make_sampler)],
)
def test_there_are_as_many_as_the_agent_says(
    photographer: Photographer, attribute: str, make: Callable[[Photographer], str]
) -> None:
    most = photographer.client.ok(
        "hsa_agent_get_info", photographer.gpu, f"HSA_EXT_AGENT_INFO_{attribute}", OUT
    )
    assert {"HSA_STATUS_SUCCESS"} == {make(photographer) for _ in range(most)}
    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == make(photographer)


MACHINE = """\
summary: Images as the file says.
cpus:
  - {memory: 16 MiB}
gpus:
  - {target: gfx1100, memory: 16 MiB}
runtime:
  agents:
    gpu0:
      image_formats: FORMATS
"""


def machine(tmp_path: Path, formats: str) -> Path:
    path = tmp_path / "pictures.yaml"
    path.write_text(MACHINE.replace("FORMATS", formats))
    return path


def capability(client: Client, kind: int, order: int) -> int:
    text = struct.pack("<II", kind, order)
    buffer = ctypes.create_string_buffer(text, len(text))
    query = "hsa_ext_image_get_capability"
    return client.ok(query, client.gpu, RECTANGLE, ctypes.addressof(buffer), OUT)


def test_formats_are_those_of_the_file(tmp_path: Path) -> None:
    formats = "[{geometries: [2d], orders: [r], types: [float], capabilities: [read_only]}]"
    client = Client(load_machine(machine(tmp_path, formats)))
    client.ok("hsa_init")
    assert (1, 0) == (capability(client, 15, 1), capability(client, UNSIGNED_BYTES, RGBA))
    client.finish()


def test_a_gpu_without_formats_has_no_images(tmp_path: Path) -> None:
    client = Client(load_machine(machine(tmp_path, "[]")))
    client.ok("hsa_init")
    gpu, images = client.gpu, "HSA_EXTENSION_IMAGES"
    assert 0 == capability(client, UNSIGNED_BYTES, RGBA)
    assert 0 == client.ok("hsa_agent_extension_supported", images, gpu, 1, 0, OUT)
    attribute = "HSA_EXT_AGENT_INFO_IMAGE_SUPPORT"
    assert 0 == client.ok("hsa_agent_get_info", gpu, attribute, OUT)
    client.finish()


def test_a_cpu_with_formats_has_the_extension(tmp_path: Path) -> None:
    formats = "[{geometries: [2d], orders: [r], types: [float], capabilities: [read_only]}]"
    path = machine(tmp_path, formats)
    path.write_text(path.read_text().replace("gpu0:", "cpu:"))
    client = Client(load_machine(path))
    client.ok("hsa_init")
    images = "HSA_EXTENSION_IMAGES"
    found = [
        client.ok("hsa_agent_extension_supported", images, agent, 1, 0, OUT)
        for agent in (client.cpu, client.gpu)
    ]
    assert [1, 1] == found
    client.finish()


def test_a_format_that_no_text_lays_out_is_a_mistake_of_the_file(tmp_path: Path) -> None:
    formats = "[{geometries: [2d], orders: [rx], types: [float], capabilities: [read_only]}]"
    with pytest.raises(MachineError, match=r":9: .*how elements of rx and float are stored"):
        load_machine(machine(tmp_path, formats))
