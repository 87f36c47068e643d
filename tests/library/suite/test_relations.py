"""What agents answer against the driver's files, on runtimes that are right but for one answer."""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import InProcessAdapter
from hsa_adapters.protocol import Subject
from hsa_adapters.virtual_kfd import load_machine
from hsa_adapters.virtual_kfd.tree import write_tree
from hsa_adapters.worker.library import topology
from hsa_conformance.engine.library.topology import Topology
from hsa_reference import Runtime
from hsa_reference import load_machine as load_modelled
from hsa_reports import Result, Verdict
from hsa_reports.verdicts import rank
from hsa_spec import Attribute, Registry
from hsa_spec.layout import size_of
from hsa_spec.relations import evaluate
from tests.wrong.inside import by_clause, running

Told = list[dict[str, Any]]

MACHINE = "gfx942-4"
QUERY = "hsa_agent_get_info"
DEVICE, GPU = 17, 1
SUCCESS = 0
NODE_ID = "hsa_agent_get_info/reports-driver-node-id"
UNITS = "hsa_agent_get_info/reports-compute-unit-count"
CLOCK = "hsa_agent_get_info/reports-max-clock-frequency"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Return what the files of a machine with four GPUs say."""
    root = tmp_path_factory.mktemp("machine")
    write_tree(load_machine(MACHINE), root)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_NODES", "_CPUS"):
            patch.setattr(topology, name, str(root) + getattr(topology, name))
        return topology.topology()


def _value(attribute: Attribute, node: int, told: Told, registry: Registry) -> bytes | None:
    """Return what the processor with a number should answer, where that is one number or text."""
    reported = next((r for r in attribute.relations if "/reports-" in r.clause), None)
    if attribute.name == "HSA_AMD_AGENT_INFO_UUID":
        unique = Topology(told).nodes[node].properties["unique_id"]
        return f"GPU-{unique:016x}".encode().ljust(21, b"\0")
    if reported is None or attribute.type.endswith("]"):
        return None
    _, _, fact = reported.holds.partition(" == ")
    _, _, facts = reported.holds.partition("value in ")
    found = Topology(told).nodes[node]
    number = evaluate(fact, found.fact) if fact else evaluate(facts, found.fact)[-1]
    return int(number).to_bytes(size_of(attribute.type, registry), "little")


def _gpus(functions: Mapping[str, Callable[..., int | None]]) -> list[int]:
    """Return the handles of the GPUs, in order."""
    found: list[int] = []

    def look(handle: int, _: int) -> int:
        device = ctypes.c_uint32()
        functions[QUERY](handle, DEVICE, ctypes.addressof(device))
        if device.value == GPU:
            found.append(handle)
        return SUCCESS

    visit = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64)(look)
    functions["hsa_iterate_agents"](ctypes.cast(visit, ctypes.c_void_p).value, 0)
    return found


class Adapter(InProcessAdapter):
    """The reference, whose GPUs answer what the files say; some answer what is another one's.

    Args:
        registry: the specification.
        told: what the files say.
        mixed: by attributes, which GPU's answer each GPU gives; their own where it has none.

    """

    def __init__(
        self, registry: Registry, told: Told, mixed: Mapping[str, Sequence[int]] | None = None
    ) -> None:
        self.told = told
        right = copy.deepcopy(told)
        modelled = load_modelled(MACHINE, registry)
        names = {registry.constants[a.name]: a for a in registry.attributes_of(QUERY)}

        def made() -> Mapping[str, Callable[..., int | None]]:
            functions: dict[str, Callable[..., int | None]]
            functions = {**Runtime(modelled, registry).functions()}
            usual = functions[QUERY]
            gpus: list[int] = []

            def asked(agent: int, attribute: int, value: int) -> int | None:
                if not gpus and attribute != DEVICE:
                    gpus.extend(_gpus(functions))
                found = names.get(attribute)
                if agent not in gpus or found is None or not value:
                    return usual(agent, attribute, value)
                place = gpus.index(agent)
                whose = (mixed or {}).get(found.name, range(len(gpus)))[place]
                content = _value(found, whose + 1, right, registry)
                if content is None:
                    return usual(agent, attribute, value)
                ctypes.memmove(value, content, len(content))
                return SUCCESS

            functions[QUERY] = asked
            return functions

        super().__init__("fake", made, registry)

    def start(self) -> Subject:
        """Describe it, with the files."""
        return replace(super().start(), topology=self.told)


def _judged(adapter: InProcessAdapter, registry: Registry, *clauses: str) -> dict[str, Result]:
    found = by_clause(adapter, registry, [registry.clauses[name] for name in clauses])
    # A value that is to blame has a result of its own.
    return {name: min(of, key=lambda r: rank(r.verdict)) for name, of in found.items()}


def _compared(registry: Registry) -> dict[str, str]:
    """Return the attributes of agents that are compared with the files, with their clauses."""
    return {
        clause: attribute.name
        for clause, (attribute, _) in registry.relations.items()
        if clause.startswith(f"{QUERY}/reports-") and not attribute.type.startswith("uint32_t[")
    }


def test_a_runtime_that_passes_the_facts_on_is_right(registry: Registry, told: Told) -> None:
    """Of each attribute it is found that all agents have what the files say."""
    found = _judged(Adapter(registry, told), registry, *_compared(registry))
    assert {Verdict.PASS} == {result.verdict for result in found.values()}, [
        (name, r.verdict, r.reason) for name, r in found.items() if r.verdict is not Verdict.PASS
    ]


def test_an_answer_of_another_gpu_is_noticed(registry: Registry, told: Told) -> None:
    """The last GPU answers what is the first one's, which is wrong wherever the two differ."""
    nodes = Topology(told).nodes
    for clause, name in _compared(registry).items():
        attribute = registry.attributes[name]
        own, other = (_value(attribute, node, told, registry) for node in (len(nodes) - 1, 1))
        if own == other:
            continue
        adapter = Adapter(registry, told, {name: [0, 1, 2, 0]})
        found = _judged(adapter, registry, clause)[clause]
        expected = Verdict.FAIL if registry.clauses[clause].strength == "must" else Verdict.WARN
        assert expected is found.verdict, (name, found.reason)
        assert found.failure is not None
        assert "gpu4" in found.failure.summary


def test_a_known_wrong_answer_of_one_gpu_hides_none_of_another(
    registry: Registry, told: Told
) -> None:
    """Each GPU that answers what is another one's has a result of its own."""
    adapter = Adapter(registry, told, {"HSA_AMD_AGENT_INFO_DRIVER_NODE_ID": [3, 1, 2, 0]})
    with running(adapter, registry) as runner:
        found = runner.run(registry.clauses[NODE_ID], explained=lambda _: True)
    wrong = {r.value for r in found if r.verdict is Verdict.WARN}
    assert {"agent=gpu1", "agent=gpu4"} == wrong


def test_enough_attributes_differ_between_gpus(registry: Registry, told: Told) -> None:
    """Equal GPUs can be told apart by all that their architecture does not fix."""
    differing = {
        name
        for name in _compared(registry).values()
        if _value(registry.attributes[name], 1, told, registry)
        != _value(registry.attributes[name], 4, told, registry)
    }
    assert len(differing) >= 11


def test_agents_are_found_by_what_most_of_them_say(registry: Registry, told: Told) -> None:
    """Numbers of nodes that are mixed up are noticed, and do not accuse what is right."""
    mixed = {"HSA_AMD_AGENT_INFO_DRIVER_NODE_ID": [1, 0, 2, 3]}
    found = _judged(Adapter(registry, told, mixed), registry, NODE_ID, CLOCK)
    assert [Verdict.WARN, Verdict.PASS] == [result.verdict for result in found.values()]


def test_agents_that_cannot_be_told_apart_are_not_judged(registry: Registry, told: Told) -> None:
    """Where what identifies them differs in which node one is, nothing is compared."""
    swapped = [1, 0, 2, 3]
    mixed = {f"HSA_AMD_AGENT_INFO_{name}": swapped for name in ("DRIVER_NODE_ID", "DRIVER_UID")}
    found = _judged(Adapter(registry, told, mixed), registry, CLOCK)[CLOCK]
    assert Verdict.UNTESTED is found.verdict
    assert found.reason is not None
    assert "what identifies it differs" in found.reason


def _no_clock(told: Told) -> None:
    del told[2]["properties"]["max_engine_clk_fcompute"]


def _fewer_banks(told: Told) -> None:
    told[2]["properties"]["mem_banks_count"] = 3


def _same_number(told: Told) -> None:
    told[2]["gpu_id"] = told[3]["gpu_id"]


def _foreign_link(told: Told) -> None:
    told[2]["io_links"][0]["node_to"] = 77


def _no_units(told: Told) -> None:
    told[2]["properties"]["simd_per_cu"] = 0


@pytest.mark.parametrize(
    ("change", "clause", "reason"),
    [
        (_no_clock, CLOCK, "the driver's files lack node.max_engine_clk_fcompute of node 2"),
        (_fewer_banks, CLOCK, "mem_banks_count of node 2 is 3, and there are 1"),
        (_same_number, CLOCK, "nodes 2 and 3 have the same gpu_id"),
        (_foreign_link, CLOCK, "node 2 has a link from 2 to 77, which is none of it"),
        (_no_units, UNITS, "node 2 has SIMD units, and no compute unit has any"),
        (list.clear, CLOCK, "there are no files of the driver that tell of it"),
    ],
)
def test_files_that_do_not_tell_accuse_nobody(
    registry: Registry, told: Told, change: Callable[[Told], None], clause: str, reason: str
) -> None:
    """What needs a fact that is missing or contradicted is not tested, and says so."""
    adapter = Adapter(registry, told)
    adapter.told = copy.deepcopy(told)
    change(adapter.told)
    found = _judged(adapter, registry, clause)[clause]
    assert Verdict.UNTESTED is found.verdict
    assert found.reason is not None
    assert reason in found.reason


def test_the_files_of_a_node_that_is_hidden_say_nothing(told: Told) -> None:
    """A node whose properties cannot be read, as in a container, is none."""
    hidden = copy.deepcopy(told)
    hidden[1]["properties"] = {}
    assert [0, 2, 3, 4] == [node.id for node in Topology(hidden).nodes]


def test_what_files_say_is_read_as_it_stands(tmp_path: Path, told: Told) -> None:
    """Each node has its number, its parts and its caches; CPUs have those that the kernel tells."""
    cpu, *gpus = told
    assert (0, 0) == (cpu["id"], cpu["gpu_id"])
    assert {1, 2, 3} == {cache["level"] for cache in cpu["cpu_caches"]}
    assert [32] == sorted({c["size"] for c in cpu["cpu_caches"] if c["level"] == 1})
    assert ["gfx942"] * 4 == [gpu["name"] for gpu in gpus]
    for gpu in gpus:
        assert [{1: 32, 2: 4096}] == [{c["level"]: c["size"] for c in gpu["caches"]}]
        assert 4 == len(gpu["io_links"])


def _wrong(function: str, attribute: str, content: bytes, registry: Registry) -> InProcessAdapter:
    """Return the reference with one answer: what an attribute is, whatever it is asked of."""
    number = registry.constants[attribute]

    def made() -> Mapping[str, Callable[..., int | None]]:
        right = Runtime(load_modelled(MACHINE, registry), registry).functions()

        def asked(subject: int, attribute: int, value: int) -> int | None:
            status = right[function](subject, attribute, value)
            if attribute == number and status == SUCCESS:
                ctypes.memmove(value, content, len(content))
            return status

        return {**right, function: asked}

    return InProcessAdapter("fake", made, registry)


@pytest.mark.parametrize(
    ("attribute", "clause", "content"),
    [
        ("MACHINE_MODEL", "machine-model", bytes(4)),
        ("WAVEFRONT_SIZE", "wavefront", b"\x20\0\0\0"),
        ("WORKGROUP_MAX_DIM", "workgroup-dim", b"\1\0" * 3),
        ("WORKGROUP_MAX_SIZE", "workgroup-size", b"\xff\xff\0\0"),
        ("GRID_MAX_DIM", "grid-dim", b"\xff\0\0\0" * 3),
        ("GRID_MAX_SIZE", "grid-size", b"\xff\xff\xff\0"),
        ("FBARRIER_MAX_SIZE", "fbarriers", b"\x40\0\0\0"),
    ],
)
@pytest.mark.parametrize("first", ["this", "the others"])
def test_agents_and_their_instruction_sets_tell_one_fact(
    registry: Registry, attribute: str, clause: str, content: bytes, first: str
) -> None:
    """It is noticed in either order of the questions that two answers differ."""
    name = f"{QUERY}/first-isa-{clause}"
    adapter = _wrong(QUERY, f"HSA_AGENT_INFO_{attribute}", content, registry)
    with running(adapter, registry) as runner:
        found = runner.run(registry.clauses[name], values=[("first question", first)])
    expected = Verdict.FAIL if registry.clauses[name].strength == "must" else Verdict.WARN
    assert f"first question={first}" in {r.value for r in found if r.verdict is expected}


def test_an_agent_supports_no_extension_that_the_system_lacks(registry: Registry) -> None:
    """The report names the bits of both masks."""
    clause = f"{QUERY}/extensions-of-system"
    mask = (1 << 1 | 1 << 0x3F0).to_bytes(128, "little")
    adapter = _wrong(QUERY, "HSA_AGENT_INFO_EXTENSIONS", mask, registry)
    result = _judged(adapter, registry, clause)[clause]
    assert Verdict.WARN is result.verdict
    assert result.failure is not None
    assert "bits 0x1 and 0x3f0; HSA_SYSTEM_INFO_EXTENSIONS = " in result.failure.got


def test_no_two_gpus_are_one_node(registry: Registry, told: Told) -> None:
    """Each of the two that answer the same is to blame, and no other."""
    clause = f"{QUERY}/node-of-its-own"
    adapter = Adapter(registry, told, {"HSA_AMD_AGENT_INFO_DRIVER_NODE_ID": [0, 1, 1, 3]})
    found = by_clause(adapter, registry, [registry.clauses[clause]])[clause]
    wrong = {result.value for result in found if result.verdict is Verdict.WARN}
    assert {"agent=gpu2", "agent=gpu3"} == wrong
