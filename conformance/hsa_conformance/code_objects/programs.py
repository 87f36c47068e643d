"""The instructions of the suite's own kernels, written by hand: what each says, and its words.

Those here are for processors of generation 9, whose kernels find the address of their arguments in
s[4:5] here. A kernel with private memory finds in s[0:3] what buffer instructions reach it by, and
in s6 where that of its wave begins; from gfx940 on the processor knows that by itself.

The manuals are AMD's of the instruction set architectures "Vega" and "MI200", and "CDNA 3".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.code_objects import programs_of_rdna3
from hsa_conformance.code_objects.instructions import Does, Program
from hsa_conformance.code_objects.instructions import Instruction as _
from hsa_conformance.code_objects.targets import Target

_GENERATION: Final = 9
_RDNA3: Final = 11
_ANEW: Final = 11  # the first generation whose operations have other numbers
#: Processors from here on keep the place of private memory in a register of its own.
_PRIVATE_REGISTER: Final = ("gfx940", "gfx941", "gfx942", "gfx950")

_END: Final = _("s_endpgm", 0xBF810000)
_WAIT: Final = _("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)", 0xBF8C0000)
_TWO_ARGUMENTS: Final = (_("s_load_dwordx4 s[8:11], s[4:5], 0x0", 0xC00A0202, 0), _WAIT)
_TO_FIRST: Final = (
    _("v_mov_b32_e32 v0, s8", 0x7E000208),
    _("v_mov_b32_e32 v1, s9", 0x7E020209),
)
_SECOND: Final = (
    _("v_mov_b32_e32 v2, s10", 0x7E04020A),
    _("v_mov_b32_e32 v3, s11", 0x7E06020B),
)
_STORE: Final = _("flat_store_dwordx2 v[0:1], v[2:3]", 0xDC740000, 0x00000200)
#: What is in s[8:9] is stored at its end.
_STORED: Final = (*_TO_FIRST, _STORE, _WAIT, _END)

_NOTHING: Final = Program((_END,))
_NOTHING_ANEW: Final = Program((_("s_endpgm", 0xBFB00000),))
#: (address, value): stores the value, 64 bits, at the address.
_STORE_VALUE: Final = Program((*_TWO_ARGUMENTS, *_SECOND, *_STORED), 16)
#: (to, from): copies 64 bits.
_COPY: Final = Program(
    (
        *_TWO_ARGUMENTS,
        _("v_mov_b32_e32 v0, s10", 0x7E00020A),
        _("v_mov_b32_e32 v1, s11", 0x7E02020B),
        _("flat_load_dwordx2 v[2:3], v[0:1]", 0xDC540000, 0x02000000),
        _WAIT,
        *_STORED,
    ),
    16,
)
_TRAP: Final = Program((_("s_trap 2", 0xBF920002), _END))
#: No instruction begins with this word: there is no such operation of one scalar operand.
_ILLEGAL: Final = Program((_("", 0xBE80FF00), _END))


def _waiting(load: _) -> Program:
    """Return (gate, to, value): waits until 32 bits at the gate are not 0; then stores the value.

    Args:
        load: that of v2 from v[0:1], past the caches.

    """
    return Program(
        (
            *_TWO_ARGUMENTS,  # gate and to
            *_TO_FIRST,
            load,
            _WAIT,
            _("s_sleep 1", 0xBF8E0001),
            _("v_readfirstlane_b32 s7, v2", 0x7E0E0502),
            _("s_cmp_eq_u32 s7, 0", 0xBF068007),
            _("s_cbranch_scc1 65529", 0xBF85FFF9),  # back to the load
            _("v_mov_b32_e32 v0, s10", 0x7E00020A),
            _("v_mov_b32_e32 v1, s11", 0x7E02020B),
            _("s_load_dwordx2 s[8:9], s[4:5], 0x10", 0xC0060202, 0x10),
            _WAIT,
            _("v_mov_b32_e32 v2, s8", 0x7E040208),
            _("v_mov_b32_e32 v3, s9", 0x7E060209),
            _STORE,
            _WAIT,
            _END,
        ),
        24,
    )


def _private(store: _, load: _) -> Program:
    """Return (to, value): stores what private memory gives back of the value, 32 bits of it.

    Args:
        store: that of v2 to the second word of private memory.
        load: that of v3 from there.

    """
    through = (
        _("v_mov_b32_e32 v2, s10", 0x7E04020A),
        store,
        _WAIT,
        load,
        _WAIT,
        _("flat_store_dword v[0:1], v3", 0xDC700000, 0x00000300),
    )
    return Program((*_TWO_ARGUMENTS, *_TO_FIRST, *through, _WAIT, _END), 16, 16)


_OLD: Final[Mapping[Does, Program]] = {
    "wait": _waiting(_("flat_load_dword v2, v[0:1] glc", 0xDC510000, 0x02000000)),
    "private": _private(
        _("buffer_store_dword v2, off, s[0:3], s6 offset:4", 0xE0700004, 0x06000200),
        _("buffer_load_dword v3, off, s[0:3], s6 offset:4", 0xE0500004, 0x06000300),
    ),
}
_NEW: Final[Mapping[Does, Program]] = {
    "wait": _waiting(_("flat_load_dword v2, v[0:1] sc0 sc1", 0xDE510000, 0x02000000)),
    "private": _private(
        _("scratch_store_dword off, v2, off offset:4", 0xDC704004, 0x007F0200),
        _("scratch_load_dword v3, off, off offset:4", 0xDC504004, 0x037F0000),
    ),
}
_ALL: Final[Mapping[Does, Program]] = {
    "store": _STORE_VALUE,
    "copy": _COPY,
    "trap": _TRAP,
    "illegal": _ILLEGAL,
}


def program(does: Does, target: Target) -> Program:
    """Return the instructions of a kernel.

    Args:
        does: what it does.
        target: the processor that it is for.

    Raises:
        KeyError: the suite has none that does it for the processor.

    """
    if does == "nothing":
        return _NOTHING_ANEW if target.generation >= _ANEW else _NOTHING
    return _programs(target)[does]


def has_kernels(target: Target) -> bool:
    """Return whether the suite has kernels for a processor that do something."""
    return bool(_programs(target))


def has_private_register(target: Target) -> bool:
    """Return whether waves find their private memory without instructions of the kernel."""
    return target.name in _PRIVATE_REGISTER or target.generation == _RDNA3


def _programs(target: Target) -> Mapping[Does, Program]:
    if target.generation == _RDNA3:
        return programs_of_rdna3.PROGRAMS
    if target.generation != _GENERATION:
        return {}
    return {**_ALL, **(_NEW if has_private_register(target) else _OLD)}
