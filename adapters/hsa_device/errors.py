"""What can go wrong on the device; each message is a line: what to do, or what was met."""

from __future__ import annotations


class DeviceError(Exception):
    """What all errors of the device are."""


class DecoderError(DeviceError):
    """There is no LLVM here that decodes the instructions of a target."""


class FormatError(DeviceError):
    """These bytes are no code object, or its descriptor of a kernel says what cannot be."""


class DispatchError(DeviceError):
    """A dispatch that ended before its time.

    Attributes:
        place: the instruction and its address, where it was one that ended it.

    """

    place = ""

    def __str__(self) -> str:
        return f"{super().__str__()}{self.place}"


class IllegalInstructionError(DispatchError):
    """There is no such instruction, or it has operands that it cannot have: hardware stops, too."""


class NotExecutedError(DispatchError):
    """The device lacks this instruction, or this setting of it; hardware would have gone on.

    Args:
        text: says what was met.
        name: of the instruction, "" where it is none.

    """

    def __init__(self, text: str, name: str = "") -> None:
        super().__init__(text)
        self.name = name


class MemoryFaultError(DispatchError):
    """An access where there is no memory, or none that may be accessed so.

    Args:
        text: says what was met.
        address: of the access, 0 where it has none.

    """

    def __init__(self, text: str, address: int = 0) -> None:
        super().__init__(text)
        self.address = address


class TrapError(DispatchError):
    """A kernel ended itself by a trap.

    Args:
        number: of the trap.

    """

    def __init__(self, number: int) -> None:
        super().__init__(f"trap {number}")
        self.number = number


class ResourcesError(DispatchError):
    """A work-group needs more than the machine has."""


class StoppedError(DispatchError):
    """The queue of a dispatch was destroyed, or made inactive."""
