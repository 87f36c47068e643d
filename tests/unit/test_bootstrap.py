"""The worker's source text has all of its modules."""

from __future__ import annotations

from pathlib import Path

from hsa_adapters import worker
from hsa_adapters.library.bootstrap import MODULES


def test_every_module_of_the_worker_is_sent() -> None:
    """A name that no file has, or a file that no name stands for, is found without a library."""
    folder = Path(worker.__file__).parent
    files = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")]
    names = {".".join(path.parts) for path in files if path.name != "__init__"}
    assert sorted(names) == sorted(MODULES)
