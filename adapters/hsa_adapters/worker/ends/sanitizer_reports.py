"""What a sanitizer printed before it ended the process: its words, and in which file it was."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_HEADLINES = (
    re.compile(r"^==\d+==ERROR: (?P<who>\w+Sanitizer): (?P<what>[^\s:(]+).*$", re.MULTILINE),
    re.compile(r"^WARNING: (?P<who>ThreadSanitizer): (?P<what>[^(\n]+?) \(.*$", re.MULTILINE),
    re.compile(r"^\S+:\d+:\d+: runtime error: (?P<what>.+)$", re.MULTILINE),
    re.compile(r"^(?P<who>\w+Sanitizer): (?P<what>CHECK failed): .*$", re.MULTILINE),
)
_FRAME = re.compile(
    r"^ +#\d+ 0x[0-9a-f]+ in (?P<function>.*) \((?P<path>[^()]*)\+0x(?P<offset>[0-9a-f]+)\)",
)
#: What ThreadSanitizer reports of one call alone.
_OF_ONE_CALL = ("heap-use-after-free", "CHECK failed")
#: What stands above a stack that tells only where something comes from that is part of a report.
_ORIGIN = re.compile(r" +(Location is|As if|Mutex .* created|Thread .* created)")
_CREATED = re.compile(r" +Thread (T\d+) .*created")
_BY = re.compile(r"\b(?:by|in) thread (T\d+)")
_MEMORY = re.compile(r" of size \d+ at (0x[0-9a-f]+) by ")
_OWN = re.compile(r" +Location is (heap block|stack|TLS)")
_HEAP = re.compile(r" +Location is heap block")
_LOST = "[failed to restore the stack]"
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
        path: the file in which it was done, of several the first that is the tester's; empty where
            the report does not say.
        offset: the place there, as `addr2line` wants it.
        shared: whether it belongs to no single call, as a race does.
        calls: then, by where in the library its outermost function was, each call that it is
            about; for what a thread of the library's own did, the one that created the thread.
        memory: the address of memory that threads raced for, where it is neither a block of the
            heap nor a thread's own.

    """

    what: str
    text: str
    path: str
    offset: int
    shared: bool
    calls: tuple[int, ...]
    memory: int | None


@dataclass(frozen=True)
class _Stack:
    """The frames below one heading, the innermost first."""

    heading: str
    frames: Sequence[re.Match[str]]

    @property
    def is_origin(self) -> bool:
        return bool(_ORIGIN.match(self.heading))

    def done(self, *, itself: bool = False) -> re.Match[str] | None:
        """Return the frame in which something was done: servants do it for their callers."""
        return next((f for f in self.frames if itself or not _is_servant(f["path"])), None)

    def outermost(self, library: str) -> int | None:
        """Return the offset of the outermost frame of the library; None where it has none."""
        ours = [f for f in self.frames if os.path.realpath(f["path"]) == library]
        return int(ours[-1]["offset"], 16) if ours else None


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
    stacks = _stacks(lines)
    who = head.groupdict().get("who") or "UndefinedBehaviorSanitizer"
    shared = who == "ThreadSanitizer" and head["what"] not in _OF_ONE_CALL
    # Further stacks of one call say what happened before it.
    told = ([each for each in stacks if not each.is_origin] or stacks) if shared else stacks[:1]
    itself = head["what"] == "CHECK failed"  # what a sanitizer finds wrong with itself
    # What raced for a block of the tester's is the tester's, too.
    blocks = [each for each in stacks if shared and _HEAP.match(each.heading)]
    places = [stack.done(itself=itself) for stack in (*told, *blocks)]
    outside = [each for each in places if each is None or is_the_testers(each["path"])]
    place = next(iter(outside or places), None)
    entered = [_entered(stack, _threads(stacks), library) for stack in told if shared]
    return Report(
        f"{who}: {head['what']}",
        _without_callers(lines, library),
        os.path.realpath(place["path"]) if place else "",
        int(place["offset"], 16) if place else 0,
        shared,
        tuple(dict.fromkeys(offset for offset in entered if offset is not None)),
        _memory(told) if shared and not any(map(_OWN.match, lines)) else None,
    )


def _memory(told: Sequence[_Stack]) -> int | None:
    """Return the address of what threads raced for, where they did."""
    found = (_MEMORY.search(stack.heading) for stack in told)
    return next((int(each[1], 16) for each in found if each), None)


def _stacks(lines: Sequence[str]) -> Sequence[_Stack]:
    stacks: list[_Stack] = []
    frames: list[re.Match[str]] | None = None
    heading = ""
    for line in lines:
        frame = _FRAME.match(line)
        if frame is None and line.strip() != _LOST:
            heading, frames = line or heading, None
            continue
        if frames is None:
            frames = []
            stacks.append(_Stack(heading, frames))
        if frame is not None:
            frames.append(frame)
    return stacks


def _threads(stacks: Sequence[_Stack]) -> Mapping[str, _Stack]:
    """Return where each thread was created, as far as it is told."""
    return {found[1]: each for each in stacks if (found := _CREATED.match(each.heading))}


def _entered(stack: _Stack, threads: Mapping[str, _Stack], library: str) -> int | None:
    """Return where in the library the call is that a stack belongs to; None where there is none."""
    thread = _BY.search(stack.heading)
    origin = threads.get(thread[1]) if thread else None
    if origin is not None and origin is not stack and origin.outermost(library) is not None:
        return _entered(origin, threads, library)
    return stack.outermost(library)


def lacks_runtime(words: str) -> bool:
    """Return whether the dynamic loader's words mean that a sanitizer's runtime is not loaded."""
    return bool(_RUNTIME.search(words))


def is_the_testers(path: str) -> bool:
    """Return whether a file is one that the tester brought, such as its interpreter."""
    return not path or bool(_TESTERS.match(os.path.basename(path)))  # noqa: PTH119


def _is_servant(path: str) -> bool:
    return bool(_SERVANTS.match(os.path.basename(path)))  # noqa: PTH119


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
