"""Whether code of x86-64 ends with a call, so that a process may return to what follows it.

Source: Intel's Software Developer's Manual, volume 2: CALL in chapter 3 (its opcodes E8 and FF /2),
and for the length of the second one tables 2-2 and 2-3 (ModR/M and SIB bytes). Prefixes come before
the opcode, so they make no difference here.
"""

from __future__ import annotations

_DIRECT, _INDIRECT = 0xE8, 0xFF
#: The bytes of the longest call without prefixes: opcode, ModR/M, SIB and four of displacement.
LONGEST = 7


def ends_with_call(code: bytes) -> bool:
    """Return whether the last instruction of some code can be a near call.

    Read from its end, code can be told from another only by its last bytes: an instruction whose
    constant ends with the bytes of a call looks like one.

    Args:
        code: `LONGEST` bytes, or fewer where no more come before its end.

    """
    return code[-5:-4] == bytes([_DIRECT]) or any(
        _indirect(code[-size:]) == size for size in range(2, len(code) + 1)
    )


def _indirect(code: bytes) -> int | None:
    """Return how many bytes a call through a register or memory has that code begins with."""
    opcode, modrm, sib = code[:3].ljust(3, b"\0")
    mode, operation, base = modrm >> 6, modrm >> 3 & 7, modrm & 7
    if opcode != _INDIRECT or operation != 2:
        return None
    if mode == 3:  # a register
        return 2
    has_sib = base == 4
    if has_sib:
        base = sib & 7
    has_no_base = mode == 0 and base == 5
    return 2 + has_sib + (4 if mode == 2 or has_no_base else mode)
