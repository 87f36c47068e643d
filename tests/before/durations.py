"""How long each test took the last time that it was run, kept in pytest's cache."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

#: Their name in pytest's cache.
KEY: Final = "hsa/durations"


class Durations:
    """Writes down the seconds of each test, its fixtures included."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the seconds of a part of a test."""
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Keep them, and those of the tests that were not run this time."""
        cache: pytest.Cache | None = getattr(session.config, "cache", None)  # -p no:cacheprovider
        if cache is None or not self.seconds:
            return
        kept = dict(cache.get(KEY, {}))
        kept.update((test, round(seconds, 3)) for test, seconds in self.seconds.items())
        files = {test.partition("::")[0] for test in kept}
        gone = {name for name in files if not (session.config.rootpath / name).exists()}
        cache.set(KEY, {t: s for t, s in kept.items() if t.partition("::")[0] not in gone})


def kept(root: Path) -> Mapping[str, float]:
    """Return the seconds of each test that was ever run in a folder, by its id."""
    path = root / ".pytest_cache" / "v" / KEY
    seconds: Mapping[str, float] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return seconds
