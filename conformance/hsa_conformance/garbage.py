"""The garbage collector of a process that makes many objects, few of which are garbage."""

from __future__ import annotations

import gc
from typing import Final

#: How many new objects there may be before the collector looks at them: an example makes
#: thousands, of which most go without it. By default it is looking for a fifth of the time.
YOUNG: Final = 100_000


def collect_rarely() -> None:
    """Let the collector look at new objects rarely.

    Imports make objects that stay: to look at them again and again is a tenth of a start.
    """
    gc.set_threshold(YOUNG)
