"""Packages import only what they may: the specification nothing of ours, the suite everything."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "hsa_spec": "spec",
    "hsa_reference": "reference",
    "hsa_adapters": "adapters",
    "hsa_reports": "reports",
    "hsa_conformance": "conformance",
}
MAY_IMPORT = {
    "hsa_spec": {"hsa_spec"},
    "hsa_reference": {"hsa_reference", "hsa_spec"},
    "hsa_adapters": {"hsa_adapters", "hsa_spec"},
    "hsa_reports": {"hsa_reports", "hsa_spec"},
    "hsa_conformance": set(FOLDERS),
}


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each module that a file imports, wherever it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def test_every_package_is_known() -> None:
    """No package of the tree escapes the rule."""
    found = {p.parent.name for p in ROOT.glob("*/hsa_*/__init__.py")}
    assert set(FOLDERS) == found


@pytest.mark.parametrize("package", FOLDERS)
def test_package_imports_only_what_it_may(package: str) -> None:
    """Each import of one of our packages is allowed, and none is relative."""
    files = sorted((ROOT / FOLDERS[package] / package).rglob("*.py"))
    assert files
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in files
        for line, name in imported(path)
        if name.startswith(".")
        or (name.split(".")[0] in FOLDERS and name.split(".")[0] not in MAY_IMPORT[package])
    ]
    assert [] == wrong
