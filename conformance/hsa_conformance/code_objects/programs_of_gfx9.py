"""The suite's own kernels for processors of generation 9, whose arguments are at s[4:5].

A kernel with private memory finds in s[0:3] what buffer instructions reach it by, and in s6 where
that of its wave begins; from gfx940 on the processor knows that by itself. The manuals are AMD's of
the instruction set architectures "Vega" and "MI200", and of MI300.
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

_END: Final = _("s_endpgm", 0xBF810000)
_WAIT: Final = _("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)", 0xBF8C0000)
_TWO_ARGUMENTS: Final = (_("s_load_dwordx4 s[8:11], s[4:5], 0x0", 0xC00A0202, 0), _WAIT)
_STORE: Final = _("flat_store_dwordx2 v[0:1], v[2:3]", 0xDC740000, 0x00000200)
#: What is in s[8:9] is stored at its end.
_STORED: Final = (*FIRST_TO_ADDRESS, _STORE, _WAIT, _END)

NOTHING: Final = Program((_END,))
#: (address, value): stores the value, 64 bits, at the address.
_STORE_VALUE: Final = Program((*_TWO_ARGUMENTS, *SECOND_TO_VALUE, *_STORED), 16)
#: (to, from): copies 64 bits.
_COPY: Final = Program(
    (
        *_TWO_ARGUMENTS,
        *SECOND_TO_ADDRESS,
        _("flat_load_dwordx2 v[2:3], v[0:1]", 0xDC540000, 0x02000000),
        _WAIT,
        *_STORED,
    ),
    16,
)
_TRAP: Final = Program((_("s_trap 2", 0xBF920002), _END))


def _waiting(load: Instruction, *begins: Instruction) -> Program:
    """Return (gate, to, value): waits until 32 bits at the gate are not 0; then stores the value.

    Args:
        load: that of v2 from v[0:1], past the caches.
        begins: what is done before.

    """
    return Program(
        (
            *_TWO_ARGUMENTS,  # gate and to
            *begins,
            *FIRST_TO_ADDRESS,
            load,
            _WAIT,
            _("s_sleep 1", 0xBF8E0001),
            *WHILE_ZERO,
            _("s_cbranch_scc1 65529", 0xBF85FFF9),  # back to the load
            *SECOND_TO_ADDRESS,
            _("s_load_dwordx2 s[8:9], s[4:5], 0x10", 0xC0060202, 0x10),
            _WAIT,
            *FIRST_TO_VALUE,
            _STORE,
            _WAIT,
            _END,
        ),
        24,
    )


def _begun(store: Instruction) -> tuple[Instruction, ...]:
    """Return what stores the address of the gate first, which tells that the kernel has begun.

    Args:
        store: that of v[2:3] to v[0:1], past the caches.

    """
    return (*SECOND_TO_ADDRESS, *FIRST_TO_VALUE, store, _WAIT)


def _private(store: Instruction, load: Instruction) -> Program:
    """Return (to, value): stores what private memory gives back of the value, 32 bits of it.

    Args:
        store: that of v2 to the second word of private memory.
        load: that of v3 from there.

    """
    through = (
        SECOND_TO_VALUE[0],
        store,
        _WAIT,
        load,
        _WAIT,
        _("flat_store_dword v[0:1], v3", 0xDC700000, 0x00000300),
    )
    return Program((*_TWO_ARGUMENTS, *FIRST_TO_ADDRESS, *through, _WAIT, _END), 16, 16)


_ALL: Final[Mapping[Does, Program]] = {
    "store": _STORE_VALUE,
    "copy": _COPY,
    "trap": _TRAP,
    "illegal": Program((ILLEGAL, _END)),
}


def _programs(load: Instruction, store: Instruction, private: Program) -> Mapping[Does, Program]:
    """Return all programs of some processors.

    Args:
        load: see `_waiting`.
        store: see `_begun`.
        private: what goes through private memory.

    """
    hold = _waiting(load, *_begun(store))
    return {**_ALL, "wait": _waiting(load), "hold": hold, "private": private}


#: For processors before gfx940.
OLD: Final = _programs(
    _("flat_load_dword v2, v[0:1] glc", 0xDC510000, 0x02000000),
    _STORE,
    _private(
        _("buffer_store_dword v2, off, s[0:3], s6 offset:4", 0xE0700004, 0x06000200),
        _("buffer_load_dword v3, off, s[0:3], s6 offset:4", 0xE0500004, 0x06000300),
    ),
)
#: For those from gfx940 on.
NEW: Final = _programs(
    _("flat_load_dword v2, v[0:1] sc0 sc1", 0xDE510000, 0x02000000),
    _("flat_store_dwordx2 v[0:1], v[2:3] sc0 sc1", 0xDE750000, 0x00000200),
    _private(
        _("scratch_store_dword off, v2, off offset:4", 0xDC704004, 0x007F0200),
        _("scratch_load_dword v3, off, off offset:4", 0xDC504004, 0x037F0000),
    ),
)
