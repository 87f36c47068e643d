"""The topics of images over a library in Python: the honest one passes, wrong ones are blamed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from hsa_adapters import InProcessAdapter
from hsa_conformance.topics.images.images.descriptors import GEOMETRIES
from hsa_reports.verdicts import BROKEN
from hsa_spec import Registry
from tests.library.suite.image_library import (
    ALIGNMENT,
    SIZE_UNSUPPORTED,
    SUCCESS,
    Image,
    ImageLibrary,
    Shape,
)
from tests.library.suite.one_at_a_time import one_at_a_time
from tests.wrong.inside import by_clause


def run(
    registry: Registry, library: type[ImageLibrary], *wanted: str, effort: float
) -> dict[str, set[tuple[str, str | None]]]:
    """Run clauses, and return verdicts and reasons of each clause that is blamed or mentioned."""
    adapter = InProcessAdapter("images", lambda: library(registry).functions(), registry)
    judged = by_clause(adapter, registry, one_at_a_time(registry, wanted), effort=effort)
    found: dict[str, set[tuple[str, str | None]]] = {}
    for result in (r for results in judged.values() for r in results):
        found.setdefault(result.clause, set()).add((result.verdict, result.reason))
    return found


def test_honest_images_are_never_blamed(registry: Registry) -> None:
    """Nothing speaks against an honest library, and nothing of it is vacuous or blocked."""
    found = run(registry, ImageLibrary, "images", "samplers", "amd-images", effort=0.2)
    verdicts = {c: {v for v, _ in several} for c, several in found.items()}
    assert {} == {
        c: found[c] for c, v in verdicts.items() if v - {"PASS", "UNTESTED", "NOT_APPLICABLE"}
    }
    assert 200 < sum(v == {"PASS"} for v in verdicts.values())


class IgnoresAccess(ImageLibrary):
    """Lets every format be written."""

    def refusal(self, agent: int, shape: Shape, access: int) -> int:
        return super().refusal(agent, shape, 1)


class LacksDepthArrays(ImageLibrary):
    """Lists them, and creates none; of one geometry in nine an example may never be drawn."""

    def create(self, *args: int) -> int:  # type: ignore[override]
        shape = Shape.at(args[1], 56)
        depth_arrays = shape.geometry == GEOMETRIES.index("2DADEPTH")
        return SIZE_UNSUPPORTED if depth_arrays else super().create(*args)  # type: ignore[arg-type]


class SmallLimits(ImageLibrary):
    """Has smaller limits than the text allows."""

    def limits(self, attribute: int) -> list[int]:
        return [1024 for _ in super().limits(attribute)]


class TouchesData(ImageLibrary):
    """Clears the data when an image is created."""

    def create(self, *args: int) -> int:  # type: ignore[override]
        status = super().create(*args)  # type: ignore[arg-type]
        if status == SUCCESS:
            ctypes.memset(args[2], 0, 64)
        return status


class ForgetsLevels(ImageLibrary):
    """Has no room for more than one level."""

    def size(self, shape: Shape, pitches: tuple[int, int]) -> int:
        return pitches[1] * shape.slices


class PadsRows(ImageLibrary):
    """Takes no pitch for a longer row than there is."""

    def pitches(self, shape: Shape, row: int, slice_: int) -> tuple[int, int] | None:
        found = super().pitches(shape, row, slice_)
        return (
            (found[0] + ALIGNMENT, found[1] + ALIGNMENT * shape.rows)
            if found and not row
            else found
        )


class ForgetsPitches(ImageLibrary):
    """Believes any row pitch of memory."""

    def buffer(
        self, image: object, extent: tuple[int, ...], row: int, slice_: int
    ) -> tuple[int, int, int]:
        length, whole, _ = super().buffer(image, extent, 0, 0)  # type: ignore[arg-type]
        return length, row or whole, slice_ or whole * extent[1]


class KeepsSamplers(ImageLibrary):
    """Cannot destroy samplers."""

    def hsa_ext_sampler_destroy(self, agent: int, sampler: int) -> int:
        return 0x1001


class CopiesTooMuch(ImageLibrary):
    """Clears all rows of an image."""

    def rows(
        self, image: Image, start: tuple[int, ...], extent: tuple[int, ...]
    ) -> list[tuple[int, int, int]]:
        return super().rows(image, (0, 0, 0), (*extent[:1], image.shape.rows, image.shape.slices))


class ExportsNoLinear(ImageLibrary):
    """Exports nothing of images in the linear layout."""

    def __init__(self, registry: Registry) -> None:
        super().__init__(registry)
        self.linear: set[int] = set()

    def hsa_ext_image_create_with_layout(
        self,
        agent: int,
        form: int,
        data: int,
        access: int,
        layout: int,
        row: int,
        slice_: int,
        out: int,
    ) -> int:
        status = super().hsa_ext_image_create_with_layout(
            agent, form, data, access, layout, row, slice_, out
        )
        if status == SUCCESS:
            self.linear.add(next(reversed(self.images)))
        return status

    def hsa_ext_image_export(
        self, agent: int, source: int, target: int, row: int, slice_: int, region: int
    ) -> int:
        if self.forgets(source):
            return SUCCESS
        return super().hsa_ext_image_export(agent, source, target, row, slice_, region)

    def forgets(self, image: int) -> bool:
        return image in self.linear


class ExportsNoOpaque(ExportsNoLinear):
    """Exports nothing of images in the layout of the implementation."""

    def forgets(self, image: int) -> bool:
        return image not in self.linear


WRONG: list[tuple[type[ImageLibrary], str]] = [
    (IgnoresAccess, "hsa_ext_image_data_get_info/format-unsupported"),
    (IgnoresAccess, "hsa_ext_image_create/access-permission-unknown"),
    (LacksDepthArrays, "hsa_ext_image_create/success"),
    (SmallLimits, "hsa_amd_image_get_info_max_dim/least-limits"),
    (TouchesData, "hsa_ext_image_create/data-preserved"),
    (TouchesData, "hsa_ext_image_create_with_layout/data-preserved"),
    (TouchesData, "hsa_amd_image_create/data-preserved"),
    (ForgetsLevels, "hsa_ext_image_data_get_info_v2/all-levels"),
    (PadsRows, "hsa_ext_image_data_get_info_with_layout/row-pitch-default"),
    (PadsRows, "hsa_ext_image_create_with_layout/row-pitch-default"),
    (ForgetsPitches, "hsa_ext_image_import/row-pitch-least"),
    (ForgetsPitches, "hsa_ext_image_export/slice-pitch-least"),
    (KeepsSamplers, "hsa_ext_sampler_create/destroyable"),
    (CopiesTooMuch, "hsa_ext_image_clear/rest-stays"),
    *[(wrong, "hsa_ext_image_import/round-trip") for wrong in (ExportsNoLinear, ExportsNoOpaque)],
]


@pytest.mark.parametrize(("library", "clause"), WRONG)
def test_a_wrong_library_is_blamed(
    registry: Registry, library: Callable[..., ImageLibrary], clause: str
) -> None:
    """The clause that is broken is the one that is told."""
    assert isinstance(library, type)
    found = run(registry, library, clause, effort=1)
    assert {v for v, _ in found[clause]} & BROKEN
