"""What the command line of a run said."""

from __future__ import annotations

from itertools import pairwise

from hsa_reports import RunStarted


def option_value(run: RunStarted, option: str) -> str | None:
    """Return the value that an option of a run was given last; None where it was not given.

    Args:
        run: the run, by `hsa-conformance run` or by pytest.
        option: its name, such as "baseline".

    """
    names = (f"--{option}", f"--hsa-{option}")
    words = [
        part
        for word in run.command
        for part in (word.split("=", 1) if word.startswith(names) else [word])
    ]
    given = [value for name, value in pairwise(words) if name in names]
    return given[-1] if given else None
