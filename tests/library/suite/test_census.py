"""Agents that a library does not list, though its claim or its machine has them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from hsa_adapters import InProcessAdapter
from hsa_adapters.protocol import Subject
from hsa_conformance.engine.library.topology import Topology
from hsa_conformance.engine.running.runner import Settings
from hsa_reference import Runtime
from hsa_reference import load_machine as load_modelled
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.wrong.inside import running

LISTS = "hsa_iterate_agents/once-per-agent"
SUCCESS = 0


def _node(number: int, **properties: int) -> dict[str, Any]:
    parts: dict[str, Any] = {p: [] for p in ("mem_banks", "caches", "io_links", "p2p_links")}
    return {"id": number, "name": "", "properties": properties, **parts}


CPU = _node(0, cpu_cores_count=8)
GPUS = [_node(n, simd_count=440, gfx_target_version=90010, unique_id=n) for n in (1, 2)]
UNHEARD_OF = _node(3, simd_count=440, gfx_target_version=991234, unique_id=3)


class Adapter(InProcessAdapter):
    """The reference, which has two GPUs, without the last of its agents.

    Args:
        registry: the specification.
        facts: what its subject says.

    """

    def __init__(self, registry: Registry, **facts: Any) -> None:
        self.facts = {"topology": [CPU, *GPUS], "seeks_device": True, **facts}
        modelled = load_modelled("two_gpus", registry)

        def made() -> Mapping[str, Callable[..., int | None]]:
            functions: dict[str, Callable[..., int | None]]
            functions = {**Runtime(modelled, registry).functions()}
            functions["hsa_iterate_agents"] = _without_the_last(functions["hsa_iterate_agents"])
            return functions

        super().__init__("fake", made, registry)

    def start(self) -> Subject:
        """Describe it, with its machine."""
        return replace(super().start(), **self.facts)


def _without_the_last(iterate: Callable[..., int | None]) -> Callable[..., int | None]:
    prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64)

    def listing(callback: int, data: int) -> int | None:
        found: list[int] = []

        def note(agent: int, _: int) -> int:
            found.append(agent)
            return SUCCESS

        noted = prototype(note)
        status = iterate(callback and ctypes.cast(noted, ctypes.c_void_p).value, data)
        for agent in found[:-1]:
            status = status or prototype(callback)(agent, data)
        return status

    return listing


def _judged(
    registry: Registry, release: str | None = None, **facts: Any
) -> tuple[Result, list[str]]:
    """Return what is found of the list, and what is said of the machine."""
    adapter = Adapter(registry, **facts)
    with running(adapter, registry, Settings(release=release)) as runner:
        return runner.run(registry.clauses[LISTS])[0], [*runner.unlisted()]


SAID = ["the machine has 2 GPUs, the library reports 1"]


@pytest.mark.parametrize(
    ("release", "facts", "verdict", "said"),
    [
        pytest.param("6.1", {"machine": "imitated"}, Verdict.FAIL, SAID, id="known to its release"),
        pytest.param("4.0", {"machine": "imitated"}, Verdict.PASS, SAID, id="newer than it"),
        pytest.param("6.1", {}, Verdict.PASS, SAID, id="real devices may be out of bounds"),
        pytest.param(None, {"machine": "imitated"}, Verdict.PASS, SAID, id="not ROCr"),
        pytest.param(None, {"agents": {"gpu": 2}}, Verdict.FAIL, [], id="claimed"),
        pytest.param(None, {"agents": {"gpu": 1}}, Verdict.PASS, [], id="claimed not to list it"),
        pytest.param(None, {"agents": {"cpu": 1}}, Verdict.PASS, SAID, id="CPUs are claimed"),
        pytest.param(None, {"seeks_device": False}, Verdict.PASS, [], id="for CPUs alone"),
        pytest.param(
            "6.1",
            {"machine": "imitated", "hides": "0"},
            Verdict.PASS,
            [f"{SAID[0]} (ROCR_VISIBLE_DEVICES=0)"],
            id="hidden on purpose",
        ),
        pytest.param(
            "6.1",
            {"machine": "imitated", "topology": [CPU, GPUS[0], UNHEARD_OF]},
            Verdict.PASS,
            SAID,
            id="known to no release",
        ),
    ],
)
def test_an_agent_that_is_not_listed_is_a_failure_or_the_first_thing_told(
    registry: Registry,
    release: str | None,
    facts: dict[str, Any],
    verdict: Verdict,
    said: list[str],
) -> None:
    """It is a failure where the claim names it, or the release is known to know it."""
    found, told = _judged(registry, release, **facts)
    assert (verdict, said) == (found.verdict, told), found.reason


def test_a_failure_says_how_many_there_are(registry: Registry) -> None:
    found, _ = _judged(registry, agents={"gpu": 2})
    assert found.failure is not None
    assert ("the claim has 2 GPUs, and fewer are reported", "1") == (
        found.failure.summary,
        found.failure.got,
    )


def test_a_processor_may_be_cpu_and_gpu() -> None:
    """The first processors that are both have one node in the driver's files."""
    [node] = Topology([_node(0, cpu_cores_count=4, simd_count=32)]).nodes
    assert (True, True) == (node.is_cpu, node.is_gpu)
