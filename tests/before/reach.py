"""What the changed files can reach in the tree, and how far away it is."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from tests.before.changes import WrongUseError
from tests.before.needs import Sources, data, distances, fixtures, imports, named_modules


def reached(root: Path, paths: Collection[str], changed: Collection[str]) -> dict[str, int]:
    """Return how many steps each file is away from the changed ones, 0 for these.

    Arguments:
        root: the folder of the tree.
        paths: its files.
        changed: those that changed, deleted ones among them.

    Raises:
        WrongUseError: Python would import the packages from elsewhere.
    """
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]
    packages = settings["mypy"]["packages"]
    for package in packages:
        spec = find_spec(package)
        if spec is None or spec.origin is None or not Path(spec.origin).is_relative_to(root):
            raise WrongUseError(f"{package} is not that of this tree: pip install -e '.[dev]'")
    texts = {path: (root / path).read_text("utf-8") for path in paths if path.endswith(".py")}
    sources = Sources(texts, settings["pyright"]["extraPaths"])
    needs = [*imports(sources, packages), *named_modules(sources), *fixtures(sources)]
    for path in changed:
        if not path.endswith(".py"):
            needs += data(sources, path)
    return distances(changed, needs)
