"""Formats of images that GPUs have, unless a machine file says otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from hsa_spec.documents import read_documents
from hsa_spec.machines.model import ImageFormats

_FILE = Path(__file__).with_name("image_formats.yaml")


@cache
def usual_image_formats() -> tuple[ImageFormats, ...]:
    """Return the formats of a GPU whose machine file names none."""
    (document,) = read_documents(_FILE)
    return image_formats(document.data["formats"])


def image_formats(items: Iterable[Mapping[str, Sequence[str]]]) -> tuple[ImageFormats, ...]:
    """Return formats as a file describes them."""
    return tuple(
        ImageFormats(**{key: tuple(words) for key, words in item.items()}) for item in items
    )
