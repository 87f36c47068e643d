"""What the suite may ask of a process about its end, and about what comes between its calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

#: How a process is told that has ended as it was told to, by itself.
ORDERLY = "exit status 17"
#: How one is told that did not end in its time.
HANG = "HANG"


@dataclass(frozen=True)
class End:
    """How a process ended.

    Args:
        how: in words such as ORDERLY, "SIGSEGV" or HANG.
        printed: the last lines that the library printed, where they are known.
        answers: what calls answered before that, where it was to make some.

    """

    how: str
    printed: str = ""
    answers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Holdings:
    """What a process has that could stay in the system when it ends.

    Args:
        pid: its number.
        files: path, device and number of files that are meant for a time, such as shared memory.

    """

    pid: int
    files: tuple[tuple[str, int, int], ...] = ()


class Mortal(Protocol):
    """A process that can be disturbed, copied and ended; a part of `hsa_adapters.protocol.Process`.

    Where it is not the library's alone, `fork`, `end` and `inherited` do nothing and return None.
    """

    def interrupt(self, times: int, pause: float, *, restart: bool) -> None:
        """Send a signal with a handler that does nothing to every thread, again and again.

        Args:
            times: how often.
            pause: seconds before each time.
            restart: whether the system goes on with interrupted calls by itself (SA_RESTART).

        """
        ...

    def inherited(self) -> Mapping[int, str] | None:
        """Return the descriptors that a program would have that the process executes.

        The worker's own, and those that the process was born with, are left out.
        """
        ...

    def fork(self, calls: Sequence[str], how: str, patience: float) -> End | None:
        """Fork a copy of the process, which makes calls and ends, and wait for its end.

        Args:
            calls: the functions that it calls, which take no arguments.
            how: the way in which it ends; see `end`.
            patience: seconds that it may take.

        """
        ...

    def holdings(self) -> Holdings:
        """Return what the process has that could stay when it ends."""
        ...

    def left_by(self, holdings: Holdings) -> Sequence[str]:
        """Return in words what is there of another process, which has ended."""
        ...

    def end(self, how: str) -> End | None:
        """End the process in some way.

        Args:
            how: "exit" by the function of C of this name, "abort", "kill" by SIGKILL, "leave" by
                _exit, "unload" to unload the library before it ends by exit.

        """
        ...
