"""From a function to its caller, by what the compiler wrote about the stack into .eh_frame.

Nothing is guessed: where a file says nothing of an address, or says it in a way that is not read
here, there is no caller.

Sources: DWARF 5, sections 6.4 (what is said of the stack) and 7.24 (its encoding); "Exception
Frames" in the Linux Standard Base, Core, for .eh_frame, its table and forms of pointers; and
figures 3.4 and 3.36 of the System V ABI for AMD64, for the registers.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from hsa_adapters.worker.ends.mappings import Code, Place

#: The registers of x86-64 by their numbers in DWARF; the last one stands for the return address.
_NAMES = (
    "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
)  # fmt: skip
_KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")  # what a call leaves as it was
_SIZES = {0: "<Q", 2: "<H", 3: "<I", 4: "<Q", 10: "<h", 11: "<i", 12: "<q"}
_FROM_HERE = 0x10
_STEPS = {2: "<B", 3: "<H", 4: "<I"}
_TABLE = (1, 0x03, 0x3B)  # version, form of the count, form of the entries


class Unknown(Exception):  # noqa: N818 - no mistake of anybody
    """Nothing is known of the caller."""


class _Bytes:
    """Reads numbers one after the other."""

    def __init__(self, code: Code, place: int, end: int = 0) -> None:
        self.data, self.place, self.end = code.data, place, end

    def number(self, form: str) -> int:
        (value,) = struct.unpack_from(form, self.data, self.place)
        self.place += struct.calcsize(form)
        return int(value)

    def unsigned(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def signed(self) -> int:
        start = self.place
        value = self.unsigned()
        bits = 7 * (self.place - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def pointer(self, encoding: int, shift: int) -> int:
        """Read an address; `shift` is what addresses are beyond offsets in the file."""
        here = self.place + shift if encoding & 0x70 == _FROM_HERE else 0
        if encoding & 0x0F not in _SIZES or encoding & 0x60 or encoding & 0x80:
            raise Unknown
        return here + self.number(_SIZES[encoding & 0x0F])


@dataclass
class _Row:
    """Where the caller's registers are, at one instruction."""

    base: str = "rsp"
    offset: int = 0
    saved: dict[str, int | None] = field(default_factory=dict)  # None: it is lost

    def copy(self) -> _Row:
        return _Row(self.base, self.offset, dict(self.saved))


class _Common:
    """What the entries of several functions share (a CIE)."""

    def __init__(self, code: Code, place: int, shift: int) -> None:
        data = _Bytes(code, place)
        length = data.number("<I")
        data.end = data.place + length
        if length == 0xFFFFFFFF or data.number("<I"):
            raise Unknown
        version = data.number("<B")
        letters = b""
        while byte := data.number("<B"):
            letters += bytes([byte])
        self.step, self.unit = data.unsigned(), data.signed()
        returns = data.number("<B") if version == 1 else data.unsigned()
        # "S" marks the frame of a signal, which has more registers than are known here.
        if not letters.startswith(b"z") or set(letters) - set(b"zRPL") or returns != 16:
            raise Unknown
        start = data.unsigned() + data.place
        self.encoding = 0
        for letter in letters[1:]:
            if letter == ord("R"):
                self.encoding = data.number("<B")
            elif letter == ord("L"):
                data.number("<B")
            else:
                data.pointer(data.number("<B") & 0x7F, shift)
        data.place = start
        self.row = _Row()
        self.row = _carried_out(data, self, _Row(), None)


def caller(place: Place, registers: Mapping[str, int], stack: bytes, low: int) -> dict[str, int]:
    """Return the registers of a function's caller, of which "rip" is where the call returns to.

    Args:
        place: an instruction of the function; of one that has made a call, the call itself.
        registers: its registers, as far as they are known.
        stack: what stands on the stack.
        low: the address of its first byte.

    Raises:
        Unknown: nothing says who called it.

    """
    try:
        row = _row(place.code, place.address)
    except (struct.error, IndexError):
        raise Unknown from None
    if row.base not in registers:
        raise Unknown
    top = registers[row.base] + row.offset
    found = {name: registers[name] for name in _KEPT if name in registers}
    for name, offset in row.saved.items():
        if offset is None:
            found.pop(name, None)
        else:
            found[name] = word(stack, top + offset - low)
    if not found.get("rip") or top <= registers.get("rsp", 0):
        raise Unknown
    return {**found, "rsp": top}


def word(stack: bytes, offset: int) -> int:
    """Return the word at an offset of the stack.

    Raises:
        Unknown: it was not noted.

    """
    if not 0 <= offset <= len(stack) - 8:
        raise Unknown
    return int.from_bytes(stack[offset : offset + 8], "little")


def _row(code: Code, address: int) -> _Row:
    table = code.unwinding
    if table is None or tuple(code.data[table.offset + n] for n in (0, 2, 3)) != _TABLE:
        raise Unknown
    shift = table.address - table.offset
    place = _entry(code, table.offset, address - table.address) + table.offset
    data = _Bytes(code, place)
    length = data.number("<I")
    data.end = data.place + length
    back = data.place
    common = _Common(code, back - data.number("<I"), shift)
    start = data.pointer(common.encoding, shift)
    covers = data.pointer(common.encoding & 0x0F, shift)
    if length == 0xFFFFFFFF or not start <= address < start + covers:
        raise Unknown
    further = data.unsigned()  # bytes about exceptions
    data.place += further
    return _carried_out(data, common, common.row.copy(), address - start)


def _entry(code: Code, table: int, address: int) -> int:
    """Return where the last entry that does not begin behind an address is; all from the table."""
    size = _Bytes(code, table + 1).number("<B") & 0x0F
    if size not in (3, 11):
        raise Unknown
    (count,) = struct.unpack_from("<I", code.data, table + 8)
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        (start,) = struct.unpack_from("<i", code.data, table + 12 + 8 * middle)
        low, high = (middle + 1, high) if start <= address else (low, middle)
    if not low:
        raise Unknown
    (found,) = struct.unpack_from("<i", code.data, table + 12 + 8 * (low - 1) + 4)
    return int(found)


def _carried_out(data: _Bytes, common: _Common, row: _Row, until: int | None) -> _Row:
    """Carry out what is said of the instructions up to an offset in the function."""
    now = 0
    remembered: list[_Row] = []
    while data.place < data.end:
        operation = data.number("<B")
        if operation in _STEPS or operation >> 6 == 1:
            form = _STEPS.get(operation)
            now += (data.number(form) if form else operation & 63) * common.step
            if until is not None and now > until:
                break
        elif operation == 10:
            remembered.append(row.copy())
        elif operation == 11 and remembered:
            row = remembered.pop()
        elif not _based(data, row, operation):
            _saved(data, common, row, operation)
    return row


def _based(data: _Bytes, row: _Row, operation: int) -> bool:
    """Carry out what says where the frame begins; return whether it is that."""
    if operation == 12:
        row.base, row.offset = _name(data.unsigned()), data.unsigned()
    elif operation == 13:
        row.base = _name(data.unsigned())
    elif operation == 14:
        row.offset = data.unsigned()
    elif operation == 0x2E:
        data.unsigned()  # the size of arguments on the stack, which the offsets have already
    else:
        return operation == 0
    return True


def _saved(data: _Bytes, common: _Common, row: _Row, operation: int) -> None:
    """Carry out what says where a register is saved."""
    short = operation >> 6
    if short not in (2, 3) and operation not in (5, 6, 7, 8):
        raise Unknown
    name = _name(operation & 63 if short else data.unsigned())
    if short == 2 or operation == 5:
        row.saved[name] = data.unsigned() * common.unit
    elif operation == 7:
        row.saved[name] = None
    else:
        row.saved.pop(name, None)
        if operation != 8 and name in common.row.saved:
            row.saved[name] = common.row.saved[name]


def _name(number: int) -> str:
    if number >= len(_NAMES):
        raise Unknown
    return _NAMES[number]
