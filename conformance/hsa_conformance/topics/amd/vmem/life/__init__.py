"""Random sequences over the whole virtual memory API, in one process or in two that share memory.

What can be seen is compared with the model all the time: the bytes through the host's mappings,
permissions, pools and types.

All calls are acts, whose arguments are drawn here. Any of them can be the wrong one, and what it is
drawn from depends on the others: on handles and addresses that went, neighbours in a row, and what
the host may do. The conditions of a function do not tell that.
"""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.random_programs.player import Life, Rule, elsewhere
from hsa_conformance.topics.amd.vmem.life.calls import (
    ask,
    close,
    create,
    export,
    free,
    get_access,
    import_,
    map_,
    open_up,
    release,
    reserve,
    reserve_much,
    retain,
    send,
    set_access,
    unmap,
)
from hsa_conformance.topics.amd.vmem.life.compare import inspect, look, write
from hsa_conformance.topics.amd.vmem.life.rows import unmap_row
from hsa_conformance.topics.amd.vmem.life.space import Space

_OPENING: Final[tuple[Rule, ...]] = (reserve, create, map_, open_up, write)
#: What makes several mappings side by side.
_ROW: Final[tuple[Rule, ...]] = (create, reserve_much, *3 * (map_, open_up, write), unmap_row)
_SHARING: Final[tuple[Rule, ...]] = (
    *(*_OPENING, export, send),
    *map(elsewhere, (reserve, import_, map_, open_up)),
)
_ACTS: Final[tuple[Rule, ...]] = (
    *2 * (reserve, create, map_, open_up, write, import_),
    *(set_access, set_access, free, release, retain, ask, unmap, unmap_row, get_access),
    *(export, export, close, look, inspect),
)

LIVES = (
    Life(
        clause="hsa_amd_vmem_map/success",
        notes=Space,
        openings=(_OPENING, _ROW, ()),
        acts=_ACTS,
        closing=(inspect,),
        examples=4.0,
    ),
    Life(
        clause="hsa_amd_vmem_import_shareable_handle/other-process",
        name="sequences in two processes",
        two=True,
        notes=Space,
        openings=(_SHARING,),
        acts=(send, *_ACTS),
        closing=(inspect,),
        examples=2.0,
    ),
)
