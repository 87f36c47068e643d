"""Adapters: how an implementation is put under the suite."""

from hsa_adapters.calls import Call, Callback, Outcome, Repeat, TimedOutcome
from hsa_adapters.errors import AdapterError, Ended, LimitError, MisuseError, Place
from hsa_adapters.faults import Faults
from hsa_adapters.in_process import InProcessAdapter
from hsa_adapters.library.adapter import LibraryAdapter
from hsa_adapters.limits import Limits
from hsa_adapters.protocol import Adapter, Process, Subject

__all__ = [
    "Adapter",
    "AdapterError",
    "Call",
    "Callback",
    "Ended",
    "Faults",
    "InProcessAdapter",
    "LibraryAdapter",
    "LimitError",
    "Limits",
    "MisuseError",
    "Outcome",
    "Place",
    "Process",
    "Repeat",
    "Subject",
    "TimedOutcome",
]
