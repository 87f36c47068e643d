"""How a process ends under the library, and why an implementation cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hsa_adapters.calls import Call


@dataclass(frozen=True)
class Place:
    """An instruction of the library under test.

    Args:
        file: the name of its file.
        build: the file's build id in hexadecimal, None where it has none.
        offset: the instruction's address in the file, as `addr2line` wants it.
        function: the function that it is in, where a symbol covers it.

    """

    file: str
    build: str | None
    offset: int
    function: str | None


class Ended(Exception):  # noqa: N818 - it is a fact about the library, not an error of ours
    """The process is gone: the library crashed it, hung it, or left it.

    Attributes:
        kind: "CRASH", "HANG" or "EXIT".
        call: the call it happened in, or None between calls.
        detail: signal or exit status in words, such as "SIGSEGV" or "exit status 3".
        stderr: the last lines the library printed.
        seen: for a hang, what could be seen of the threads (state, wait channel, backtrace).
        place: for a crash, the innermost instruction of the library that was under way, where
            that is known for certain.
        returned: whether the call had returned, and the process could not go on after it.
        certain: whether the thread that made the call was the one that ended the process.
        elsewhere: whether a thread ended it that makes no call, so one of the library's own.
        between: for what a sanitizer reports that belongs to no single call, such as a race, the
            functions of the library whose calls it is about, as far as they are known; else None.

    """

    def __init__(
        self,
        kind: str,
        call: Call | None,
        detail: str,
        stderr: str = "",
        seen: str = "",
        place: Place | None = None,
        between: Sequence[str | None] | None = None,
        *,
        returned: bool = False,
        certain: bool = False,
        elsewhere: bool = False,
    ) -> None:
        super().__init__(f"{kind}: {detail}" + (f" in {call.function}" if call else ""))
        self.kind = kind
        self.call = call
        self.detail = detail
        self.stderr = stderr
        self.seen = seen
        self.place = place
        self.between = between
        self.returned = returned
        self.certain = certain
        self.elsewhere = elsewhere

    @property
    def where(self) -> str:
        """Return when it happened, in words such as "in hsa_init"."""
        if self.call is None:
            return "between calls"
        name = self.call.function
        return f"after {name} had returned" if self.returned else f"in {name}"

    @property
    def how(self) -> str:
        """Return how the process ended, in words such as "CRASH (SIGSEGV)"."""
        return f"{self.kind} ({self.detail})"


class AdapterError(Exception):
    """The implementation cannot be started; the message says what to do."""


class LimitError(Exception):
    """A process went over a limit that the user has set, and is gone; the message names it."""


class MisuseError(AdapterError):
    """What the user named is nothing that could be started, such as a file that is no library."""
