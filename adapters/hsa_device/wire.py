"""What a device and the driver of its client say to each other, over a socket for each queue.

Whoever drives a queue connects to the socket of the machine's device, and hands over a dispatch.
While the device executes it, the driver answers: where memory lies, and what is in memory of the
client that is no file. A message is a head, and as many bytes as the head says. The driver's C
header is made of this module.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from pathlib import Path

#: The name of the socket, in the folder of the machine.
SOCKET = "device"
#: The file there that names the instructions of kernels, a line for each: how it was executed (one
#: of `EXECUTED_HOW`), and its name.
EXECUTED = "executed"
EXECUTED_HOW = ("exact", "near", "lacking")
#: What a line says about what the device does not have by design, as no manual describes it.
NOT_IMITATED = ", and not imitated"
#: Of a message: its kind, a small number, two large ones, and how many bytes follow.
HEAD = struct.Struct("<IIQQQ")
#: The most bytes that follow a head.
MOST_BYTES = 1 << 20
#: What follows the head of a dispatch: the packet, and its number in the queue.
DISPATCH = struct.Struct("<64sQ")
#: What follows the head of a place: the offset in its file, or its address in the client.
PLACE = struct.Struct("<Q")
#: A span of memory of the client, as the device sees it: its address, and its size in bytes.
SPAN = struct.Struct("<QQ")
#: An atomic operation: address, value, and what is compared.
CHANGE = struct.Struct("<QQQ")
#: The C file of atomic operations, which the driver makes on memory of the client.
ATOMICS = Path(__file__).with_name("native") / "atomics.c"


class Message(IntEnum):
    """What a message is, with the three numbers of its head."""

    #: From the driver: which GPU; the address of the packet; the address of the queue.
    DISPATCH = 1
    #: From the driver: 0; which time; 0. What was told of memory is no longer true.
    FORGET = 2
    #: To the driver: the same. Nothing of that is used any more.
    FORGOTTEN = 3
    #: To the driver: 0; an address; 0. Where is that?
    FIND = 4
    #: The answer: a sum of `Where`; where its range starts; the size of the range.
    FOUND = 5
    #: To the driver: how many spans; how many bytes they have together; 0.
    READ = 6
    #: To the driver: the same; the bytes follow the spans.
    WRITE = 7
    #: To the driver: how many changes; the operation; the size of each number.
    CHANGE = 8
    #: The answer to these three: 1 for done, else 0; an address of no memory; 0.
    DONE = 9
    #: To the driver: an `Outcome`; the address of a fault; 0. A line for the user follows.
    ENDED = 10
    #: To the driver: 0; a number of 24 bits; 0. A wave interrupts; the number says which event.
    INTERRUPT = 11


class Where(IntEnum):
    """What memory is; what none of them holds of is not there."""

    #: A file, of which a descriptor comes with the message.
    FILE = 1
    #: Memory of the client, read and written there.
    CLIENT = 2
    #: It may be written.
    WRITABLE = 4


class Outcome(IntEnum):
    """How a dispatch ended."""

    COMPLETE = 0
    #: The device cannot go on where hardware would.
    LACKING = 1
    ILLEGAL_INSTRUCTION = 2
    MEMORY_FAULT = 3
    TRAP = 4
    #: More registers or LDS than there are.
    RESOURCES = 5
    #: The kernel object is none.
    BAD_KERNEL = 6


def c_header() -> str:
    """Return all of this as a C header."""
    lines = [
        "/* What is said to a device; made of hsa_device/wire.py. */",
        "#ifndef WIRE_H",
        "#define WIRE_H",
        "",
        "#include <stdint.h>",
        "",
        f'#define DEVICE_SOCKET "{SOCKET}"',
        f"#define MOST_BYTES {MOST_BYTES}u",
        "",
    ]
    for kinds in (Message, Where, Outcome):
        name = kinds.__name__.upper()
        members = ", ".join(f"{name}_{each.name} = {each.value}" for each in kinds)
        lines.append(f"enum wire_{name.lower()} {{ {members} }};")
    lines += [
        "",
        "struct head { uint32_t kind, count; uint64_t first, second, size; };",
        "struct wire_dispatch { uint8_t packet[64]; uint64_t number; };",
        "struct span { uint64_t address, size; };",
        "struct change { uint64_t address, value, compare; };",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)
