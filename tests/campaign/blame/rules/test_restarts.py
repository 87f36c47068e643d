"""What is found where the runtime says something else of the machine after it was started again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from hsa_conformance.engine.running.failures import shortening
from hsa_conformance.engine.running.runner import Settings
from hsa_reference import memory
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.wrong.functions import SUCCESS, Function, Functions, Mistake, honest, mistaken
from tests.wrong.inside import results

#: An attribute of each kind of object, and what asks for it.
ATTRIBUTES = {
    "HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT": "hsa_system_get_info",
    "HSA_AGENT_INFO_QUEUE_MAX_SIZE": "hsa_agent_get_info",
    "HSA_REGION_INFO_SIZE": "hsa_region_get_info",
    "HSA_CACHE_INFO_SIZE": "hsa_cache_get_info",
    "HSA_ISA_INFO_WORKGROUP_MAX_SIZE": "hsa_isa_get_info_alt",
    "HSA_AMD_MEMORY_POOL_INFO_SIZE": "hsa_amd_memory_pool_get_info",
    "HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS": "hsa_amd_agent_memory_pool_get_info",
}


@pytest.fixture
def restarted(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Mistake], Sequence[Result]]:
    """Return a function that restarts a reference with a mistake."""
    monkeypatch.setitem(shortening.SHORTER, "quick", 10)

    def play(mistake: Mistake) -> Sequence[Result]:
        adapter = mistaken(registry, mistake)
        return results(adapter, registry, "hsa_init/same-machine", settings=Settings(seed=1))

    return play


def changes(registry: Registry, starts: set[int], *attributes: str) -> Mistake:
    """Return a mistake: attributes of the last object of their kind have another value.

    Args:
        registry: the specification.
        starts: after which starts of the runtime, of which the first is 1.
        attributes: their names.

    """

    def make(f: Functions) -> dict[str, Function]:
        seen: list[dict[str, list[Sequence[int]]]] = []

        def init() -> int:
            seen.append({function: [] for function in ATTRIBUTES.values()})
            return f["hsa_init"]()

        def wrong(function: str, attribute: str) -> Function:
            def ask(*arguments: int) -> int:
                answer = f[function](*arguments)
                *subject, asked, place = arguments
                known = seen[-1][function] if seen else []
                if subject not in known:
                    known.append(subject)
                last = bool(seen) and known.index(subject) + 1 == len(seen[0][function])
                if (
                    answer == SUCCESS
                    and last
                    and len(seen) in starts
                    and asked == registry.constants[attribute]
                ):
                    memory.store(place, memory.load(place, 1) ^ 1, 1)
                return answer

            return ask

        return {
            "hsa_init": init,
            **{ATTRIBUTES[name]: wrong(ATTRIBUTES[name], name) for name in attributes},
        }

    return make


@pytest.mark.parametrize("attribute", ATTRIBUTES)
@pytest.mark.parametrize("start", [2, 3])
def test_an_attribute_of_the_last_object_that_changes_with_one_restart_is_found(
    restarted: Callable[[Mistake], Sequence[Result]],
    registry: Registry,
    attribute: str,
    start: int,
) -> None:
    (result,) = restarted(changes(registry, {start}, attribute))
    assert result.failure is not None
    assert (Verdict.WARN, f"only {attribute} changed") == (result.verdict, result.failure.got)


def test_every_attribute_that_changes_is_named_so_that_one_that_is_known_hides_none(
    restarted: Callable[[Mistake], Sequence[Result]], registry: Registry
) -> None:
    cache, region = "HSA_CACHE_INFO_SIZE", "HSA_REGION_INFO_SIZE"
    (result,) = restarted(changes(registry, {2, 3}, region, cache))
    assert result.failure is not None
    assert f"only {cache} and {region} changed" == result.failure.got


def test_a_reference_that_says_the_same_passes(
    restarted: Callable[[Mistake], Sequence[Result]],
) -> None:
    (result,) = restarted(honest)
    assert Verdict.PASS == result.verdict
