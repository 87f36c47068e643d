"""The suite's own kernels for processors of generation 11, in waves of 32 work-items.

Their arguments are at s[4:5], and processors know where private memory is. The manual is
AMD's of the instruction set architecture "RDNA3".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.code_objects.instructions import (
    FIRST_TO_ADDRESS,
    FIRST_TO_VALUE,
    ILLEGAL,
    SECOND_TO_ADDRESS,
    SECOND_TO_VALUE,
    WHILE_ZERO,
    Does,
    Instruction,
    Program,
)

_ = Instruction

_END: Final = _("s_endpgm", 0xBFB00000)
_LOADED: Final = _("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)", 0xBF890000)
_STORED: Final = _("s_waitcnt_vscnt null, 0x0", 0xBC7C0000)
_TWO_ARGUMENTS: Final = (
    _("s_load_b128 s[8:11], s[4:5], null", 0xF4080202, 0xF8000000),
    _LOADED,
)
_TO_MEMORY: Final = (_("flat_store_b64 v[0:1], v[2:3]", 0xDC6C0000, 0x007C0200), _STORED)
_STORE: Final = (*_TO_MEMORY, _END)


def _waiting(*begins: Instruction) -> Program:
    """Return what waits for a gate, see `programs_of_gfx9`; `begins` is done before."""
    return Program(
        (
            *_TWO_ARGUMENTS,  # gate and to
            *begins,
            *FIRST_TO_ADDRESS,
            _("flat_load_b32 v2, v[0:1] glc dlc", 0xDC506000, 0x027C0000),
            _LOADED,
            _("s_sleep 1", 0xBF830001),
            *WHILE_ZERO,
            _("s_cbranch_scc1 65529", 0xBFA2FFF9),  # back to the load
            *SECOND_TO_ADDRESS,
            _("s_load_b64 s[8:9], s[4:5], 0x10", 0xF4040202, 0xF8000010),
            _LOADED,
            *FIRST_TO_VALUE,
            *_STORE,
        ),
        24,
    )


NOTHING: Final = Program((_END,))
PROGRAMS: Final[Mapping[Does, Program]] = {
    "store": Program(
        (
            *_TWO_ARGUMENTS,
            *SECOND_TO_VALUE,
            *FIRST_TO_ADDRESS,
            *_STORE,
        ),
        16,
    ),
    "copy": Program(
        (
            *_TWO_ARGUMENTS,
            *SECOND_TO_ADDRESS,
            _("flat_load_b64 v[2:3], v[0:1]", 0xDC540000, 0x027C0000),
            _LOADED,
            *FIRST_TO_ADDRESS,
            *_STORE,
        ),
        16,
    ),
    "wait": _waiting(),
    "hold": _waiting(*SECOND_TO_ADDRESS, *FIRST_TO_VALUE, *_TO_MEMORY),
    "private": Program(
        (
            *_TWO_ARGUMENTS,
            *FIRST_TO_ADDRESS,
            SECOND_TO_VALUE[0],
            _("scratch_store_b32 off, v2, off offset:4", 0xDC690004, 0x007C0200),
            _STORED,
            _("scratch_load_b32 v3, off, off offset:4", 0xDC510004, 0x037C0000),
            _LOADED,
            _("flat_store_b32 v[0:1], v3", 0xDC680000, 0x007C0300),
            _STORED,
            _END,
        ),
        16,
        16,
    ),
    "trap": Program((_("s_trap 2", 0xBF900002), _END)),
    "illegal": Program((ILLEGAL, _END)),
}
