"""Ranges of shared virtual memory, and their attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hsa_conformance.engine.calls.comparing import Relation, at_most, equal, part
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.drawing import Choice
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.svm.generators import Pair, attribute, discover, pair_list
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_reports import Verdict
from hsa_spec import DecidedBy

SET: Final = "hsa_amd_svm_attributes_set"
GET: Final = "hsa_amd_svm_attributes_get"


def same_value(name: str, told: int, wanted: int) -> Relation:
    """Return whether an attribute is told as it was set; any number but zero is true."""
    if name in ("GLOBAL_FLAG", "MIGRATION_GRANULARITY", "PREFERRED_LOCATION") or not wanted:
        return equal(told, wanted)
    return at_most(1, told)


def pages(fixtures: Fixtures, count: int) -> int:
    """Return the address of whole pages of the program's own memory, all of them zero.

    Raises:
        Unavailable: the machine has no GPU, or shares no addresses with it.

    """
    some_gpu(fixtures)
    discover(fixtures)
    if not fixtures.session.model.find("sharing"):
        raise Unavailable(Verdict.NOT_APPLICABLE, "host and GPUs share no addresses on the machine")
    page = fixtures.session.model.page_size
    address = fixtures.session.place(bytes((count + 1) * page), "memory")
    return address + -int(address) % page


def page_sizes(fixtures: Fixtures, least: int = 1) -> Choice[int]:
    """Return the choice of the sizes of ranges of so many pages or more, in bytes."""
    page = fixtures.session.model.page_size
    return sizes(least * page, fixtures.session.scratch.share, page)


def some_pages(scene: Scene) -> tuple[int, int, Sequence[int]]:
    """Return a range of one page or several: address, size in bytes, and address of some pages."""
    page = scene.session.model.page_size
    several = scene.draw(page_sizes(scene, 2))
    size = scene.each("range", {"a page": page, "several pages": several})
    first = pages(scene, size // page)
    return first, size, telling_pages(scene, first, size)


def telling_pages(scene: Scene, first: int, size: int) -> Sequence[int]:
    """Return the addresses of the first and the last page of a range, and of one between."""
    page = scene.session.model.page_size
    places = {0, size - page, scene.draw(sizes(0, size - page, page))}
    return [first + place for place in sorted(places)]


def give(scene: Scene, address: int, size: int, pairs: Sequence[Pair]) -> None:
    """Set attributes of a range.

    Raises:
        Blocked: the call does not succeed.

    """
    scene.set_up(
        SET, ptr=address, size=size, attribute_list=pair_list(pairs), attribute_count=len(pairs)
    )


def ask(scene: Scene, address: int, size: int, pairs: Sequence[Pair]) -> tuple[Answer, list[Pair]]:
    """Ask for attributes of a range, and return the answer and the pairs afterwards."""
    room = scene.session.lay_out(pair_list(pairs))
    answer = scene.call(
        GET, ptr=address, size=size, attribute_list=room, attribute_count=len(pairs)
    )
    data = scene.session.read(room, 16 * len(pairs)) or b""
    words = [part(data, place, 8) for place in range(0, len(data), 8)]
    return answer, list(zip(words[0::2], words[1::2], strict=True))


def value(scene: Scene, address: int, size: int, name: str) -> int:
    """Return an attribute of a range; the call has to succeed."""
    answer, pairs = ask(scene, address, size, [(attribute(scene, name), 0)])
    scene.require_status(answer, SUCCESS, decided_by=DecidedBy.RUNTIME)
    return pairs[0][1]


def prefetch_location(scene: Scene, address: int, size: int) -> int:
    """Return where a range was fetched to last.

    Raises:
        Unavailable: the library does not answer that, as one of the texts has it.

    """
    answer, pairs = ask(scene, address, size, [(attribute(scene, "PREFETCH_LOCATION"), 0)])
    if not answer.ok:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the library does not tell the prefetch location")
    return pairs[0][1]
