"""The worker as one piece of source text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

#: The modules of the worker, each after those that it imports.
MODULES = (
    "supervision.wire", "calls.machine_code", "calls.watch", "calls.answers", "calls.binding",
    "calls.memory", "resources.descriptors", "resources.needs", "resources.remains",
    "resources.process_state", "resources.ledger",
    "calls.executor",
    "threads.repetition", "threads.background", "threads.on_cores", "threads.together",
    "threads.litmus", "library.elf", "library.c_library", "ends.autopsy", "ends.crash",
    "ends.mappings", "ends.unwinding", "ends.call_encoding", "ends.place", "library.facts",
    "library.topology",
    "ends.ending", "ends.interruption", "resources.hindrances",
    "supervision.serve",
    "ends.sanitizer_reports", "supervision.call_budget", "supervision.children",
    "supervision.backlog", "supervision.supervisor", "main",
)  # fmt: skip

_START = """\
import sys, types
def place(name, module):
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        package(parent)
        setattr(sys.modules[parent], last, module)
def package(name):
    if name not in sys.modules:
        module = types.ModuleType(name)
        module.__path__ = []
        place(name, module)
for name, source in {sources!r}.items():
    full = "hsa_adapters.worker." + name
    module = types.ModuleType(full)
    place(full, module)
    exec(compile(source, full, "exec"), module.__dict__)
import json
from hsa_adapters.worker.main import main
main(json.loads({settings!r}))
"""


@cache
def _sources() -> dict[str, str]:
    folder = files("hsa_adapters.worker")
    names = {name: f"{name.replace('.', '/')}.py" for name in MODULES}
    return {name: (folder / path).read_text(encoding="utf-8") for name, path in names.items()}


def payload(settings: Mapping[str, Any]) -> bytes:
    """Return what the loader expects on its input, as often as it starts.

    Args:
        settings: see `hsa_adapters.worker.main.main`. With an environment the worker starts itself
            again and reads its source a second time.

    """
    text = _START.format(sources=_sources(), settings=json.dumps(settings)).encode()
    once = b"%d\n%s" % (len(text), text)
    return once * 2 if settings["environment"] else once
