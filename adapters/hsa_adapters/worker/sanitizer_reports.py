"""What a sanitizer printed before it ended the process: its words, and in which file it was."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

_HEADLINES = (
    re.compile(r"^==\d+==ERROR: (?P<who>\w+Sanitizer): (?P<what>[^\s:(]+).*$", re.MULTILINE),
    re.compile(r"^WARNING: (?P<who>ThreadSanitizer): (?P<what>[^(\n]+?) \(pid=.*$", re.MULTILINE),
    re.compile(r"^\S+:\d+:\d+: runtime error: (?P<what>.+)$", re.MULTILINE),
    re.compile(r"^(?P<who>\w+Sanitizer): (?P<what>CHECK failed): .*$", re.MULTILINE),
)
_FRAME = re.compile(
    r"^ +#\d+ 0x[0-9a-f]+ in (?P<function>.*) \((?P<path>[^()]*)\+0x(?P<offset>[0-9a-f]+)\)",
)
#: Files whose functions do the work of their caller, who passed them what is wrong.
_SERVANTS = re.compile(
    r"lib(asan|ubsan|tsan|lsan)\.so|libclang_rt\.|libc\.so|libstdc\+\+\.so|libc\+\+|libgcc_s|ld-linux"
)
#: The dynamic loader's words for a runtime that it does not find, or does not load.
_RUNTIME = re.compile(
    r"(lib(asan|ubsan|tsan)\.so[.\d]*|libclang_rt\.\S+): cannot open"
    r"|undefined symbol: __(asan|ubsan|tsan)_"
)
#: Files of the tester's own side: what is wrong there is not the library's.
_TESTERS = re.compile(
    r"python3|libpython3|libffi\.so|_ctypes\.|libvirtual-kfd\.so"
    r"|lib(asan|ubsan|tsan)\.so|libclang_rt\."
)


@dataclass(frozen=True)
class Report:
    """One report of a sanitizer.

    Args:
        what: the sanitizer and its word for the defect, such as "AddressSanitizer: double-free".
        text: the report as people want it, without the frames of the suite's own interpreter.
        path: the file in which it was done; empty where the report does not say.
        offset: the place there, as `addr2line` wants it.

    """

    what: str
    text: str
    path: str
    offset: int


def read(printed: str, library: str) -> Report | None:
    """Return the first report in what a process has printed, or None.

    Args:
        printed: all that it printed.
        library: the path of the library under test: what called into it is not of interest.

    """
    heads = [head for pattern in _HEADLINES if (head := pattern.search(printed))]
    if not heads:
        return None
    head = min(heads, key=lambda found: found.start())
    lines = printed[head.start() :].splitlines()
    stack = _first_stack(lines)
    frames = [found for line in stack if (found := _FRAME.match(line))]
    itself = head["what"] == "CHECK failed"  # what a sanitizer finds wrong with itself
    place = next((f for f in frames if itself or not _is_servant(f["path"])), None)
    who = head.groupdict().get("who") or "UndefinedBehaviorSanitizer"
    return Report(
        f"{who}: {head['what']}",
        _without_callers(lines, library),
        os.path.realpath(place["path"]) if place else "",
        int(place["offset"], 16) if place else 0,
    )


def lacks_runtime(words: str) -> bool:
    """Return whether the dynamic loader's words mean that a sanitizer's runtime is not loaded."""
    return bool(_RUNTIME.search(words))


def is_the_testers(path: str) -> bool:
    """Return whether a file is one that the tester brought, such as its interpreter."""
    return not path or bool(_TESTERS.match(os.path.basename(path)))  # noqa: PTH119


def _is_servant(path: str) -> bool:
    return bool(_SERVANTS.match(os.path.basename(path)))  # noqa: PTH119


def _first_stack(lines: Sequence[str]) -> list[str]:
    """Return the frames of what was under way; further stacks say what happened before it."""
    begin = next((n for n, line in enumerate(lines) if _FRAME.match(line)), len(lines))
    end = next((n for n in range(begin, len(lines)) if not _FRAME.match(lines[n])), len(lines))
    return list(lines[begin:end])


def _without_callers(lines: Sequence[str], library: str) -> str:
    """Return a report without the frames behind the last one of the library in each stack."""
    kept: list[str] = []
    stack: list[str] = []
    for line in (*lines, ""):
        frame = _FRAME.match(line)
        if frame:
            stack.append(line)
            continue
        ours = [
            n
            for n, each in enumerate(stack)
            if (f := _FRAME.match(each)) and os.path.realpath(f["path"]) == library
        ]
        kept += stack[: ours[-1] + 1] if ours else stack
        kept.append(line)
        stack = []
    return "\n".join(kept).strip()
