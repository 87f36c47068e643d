"""The statuses that the comments of functions list."""

from __future__ import annotations

import re
from collections.abc import Mapping

_RETVAL = re.compile(r"[@\\]retval\s+(?:::)?(\w+)")
_COPYDOC = re.compile(r"[@\\]copydoc\s+(?:::)?(\w+)")


def statuses(function: str, comments: Mapping[str, str]) -> tuple[str, ...]:
    """Return the statuses that a function's comment lists, each once, in its order.

    Args:
        function: the name of the function.
        comments: the comment of each declaration; one that copies another's has its list as well.

    """
    found: dict[str, None] = {}
    seen: set[str] = set()
    waiting = [function]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        comment = comments.get(name, "")
        found.update(dict.fromkeys(_RETVAL.findall(comment)))
        waiting += _COPYDOC.findall(comment)
    return tuple(found)
