"""Tests that need a package of an extra are skipped where it is missing, with its name."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final

import pytest

from tests.extras import EXTRAS, Module

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OURS: Final = set(PROJECT["tool"]["mypy"]["packages"])


def distributions(requirements: list[str]) -> set[str]:
    """Return the names of what is required, without versions."""
    return {re.split(r"[^\w-]", text)[0].lower() for text in requirements}


def imported() -> Iterator[tuple[str, Path]]:
    """Yield what tests and benchmarks import of others, and where."""
    for path in (*ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = list[str]()
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            roots = {name.partition(".")[0] for name in names}
            yield from ((root, path) for root in roots - OURS - sys.stdlib_module_names)


def test_what_tests_import_is_a_dependency_or_named_as_one_of_an_extra() -> None:
    required = distributions(PROJECT["project"]["dependencies"])
    known = packages_distributions()
    assert {} == {
        name: path
        for name, path in imported()
        if name not in EXTRAS and not required & {found.lower() for found in known.get(name, ())}
    }


@pytest.mark.parametrize("name", EXTRAS)
def test_the_extra_has_the_package(name: str) -> None:
    found = packages_distributions().get(name)
    if found is None:
        pytest.skip(f"needs {name}: install the extra `{EXTRAS[name]}`")
    extra = PROJECT["project"]["optional-dependencies"][EXTRAS[name]]
    assert set(found) & distributions(extra)
    assert not set(found) & distributions(PROJECT["project"]["dependencies"])


def test_no_conftest_needs_an_extra() -> None:
    """One that did would take the tests of all its folder with it."""
    files = [path.relative_to(ROOT) for path in ROOT.glob("tests/**/conftest.py")]
    modules = [".".join(path.with_suffix("").parts) for path in files]
    code = "\n".join(
        [
            "import importlib, sys",
            f"sys.modules.update(dict.fromkeys({[*EXTRAS]}))",
            f"for name in {modules}: importlib.import_module(name)",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "" == done.stderr


@pytest.fixture
def collected(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Module:
    """Return a module of tests that imports numpy, which is missing, and another one."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "numpy.typing", raising=False)
    monkeypatch.setitem(sys.modules, "lacking", None)
    return Module.from_parent(request.session, path=tmp_path / "test_lacking.py")


@pytest.mark.parametrize("text", ["import numpy", "from numpy.typing import NDArray"])
def test_a_module_that_needs_an_extra_is_skipped(collected: Module, text: str) -> None:
    collected.path.write_text(text)
    with pytest.raises(pytest.skip.Exception, match="needs numpy: install the extra `device`"):
        collected.collect()


@pytest.mark.parametrize("text", ["import lacking", "from os import lacking", "lacking = ="])
def test_any_other_module_that_cannot_be_imported_is_an_error(collected: Module, text: str) -> None:
    collected.path.write_text(text)
    with pytest.raises(pytest.Collector.CollectError):
        collected.collect()
