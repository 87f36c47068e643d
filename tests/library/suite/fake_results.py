"""What the tests that run the suite share."""

from __future__ import annotations

from collections.abc import Callable

from hsa_reports import Result

#: The results of each clause that was run, by its id.
Results = dict[str, list[Result]]

#: Builds a fake and runs clauses on it.
Put = Callable[..., Results]
