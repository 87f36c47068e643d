"""Where in a library a process ended."""

from __future__ import annotations

from dataclasses import dataclass

_DIGITS = 12


@dataclass(frozen=True)
class Place:
    """The innermost instruction of the library that was under way; members as the adapters' Place.

    Args:
        file: the name of the library's file.
        build: the file's build id in hexadecimal, None where it has none.
        offset: the instruction's address in the file, as `addr2line` wants it.
        function: the function that it is in, where a symbol covers it.

    """

    file: str
    build: str | None
    offset: int
    function: str | None

    @property
    def instruction(self) -> str:
        """Return file and offset, such as "libhsa-runtime64.so.1+0x4a2f0"."""
        return f"{self.file}+{self.offset:#x}"

    @property
    def words(self) -> str:
        """Return all that is known of it, with as much of the build id as tells builds apart."""
        build = f" (build {self.build[:_DIGITS]})" if self.build else ""
        where = f"{self.instruction}{build}"
        return f"{self.function} at {where}" if self.function else where


def short(function: str) -> str:
    """Return the name of a C++ function with its class, without namespaces, types and arguments."""
    words = function.partition("(")[0].split()
    return "::".join((words or [function])[-1].split("::")[-2:])
