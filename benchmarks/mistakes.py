"""Libraries that are wrong in one place each, all known: whether a quick run blames them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hsa_reports.verdicts import BROKEN
from tests.fakes.build import build


@dataclass(frozen=True)
class Mistake:
    """A fake with a mistake.

    Attributes:
        fake: its name in `tests/fakes`.
        function: the function that is wrong.
        defines: the macros that it is built with.
    """

    fake: str
    function: str
    defines: Mapping[str, object] = field(default_factory=dict)

    def built(self, folder: Path) -> Path:
        """Build it, and return the path of the library."""
        return build(self.fake, folder, **self.defines)

    def blamed(self, run: Path) -> bool:
        """Return whether a run, of which this is the folder, has a failure of the function."""
        lines = (run / "events.jsonl").read_text("utf-8").splitlines()
        results = [event for event in map(json.loads, lines) if event["event"] == "result"]
        return any(
            result["verdict"] in BROKEN and result["clause"].startswith(f"{self.function}/")
            for result in results
        )


_FREE: Final = "hsa_amd_memory_pool_free"
_RESERVE: Final = "hsa_amd_vmem_address_reserve"
#: Never change them: figures of two releases compare only if both judged the same.
MISTAKES: Final = (
    Mistake("signals", "hsa_signal_exchange_relaxed", {"FAKE_RETURNS_NEW": 1}),
    Mistake("signals", "hsa_signal_add_relaxed", {"FAKE_SLEEPS_ON": "FAKE_ADD"}),
    Mistake("signals", "hsa_signal_add_screlease", {"FAKE_TWO_STEPS": 1}),
    Mistake("signals", "hsa_signal_store_relaxed", {"FAKE_HALVES": 1}),
    Mistake("signals", "hsa_signal_create", {"FAKE_SHORT": "FAKE_UNCHECKED"}),
    Mistake("signals", "hsa_signal_load_relaxed", {"FAKE_FORGETS": 1}),
    Mistake("signals", "hsa_signal_load_scacquire", {"FAKE_CRASHES": 1}),
    Mistake("honest", "hsa_amd_vmem_address_reserve_align", {"FAKE_NO_ALIGNMENT": 1}),
    Mistake("honest", "hsa_amd_vmem_map", {"FAKE_MAPS_PART": 1}),
    Mistake("succeeds", _RESERVE),
    Mistake("wrong_status", "hsa_amd_vmem_address_free"),
    Mistake("creates_on_failure", _RESERVE),
    Mistake("leaks_descriptor", "hsa_amd_vmem_export_shareable_handle"),
    Mistake("keeps", _FREE, {"FAKE_KEEPS_IN": _FREE, "FAKE_KEEPS": "A_DESCRIPTOR"}),
    Mistake("signals", "hsa_signal_wait_scacquire", {"FAKE_UNSIGNED": 1}),
)
