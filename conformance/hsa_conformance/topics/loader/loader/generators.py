"""Generators of the terms about loaded code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.generators import Comparison, Generators, near
from hsa_conformance.topics.core.executables.loaded_code import loaded
from hsa_conformance.topics.loader.loader.fixtures import (
    DESCRIPTOR,
    kernel_address,
    segment_count,
    variable_address,
)
from hsa_conformance.topics.loader.loader.state import Address
from hsa_conformance.topics.shared.code import generators as code


def _loaded_code_object(b: Builder, x: str) -> None:
    b.values[x] = b.choose([loaded(b), loaded(b, name="second")]).handle


def _no_object(b: Builder, x: str) -> None:
    b.values[x] = b.readable()


def _loaded_address(b: Builder, x: str) -> None:
    b.values[x] = b.choose([variable_address, kernel_address])(b, loaded(b))


def _kernel_address(b: Builder, x: str) -> None:
    b.values[x] = kernel_address(b, loaded(b))


def _elsewhere(b: Builder, x: str) -> None:
    b.values[x] = b.readable()
    b.session.model.add("loaded_address", b.number(x), thing=Address(None))


def _no_kernel_address(b: Builder, x: str) -> None:
    if code.wanted(b):
        b.values[x] = variable_address(b, loaded(b))
    else:
        _elsewhere(b, x)


def _number(b: Builder, names: Sequence[str], _: str, op: str, wanted: object) -> None:
    if not isinstance(wanted, int) or op not in ("==", "!="):
        raise CannotMake(f"no number is made by {op}")
    _put(b, names[0], near(b, op, wanted, 1))


def _put(b: Builder, x: str, number: int) -> None:
    """Give a call a number, and as much room as it says there is."""
    b.values[x] = b.session.place(number.to_bytes(8, "little"), f"&{number}")
    if b.values["segment_descriptors"] != 0:
        b.values["segment_descriptors"] = Out(DESCRIPTOR * max(number, 1))


def _segment_count(b: Builder, x: str) -> None:
    """Give the right number; where it is to be 0, by unloading everything."""
    if _is_zero(b, x):
        for (handle,) in list(b.session.model.objects.get("executable", {})):
            b.session.set_up("hsa_executable_destroy", executable=handle)
    else:
        loaded(b)
    _put(b, x, segment_count(b))


def _no_segment_count(b: Builder, x: str) -> None:
    """Give another number; where it is to be 0, by loading something."""
    if _is_zero(b, x):
        loaded(b)
        segment_count(b)
    else:
        _put(b, x, segment_count(b) + b.choose([1, 2]))


def _is_zero(b: Builder, x: str) -> bool:
    return b.session.model.words(b.number(x), 1) == (0,)


GENERATORS: Mapping[str, Generators] = {
    "is_loaded_code_object": Generators(_loaded_code_object, _no_object),
    "is_loaded_address": Generators(_loaded_address, _elsewhere),
    "is_kernel_address": Generators(_kernel_address, _no_kernel_address),
    "is_segment_count": Generators(_segment_count, _no_segment_count),
}

COMPARISONS: Mapping[str, Comparison] = {"number_at": _number}
