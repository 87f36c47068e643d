"""Failures of an implementation that are known and explained, so that a run shows new ones."""

from hsa_conformance.baselines.baseline import Baseline
from hsa_conformance.baselines.entry import Change, Entry
from hsa_conformance.baselines.known_cause import KnownCause
from hsa_conformance.baselines.known_failures import KnownFailures
from hsa_conformance.baselines.reading import BaselineError, baseline_names, read_baseline

__all__ = [
    "Baseline",
    "BaselineError",
    "Change",
    "Entry",
    "KnownCause",
    "KnownFailures",
    "baseline_names",
    "read_baseline",
]
