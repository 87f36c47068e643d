"""Packages import only what they may: the contracts of pyproject.toml hold, for every package."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import grimp
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "pyproject.toml"


def test_every_package_is_known() -> None:
    """No package of the tree escapes the contracts."""
    contracts = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["importlinter"]
    found = {path.parent.name for path in ROOT.glob("*/hsa_*/__init__.py")}
    assert found == set(contracts["root_packages"])


def test_contracts_hold() -> None:
    """No import runs back up, whichever function it is in."""
    assert 0 == lint_imports(config_filename=str(PROJECT), no_cache=True)


def test_the_worker_imports_the_standard_library_alone() -> None:
    """It is sent to a Python that has nothing else."""
    worker = "hsa_adapters.worker"
    graph = grimp.build_graph("hsa_adapters", include_external_packages=True, cache_dir=None)
    modules = {worker} | graph.find_descendants(worker)
    imported = {
        name for module in modules for name in graph.find_modules_directly_imported_by(module)
    }
    assert set() == {n.partition(".")[0] for n in imported - modules} - sys.stdlib_module_names
