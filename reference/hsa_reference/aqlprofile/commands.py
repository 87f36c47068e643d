"""Commands in the caller's memory, and packets that lead to them.

They are PM4 commands that do nothing, whose contents say what is measured: no device of the
reference would understand others.
"""

from __future__ import annotations

import ctypes
import struct

from hsa_reference.aqlprofile.profile import Buffer, Profile
from hsa_reference.core.memory.places import Places
from hsa_reference.effects import LOCK

START, STOP, READ, ENABLE, DISABLE, MARK = range(6)

#: Bytes of hsa_ven_amd_aqlprofile_legacy_get_pm4.
LEGACY = 192
_COMMANDS_AT = 2  # pm4_command in a packet
_TAG = int.from_bytes(b"HSAP", "little")
_ENTRY = struct.Struct("<8I")
# The vendor's format of a packet that jumps to commands: format, jump, what remains, reserved.
_PACKET = struct.Struct("<H4II32x")
_FORMAT, _REMAINS = 1, 10
# PACKET3_INDIRECT_BUFFER and PACKET3_NOP of the kernel's drivers/gpu/drm/amd/amdgpu/soc15d.h.
_JUMP, _NOTHING = 0x3F, 0x10
_VALID = 1 << 23


def write_stream(places: Places, profile: Profile, kind: int, *words: int) -> Buffer:
    """Write a stream of commands to its place in the command buffer, and return where it is.

    Args:
        places: of the runtime; the buffer may be where the host has no access.
        profile: what is measured.
        kind: of the stream: START and so on.
        words: at most three numbers that the first command holds besides.

    """
    rows = [(profile.type, *words), *(profile.events or ())]
    content = b"".join(_nothing(kind, *row) for row in rows)
    address = profile.commands.address + kind * profile.area
    with LOCK:
        places.write(address, content)
    return Buffer(address, len(content))


def write_packet(packet: int, stream: Buffer) -> None:
    """Write the commands of a packet, which lead to a stream; the rest of it is the caller's."""
    ctypes.memmove(packet + _COMMANDS_AT, _PACKET.pack(_FORMAT, *_jump(stream), _REMAINS), 54)


def write_legacy(packet: int, data: int) -> None:
    """Write the jump of a packet as commands alone, filled up with one that does nothing."""
    jump = ctypes.string_at(packet + _COMMANDS_AT + 2, 16)
    rest = LEGACY - len(jump)
    content = jump + _header(_NOTHING, rest // 4).to_bytes(4, "little") + bytes(rest - 4)
    ctypes.memmove(data, content, LEGACY)


def _jump(stream: Buffer) -> tuple[int, int, int, int]:
    low, high = stream.address & 0xFFFFFFFF, stream.address >> 32
    return _header(_JUMP, 4), low, high, stream.size // 4 | _VALID


def _nothing(kind: int, *words: int) -> bytes:
    padding = 5 - len(words)
    return _ENTRY.pack(_header(_NOTHING, 8), _TAG, kind, *words, *[0] * padding)


def _header(operation: int, words: int) -> int:
    """Return the first word of a PM4 command of type 3."""
    return 3 << 30 | (words - 2) << 16 | operation << 8
