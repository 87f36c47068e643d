"""Attributes that are set and read back."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.copies.generators import shared_block
from hsa_conformance.topics.amd.svm.generators import ACCESS, PLAIN, Pair, attribute, known
from hsa_conformance.topics.amd.svm.properties.prefetches import fetch
from hsa_conformance.topics.amd.svm.properties.ranges import (
    ask,
    give,
    page_sizes,
    pages,
    prefetch_location,
    same_value,
    some_pages,
    telling_pages,
    value,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.shared.attributes import number
from hsa_conformance.topics.shared.copies import copy
from hsa_conformance.topics.shared.memory import fill, require_contents
from hsa_reports import Verdict
from hsa_spec import DecidedBy

proves = Proofs()


def _names(scene: Scene) -> list[str]:
    """Return the attributes that are set and read back, without those of single agents."""
    # Whether it may be executed has a clause of its own.
    return [*(n for n in known(scene) if n != "GPU_EXEC"), "PREFERRED_LOCATION"]


def _two_values(scene: Scene, name: str) -> list[int]:
    """Draw two values of an attribute that differ."""
    gpus = (a.handle for a in known_agents(scene, "gpu"))
    return scene.shuffled(PLAIN.get(name, [0, *gpus]))[:2]


def _lists(scene: Scene) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return attributes with values, in any order, and the same ones with values that differ.

    Two attributes of agents are the same one if they are about the same agent.
    """
    gpus = [a.handle for a in known_agents(scene, "gpu")]
    names = _names(scene)
    first = scene.choose(names)
    pairs: list[tuple[str, int]] = []
    others: list[tuple[str, int]] = []
    for name in (first, *(n for n in names if n != first and scene.draw(drawing.booleans()))):
        values = _two_values(scene, name)
        pairs.append((name, values[0]))
        others.append((name, values[1]))
    for gpu in (gpu for gpu in gpus if scene.draw(drawing.booleans())):
        access = scene.shuffled(ACCESS)
        pairs.append((access[0], gpu))
        others.append((access[1], gpu))
    order = scene.draw(drawing.permutations(range(len(pairs))))
    return [pairs[place] for place in order], others


def _told(scene: Scene, page: int, size: int, wanted: Sequence[tuple[str, int]]) -> list[Pair]:
    """Return what a range is told to have of these attributes, in one answer."""
    query = [
        (attribute(scene, "ACCESS_QUERY"), value) if name in ACCESS else (attribute(scene, name), 0)
        for name, value in wanted
    ]
    answer, pairs = ask(scene, page, size, query)
    scene.require_status(answer, SUCCESS, decided_by=DecidedBy.RUNTIME)
    return pairs


@proves("hsa_amd_svm_attributes_set/reads-back", examples=4)
def what_was_set_is_read(scene: Scene) -> None:
    """After a list of attributes is set, the query gives the last value of each for every page.

    A prefetch of the range between the two changes none of them.
    """
    first, size, each = some_pages(scene)
    wanted, others = _lists(scene)
    for pair in others:  # one after the other, so that each of them has another value then
        _give(scene, first, size, [pair])
    _give(scene, first, size, wanted)
    if scene.each("between", {"nothing": False, "a prefetch": True}):
        fetch(scene, first, scene.choose(known_agents(scene)).handle, size)
    asked = scene.draw(drawing.permutations(wanted))
    told = [_told(scene, page, scene.session.model.page_size, asked) for page in each]
    # The pages are used again for something else.
    closed = [(ACCESS[0], gpu) for name, gpu in wanted if name == ACCESS[2]]
    if closed:
        _give(scene, first, size, closed)
    for pairs in told:
        for (name, value_set), (access, value_told) in zip(asked, pairs, strict=True):
            if name in ACCESS:
                right = equal(access, attribute(scene, name))
                scene.require(right, f"the access is not {name}, which was set", f"{access:#x}")
            else:
                right = same_value(name, value_told, value_set)
                scene.require(right, f"{name} was set to {value_set:#x}", f"{value_told:#x}")


def _give(scene: Scene, first: int, size: int, pairs: Sequence[tuple[str, int]]) -> None:
    give(scene, first, size, [(attribute(scene, name), value) for name, value in pairs])


@proves("hsa_amd_svm_attributes_get/execution")
def whether_gpus_may_execute_is_told(scene: Scene) -> None:
    """The query for GPU execution of a range gives what was set."""
    size = scene.session.model.page_size
    page = pages(scene, 1)
    wanted = scene.choose([1, 0])
    give(scene, page, size, [(attribute(scene, "GPU_EXEC"), wanted)])
    found = value(scene, page, size, "GPU_EXEC")
    scene.require(same_value("GPU_EXEC", found, wanted), f"it was set to {wanted}", found)


@proves("hsa_amd_svm_attributes_set/whole-pages")
def every_page_of_the_range_gets_the_value(scene: Scene) -> None:
    """An attribute set from the end of a page to the begin of another holds for all these pages.

    They had another value of it before.
    """
    page_size = scene.session.model.page_size
    size = scene.draw(page_sizes(scene, 2))
    first = pages(scene, size // page_size)
    before, after = (scene.draw(drawing.integers(1, 64)) for _ in range(2))
    between = size - 2 * page_size
    name = scene.choose(_names(scene))
    wanted, other = _two_values(scene, name)
    _give(scene, first, size, [(name, other)])
    start = first + page_size - before
    _give(scene, start, before + between + after, [(name, wanted)])
    for page in telling_pages(scene, first, size):
        found = value(scene, page, page_size, name)
        scene.require(
            same_value(name, found, wanted),
            f"{name} was set to {wanted:#x} for a part of the page",
            f"{found:#x}",
        )


@proves("hsa_amd_svm_attributes_set/grants-access")
def a_gpu_uses_memory_that_it_was_let_into(scene: Scene) -> None:
    """After access is set for a GPU, a copy by it reads what the program wrote there."""
    size = scene.draw(page_sizes(scene))
    first = pages(scene, size // scene.session.model.page_size)
    open_to_all = "HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT"
    if number(scene, "hsa_system_get_info", open_to_all):
        raise Unavailable(
            Verdict.NOT_APPLICABLE, "every GPU can access all memory without being let in"
        )
    gpu = some_gpu(scene).handle
    give(scene, first, size, [(attribute(scene, scene.choose(ACCESS[:2])), gpu)])
    content: bytes = scene.draw(drawing.binary(min_size=1, max_size=64))
    source = first + scene.draw(sizes(0, size - len(content)))
    fill(scene, source, content)
    target = shared_block(scene, "cpu")
    copy(scene, (target, gpu), (source, gpu), len(content))
    require_contents(scene, target, content, "the GPU does not read what the program wrote")


@proves("hsa_amd_svm_attributes_get/access-query", examples=2)
def access_is_told_in_the_pair_itself(scene: Scene) -> None:
    """The query for access replaces the attribute in its pair by the one set for the agent."""
    size = scene.session.model.page_size
    page = pages(scene, 1)
    agent, name = scene.choose(known_agents(scene)).handle, scene.choose(ACCESS)
    give(scene, page, size, [(attribute(scene, name), agent)])
    answer, pairs = ask(scene, page, size, [(attribute(scene, "ACCESS_QUERY"), agent)])
    # The page is used again for something else, by the host, too.
    give(scene, page, size, [(attribute(scene, ACCESS[0]), agent)])
    scene.require_status(answer, SUCCESS)
    scene.require(
        equal(pairs[0][0], attribute(scene, name)), f"the answer is not {name}", f"{pairs[0][0]:#x}"
    )


@proves("hsa_amd_svm_attributes_get/indeterminate")
def a_range_of_both_kinds_is_neither(scene: Scene) -> None:
    """The kind of a range with fine-grained and coarse-grained pages is INDETERMINATE.

    The range may end within its last page.
    """
    page = scene.session.model.page_size
    size = scene.draw(page_sizes(scene, 2))
    first = pages(scene, size // page)
    flags = scene.draw(drawing.permutations([0, 1]))
    for start, length, flag in zip((0, size - page), (size - page, page), flags, strict=True):
        give(scene, first + start, length, [(attribute(scene, "GLOBAL_FLAG"), flag)])
    within = scene.draw(drawing.integers(0, page - 1))
    found = value(scene, first, size - within, "GLOBAL_FLAG")
    both = scene.session.registry.constants["HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE"]
    scene.require(found == both, "a range of both kinds is not INDETERMINATE", found)


@proves("hsa_amd_svm_attributes_get/unset-location", fresh=True, examples=0.25)
def memory_that_was_given_no_place_has_none(scene: Scene) -> None:
    """The preferred location of a range that was never given one is 0."""
    found = value(scene, pages(scene, 1), scene.session.model.page_size, "PREFERRED_LOCATION")
    scene.require(found == 0, "there is a preferred location that nobody set", f"{found:#x}")


@proves("hsa_amd_svm_attributes_get/unset-prefetch", fresh=True, examples=0.25)
def memory_that_was_never_fetched_was_fetched_nowhere(scene: Scene) -> None:
    """The prefetch location of a range that was never prefetched is 0."""
    found = prefetch_location(scene, pages(scene, 1), scene.session.model.page_size)
    scene.require(found == 0, "there is a prefetch location that nobody asked for", f"{found:#x}")
