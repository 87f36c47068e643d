"""The worker as one piece of source text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

# Each after those that it imports.
_MODULES = (
    "wire", "machine_code", "watch", "answers", "binding", "memory", "descriptors", "ledger",
    "executor", "repetition", "background", "on_cores", "together", "litmus", "elf", "c_library",
    "autopsy", "crash", "mapped", "unwinding", "place", "facts", "topology", "ending",
    "interruption", "remains", "serve", "sanitizer_reports", "budget", "children", "unread",
    "supervisor", "main",
)  # fmt: skip

_START = """\
import sys, types
def package(name):
    sys.modules[name] = module = types.ModuleType(name)
    module.__path__ = []
    return module
package("hsa_adapters")
worker = package("hsa_adapters.worker")
for name, source in {sources!r}.items():
    full = "hsa_adapters.worker." + name
    sys.modules[full] = module = types.ModuleType(full)
    setattr(worker, name, module)
    exec(compile(source, full, "exec"), module.__dict__)
import json
from hsa_adapters.worker.main import main
main(json.loads({settings!r}))
"""


@cache
def _sources() -> dict[str, str]:
    folder = files("hsa_adapters.worker")
    return {name: (folder / f"{name}.py").read_text(encoding="utf-8") for name in _MODULES}


def payload(settings: Mapping[str, Any]) -> bytes:
    """Return what the loader expects on its input, as often as it starts.

    Args:
        settings: see `hsa_adapters.worker.main.main`. With an environment the worker starts itself
            again and reads its source a second time.

    """
    text = _START.format(sources=_sources(), settings=json.dumps(settings)).encode()
    once = b"%d\n%s" % (len(text), text)
    return once * 2 if settings["environment"] else once
