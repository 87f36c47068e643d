"""How much a traversal reports."""

from __future__ import annotations

from typing import Final

from hsa_adapters.calls import Callback
from hsa_adapters.protocol import Adapter
from tests.campaign.planted_defects.demonstrations.bench import Bench

_CALLBACKS: Final = {
    "hsa_iterate_agents": "hsa_agent_callback",
    "hsa_agent_iterate_caches": "hsa_cache_callback",
}


def reported(adapter: Adapter, function: str) -> int:
    """Return how many things a traversal reports, of the last agent if it is about one."""
    bench = Bench(adapter.process())
    try:
        bench.init()
        about = [] if function == "hsa_iterate_agents" else bench.agents()[-1:]
        return len(bench.must(function, *about, Callback(_CALLBACKS[function]), 0).callbacks)
    finally:
        bench.process.close()
