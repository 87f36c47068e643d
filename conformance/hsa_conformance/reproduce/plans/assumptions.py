"""What a library has to have answered before a program may hold it to a value.

What the last step has to give was computed from earlier answers of the library that failed. Another
library may answer those otherwise, and be right: of it the program can tell nothing.
"""

from __future__ import annotations

import re
from typing import Final

from hsa_reports.actions import Action, Call, Given
from hsa_reports.demands import Demand, Gives, Returns, Shows
from hsa_reports.operands import Number

#: What only asks, by its name.
_ASKS: Final = re.compile(r"_get_info|_iterate_|_pointer_info$|_load_|_get_access$|_supported$")
#: What programs look for themselves: agents by their kind, pools and regions by their place.
_FINDS: Final = re.compile(r"_iterate_|^hsa_amd_memory_pool_get_info$|^hsa_region_get_info$")
_KIND_OF_AGENT: Final = ("hsa_agent_get_info", Number(17))  # HSA_AGENT_INFO_DEVICE
_WORD: Final = 8
#: From here on a number may be an address, a time or a text.
_LEAST_UNSTABLE: Final = 1 << 32


def asks(action: Action) -> bool:
    """Return whether an action only asks something."""
    return isinstance(action, Call) and _ASKS.search(action.function) is not None


def is_presumed(action: Action, demand: Demand | None) -> bool:
    """Return whether what a demand wants may rest on the answer of an earlier action."""
    if not isinstance(demand, Gives | Returns | Shows) or not isinstance(action, Call):
        return False
    if not asks(action) or _FINDS.search(action.function):
        return False
    return _KIND_OF_AGENT not in ((action.function, value) for value in action.arguments)


def presumed(action: Action, demand: Demand | None) -> tuple[Given, ...]:
    """Return the outputs of an earlier action that have to be as recorded."""
    if not isinstance(action, Call) or not is_presumed(action, demand):
        return ()
    return tuple(given for given in action.outputs if given.content and _is_stable(given.content))


def _is_stable(content: bytes) -> bool:
    """Return whether a value means the same in every process."""
    words = (content[at : at + _WORD] for at in range(0, len(content), _WORD))
    return all(int.from_bytes(word, "little") < _LEAST_UNSTABLE for word in words)
