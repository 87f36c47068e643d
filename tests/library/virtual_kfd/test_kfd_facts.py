"""What the files of a machine tell, beside what its description says."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters.virtual_kfd import load_machine
from hsa_adapters.virtual_kfd.tree import TOPOLOGY, write_tree
from tests.library.virtual_kfd.kfd_calls import properties
from tests.library.virtual_kfd.kfd_process import inside

CPUS = "/sys/devices/system/node"


def _written(name: str, root: Path, seed: int = 0) -> Path:
    write_tree(load_machine(name), root, seed)
    return root / TOPOLOGY / "nodes"


def _files(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def test_a_seed_gives_the_same_machine(tmp_path: Path) -> None:
    """The files are the same each time, and other ones with another seed."""
    first = _files(_written("gfx942-4", tmp_path / "first"))
    assert first == _files(_written("gfx942-4", tmp_path / "second"))
    assert first != _files(_written("gfx942-4", tmp_path / "other", seed=1))


def test_gpus_of_amd_have_the_first_render_nodes(tmp_path: Path) -> None:
    nodes = _written("gfx942-4", tmp_path)
    assert {"renderD128", "renderD129", "renderD130", "renderD131"} == {
        path.name for path in (tmp_path / "dev/dri").iterdir()
    }
    for number, minor in enumerate(range(128, 132), 1):
        found = properties(nodes / str(number) / "properties")
        assert (0x1002, minor) == (found["vendor_id"], found["drm_render_minor"])


@pytest.mark.parametrize(
    "name",
    [
        "location_id",
        "domain",
        "unique_id",
        "fw_version",
        "sdma_fw_version",
        "max_engine_clk_fcompute",
        "capability",
        "drm_render_minor",
        "simd_id_base",
    ],
)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_no_two_gpus_have_the_same(tmp_path: Path, name: str, seed: int) -> None:
    """Equal GPUs differ in all that their architecture leaves open, and none of it is 0."""
    nodes = _written("gfx942-4", tmp_path, seed)
    found = [properties(nodes / str(n) / "properties")[name] for n in range(1, 5)]
    assert len(found) == len(set(found) - {0})


def test_no_two_banks_and_no_two_links_are_alike(tmp_path: Path) -> None:
    """Memory differs in width and clock, and links in weight, latency and bandwidth."""
    nodes = _written("gfx942-4", tmp_path)
    banks = [properties(p) for p in nodes.glob("*/mem_banks/*/properties")]
    for name in ("width", "mem_clk_max"):
        assert len(banks) == len({bank[name] for bank in banks})
    links = [properties(p) for p in nodes.glob("*/io_links/*/properties")]
    for name in ("weight", "min_latency", "max_latency", "min_bandwidth", "max_bandwidth"):
        told = {frozenset((link["node_from"], link["node_to"])): link[name] for link in links}
        assert len(links) == 2 * len(told)
        assert len(told) == len(set(told.values()) - {0}), name


def test_a_link_is_the_same_from_both_ends(tmp_path: Path) -> None:
    """What two nodes tell of the link between them differs in their order alone."""
    nodes = _written("two-cpus", tmp_path)
    links = {
        (link["node_from"], link["node_to"]): {
            name: value for name, value in link.items() if not name.startswith("node_")
        }
        for kind in ("io_links", "p2p_links")
        for link in map(properties, nodes.glob(f"*/{kind}/*/properties"))
    }
    assert {(a, b) for a in range(4) for b in range(4) if a != b} == set(links)
    for (source, target), told in links.items():
        assert told == links[target, source]


def test_no_cpu_has_a_link_to_a_gpu_of_which_it_reaches_a_part(tmp_path: Path) -> None:
    """The GPU has one to the CPU all the same."""
    nodes = _written("gfx1100", tmp_path)
    links = [properties(p) for p in nodes.glob("*/*_links/*/properties")]
    assert [(1, 0)] == [(link["node_from"], link["node_to"]) for link in links]


def test_ways_through_cpus_weigh_as_much_as_their_parts(tmp_path: Path) -> None:
    """From a GPU to the CPU of another one it is as far as to its own, and on from there."""
    nodes = _written("two-cpus", tmp_path)

    def links(node: int, kind: str) -> dict[int, dict[str, int]]:
        files = (nodes / str(node) / kind).glob("*/properties")
        return {link["node_to"]: link for link in map(properties, files)}

    own, between = links(2, "io_links"), links(0, "io_links")
    assert {0} == set(own)
    way = links(2, "p2p_links")[1]
    for name in ("weight", "min_latency", "max_latency"):
        assert way[name] == own[0][name] + between[1][name]
    for name in ("min_bandwidth", "max_bandwidth"):
        assert way[name] == min(own[0][name], between[1][name])


@inside("two-cpus")
def test_the_caches_of_cpus_are_those_of_the_description() -> None:
    """Each node with processors tells the caches that its CPU is described with."""
    expected = {"0": {"32K", "1024K", "32768K"}, "1": {"48K", "2048K", "24576K"}}
    for node, sizes in expected.items():
        folder = Path(CPUS) / f"node{node}"
        found = {
            (folder / cpu / "cache" / index / "size").read_text().strip()
            for cpu in (os.listdir(folder) if folder.exists() else [])  # noqa: PTH208
            for index in os.listdir(folder / cpu / "cache")  # noqa: PTH208
        }
        assert found in ([sizes] if int(node) < (os.cpu_count() or 1) else [sizes, set()])


def test_lines_of_caches_differ_by_level(machines: Callable[..., Any]) -> None:
    """Of the usual GPU the lines of the second level are twice as long as those of the first."""
    nodes = machines("gfx90a").root / TOPOLOGY / "nodes/1"
    caches = map(properties, nodes.glob("caches/*/properties"))
    assert {1: 64, 2: 128} == {cache["level"]: cache["cache_line_size"] for cache in caches}
