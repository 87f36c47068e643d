"""What creating and destroying images changes, and what a library said that it can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.images.images.descriptors import SHORT, Descriptor

OPAQUE: Final = 0
LINEAR: Final = 1

#: The bit of a capability that each access permission needs: read, write, both.
CAPABILITY: Final = {1: 1, 2: 2, 3: 4}

#: Images of no more elements than this are never too large.
SMALL: Final = 1 << 20


@dataclass(frozen=True)
class ImageAgent:
    """What an agent says of images.

    Attributes:
        limits: most width, height, depth and layers by geometry; empty if it has no images.
        row_alignment: what the row pitch of a linear image is a multiple of, if it says so.
        device: its PCI identifiers as hsa_amd_image_descriptor_t has them.

    """

    limits: Mapping[int, tuple[int, int, int, int]]
    row_alignment: int | None = None
    device: int = 0


@dataclass(frozen=True)
class Image:
    """A live image; how it was described, where that is known."""

    agent: int
    destroy: str
    levels: int = 1
    descriptor: Descriptor | None = None


def described(model: Model, address: int) -> Descriptor | None:
    """Return what a descriptor says, None through NULL."""
    content = model.read(address, SHORT + 8) if address else None
    return None if content is None else Descriptor.parse(content)


def image_agent(model: Model, agent: int) -> ImageAgent:
    """Return what an agent says of images.

    Raises:
        ProvesNothing: nobody asked it.

    """
    found = model.find("image agent", agent)
    if not isinstance(found, ImageAgent):
        raise ProvesNothing("nobody asked the agent about images")
    return found


# what was called


def _data(model: Model, answer: Answer) -> None:
    args = answer.args
    descriptor = described(model, args["image_descriptor"])
    content = answer.outputs["image_data_info"] or b""
    alignment = int.from_bytes(content[8:16], "little")
    if descriptor is None:
        return
    key = (args["agent"], *descriptor.key)
    layout = args.get("image_data_layout", OPAQUE)
    model.add("image alignment", layout, *key, thing=alignment)
    if layout == LINEAR:
        pitches = args["image_data_row_pitch"], args["image_data_slice_pitch"]
        model.add("image pitches", *key, *pitches, thing=True)


def create(model: Model, answer: Answer) -> None:
    """Remember an image that any of the functions created."""
    longer = answer.function.name.endswith("_v2")
    descriptor = described(model, answer.args["image_descriptor"])
    levels = max(descriptor.levels, 1) if longer and descriptor else 1
    destroy = "hsa_ext_image_destroy_v2" if longer else "hsa_ext_image_destroy"
    image = Image(answer.args["agent"], destroy, levels, descriptor)
    remember(model, image, answer["image"])


def _level(model: Model, answer: Answer) -> None:
    image = Image(answer.args["agent"], "hsa_ext_image_destroy_v2")
    remember(model, image, answer["level_image_out"])


def remember(model: Model, image: Image, handle: int) -> None:
    """Remember a new image, and that it has to be destroyed."""
    model.add("image", handle, thing=image)
    model.add(image.destroy, image.agent, handle, thing=image)


def _destroy(model: Model, answer: Answer) -> None:
    handle = answer.args["image"]
    image = model.find("image", handle)
    if isinstance(image, Image):
        model.remove("image", handle)
        model.remove(image.destroy, image.agent, handle)


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_ext_image_data_get_info": _data,
    "hsa_ext_image_data_get_info_with_layout": _data,
    "hsa_ext_image_data_get_info_v2": _data,
    "hsa_ext_image_create": create,
    "hsa_ext_image_create_with_layout": create,
    "hsa_ext_image_create_v2": create,
    "hsa_ext_image_mipmap_array_get_level": _level,
    "hsa_ext_image_destroy": _destroy,
    "hsa_ext_image_destroy_v2": _destroy,
}

#: What is known of the descriptors of one example, and would not be in the next process.
PASSING: Final = ("image alignment", "image pitches", "image layout")

#: What was created by either form is destroyed by its own.
CLEAN_UP = (
    CleanUp(
        "hsa_ext_image_destroy",
        "hsa_ext_image_destroy",
        "agent",
        "image",
        makers=["hsa_ext_image_create", "hsa_ext_image_create_with_layout", "hsa_amd_image_create"],
    ),
    CleanUp(
        "hsa_ext_image_destroy_v2",
        "hsa_ext_image_destroy_v2",
        "agent",
        "image",
        makers=[
            "hsa_ext_image_create_v2",
            "hsa_amd_image_create_v2",
            "hsa_ext_image_mipmap_array_get_level",
        ],
    ),
)


# what conditions ask


def _format_supported(model: Model, agent: int, address: int, access: int) -> bool:
    descriptor = described(model, address)
    if descriptor is None or access not in CAPABILITY:
        return False
    known = [
        model.find("image capability", agent, layout, *descriptor.format)
        for layout in (OPAQUE, LINEAR)
    ]
    answers = {bool(mask & CAPABILITY[access]) for mask in known if isinstance(mask, int)}
    if not isinstance(known[OPAQUE], int) or len(answers) > 1:
        raise ProvesNothing("the library did not say whether it supports the format")
    return answers == {True}


def _size_supported(model: Model, agent: int, address: int) -> bool:
    descriptor = described(model, address)
    if descriptor is None:
        return False
    limits = image_agent(model, agent).limits
    if not limits:
        return False
    if descriptor.geometry not in limits:
        raise ProvesNothing("the geometry has no limits")
    elements = 1
    for number, most, matters in zip(
        descriptor.dimensions, limits[descriptor.geometry], descriptor.uses, strict=True
    ):
        if matters and number > most:
            return False
        if bool(number) is not matters:
            raise ProvesNothing("a dimension that the geometry uses is 0, or another is not")
        elements *= max(number, 1)
    if elements > SMALL:
        raise ProvesNothing("an image within the limits may still be too large")
    return True


def _data_aligned(model: Model, agent: int, address: int, data: int) -> bool:
    descriptor = described(model, address)
    if descriptor is None or not data:
        return False
    found = [
        model.find("image alignment", layout, agent, *descriptor.key) for layout in (OPAQUE, LINEAR)
    ]
    known = [alignment for alignment in found if isinstance(alignment, int) and alignment]
    if found[OPAQUE]:
        answers = {data % alignment == 0 for alignment in known}
        if len(answers) == 1:
            return answers == {True}
        raise ProvesNothing("the alignment suits one layout and not another")
    mask = model.find("image capability", agent, OPAQUE, *descriptor.format)
    if mask == 0 or not _size_supported(model, agent, address):
        return True  # where no image can be, no alignment is asked for
    raise ProvesNothing("the library did not say which alignment it wants")


def _pitch_supported(model: Model, agent: int, address: int, row: int, slice_: int) -> bool:
    descriptor = described(model, address)
    if descriptor is None:
        return False
    least, element = descriptor.row, descriptor.element
    if least is None or not element or not least:
        raise ProvesNothing("the texts do not say how large an element is")
    pitch = row or least
    whole = descriptor.slice(pitch)
    if pitch < least or pitch % element:
        return False
    if slice_ and (not whole or slice_ < whole or slice_ % pitch):
        return False
    alignment = image_agent(model, agent).row_alignment
    if alignment and pitch % alignment:
        return False
    if alignment or model.find("image pitches", agent, *descriptor.key, row, slice_):
        return True
    raise ProvesNothing("the agent did not say which pitches it supports")


def _levels_fit(model: Model, address: int) -> bool:
    descriptor = described(model, address)
    return descriptor is not None and descriptor.levels <= descriptor.most_levels


def _pointed(model: Model, address: int) -> Image | None:
    words = model.words(address, 1) if address else ()
    found = model.find("image", words[0]) if words else None
    return found if isinstance(found, Image) else None


def _points_at_image(model: Model, address: int) -> bool:
    return _pointed(model, address) is not None


def _has_level(model: Model, address: int, level: int) -> bool:
    image = _pointed(model, address)
    return image is not None and level < image.levels


FACTS: Mapping[str, Fact] = {
    "image_format_supported": _format_supported,
    "image_size_supported": _size_supported,
    "image_pitch_supported": _pitch_supported,
    "image_data_aligned": _data_aligned,
    "mipmap_levels_fit": _levels_fit,
    "points_at_image": _points_at_image,
    "has_level": _has_level,
}
