"""Terms of no topic: numbers with a property of their own, and the state of a process."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.generators import Generators


def _power_of_two(b: Builder, x: str) -> None:
    b.values[x] = b.session.model.page_size << b.draw(drawing.integers(0, 5))


def _no_power_of_two(b: Builder, x: str) -> None:
    page = b.session.model.page_size
    b.values[x] = b.choose([3 * page, page + 1, 2 * page - 1, 3])


def _alignment(b: Builder, x: str) -> None:
    b.values[x] = b.choose([0, 1, 2, 16]) * b.session.model.page_size


def _no_alignment(b: Builder, x: str) -> None:
    page = b.session.model.page_size
    b.values[x] = b.choose([3 * page, page // 2, page + 1, 1])


def _cannot(_: Builder, *__: str) -> None:
    raise CannotMake("no input can decide this")


#: What is decided by the process that an example runs in, before anything is built.
STATE_TERMS = frozenset({"initialized", "references", "supports", "exhausted"})

GENERATORS: Mapping[str, Generators] = {
    **{term: Generators(_cannot, _cannot) for term in STATE_TERMS},
    "is_alignment": Generators(_alignment, _no_alignment),
    "is_power_of_two": Generators(_power_of_two, _no_power_of_two),
}
