"""What a library that was built with a sanitizer needs in its environment.

The runtime of such a library comes before everything else in the process, so it is preloaded, and
it is told to end a process by a signal at the first report, as any other crash does. What it takes
the place of has to be there when the process starts, so that the runtime of C++ is preloaded behind
it, without which a sanitizer ends the process at the library's first exception.
"""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from hsa_adapters.worker.library import c_library

#: What a runtime's file is called, by GCC and by Clang, and the variable with its options.
_RUNTIMES = (
    (re.compile(r"libasan\.so|libclang_rt\.asan"), "ASAN_OPTIONS"),
    (re.compile(r"libubsan\.so|libclang_rt\.ubsan"), "UBSAN_OPTIONS"),
    (re.compile(r"libtsan\.so|libclang_rt\.tsan"), "TSAN_OPTIONS"),
)
_EXCEPTIONS = re.compile(r"libstdc\+\+\.so|libc\+\+abi\.so")
#: Signals are left to the worker, which notes where they came; leaks are told by its own count.
_OPTIONS = (
    "abort_on_error=1:halt_on_error=1:print_stacktrace=1:print_legend=0:detect_leaks=0"
    ":handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0"
    ':stack_trace_format="    #%n %p in %f (%m+%o) %S"'
)
#: Of ThreadSanitizer alone. Threads that stay are told by the worker's own count as well, a process
#: does not wait a second for the last reports, and both sides of a race are remembered for longer.
_OF_THREADS = ":report_thread_leaks=0:atexit_sleep_ms=0:history_size=7"
PRELOAD = "LD_PRELOAD"


def has_runtime(library: str | Path, given: Mapping[str, str]) -> bool:
    """Return whether the runtime of a sanitizer will be in the process.

    Args:
        library: the path or name of a shared library.
        given: the variables of its processes.

    """
    return bool(_runtimes(_needed(library))) or any(
        known.search(given.get(PRELOAD, "")) for known, _ in _RUNTIMES
    )


def variables(library: str | Path, given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for a library: those given, and what its sanitizers need beside them.

    Args:
        library: the path of a shared library; a name that only the loader can find needs nothing.
        given: variables that are set already. Options of a sanitizer there outrank ours.

    """
    found, names = dict(given), _needed(library)
    runtimes = _runtimes(names)
    if not runtimes:
        return found
    first, last = (
        {PRELOAD: ":".join(name for name in needed if name not in found.get(PRELOAD, ""))}
        for needed in (runtimes, [name for name in names if _EXCEPTIONS.match(name)])
    )
    found = preloading(preloading(first, found), last)
    for known, name in _RUNTIMES:
        named = [runtime for runtime in runtimes if known.match(runtime)]
        options = _options(name, named)
        if named and not found.get(name, "").startswith(options):
            found[name] = ":".join(filter(None, (options, found.get(name))))
    return found


def _options(variable: str, runtimes: Sequence[str]) -> str:
    """Return the options of the sanitizer with this variable, which has these runtimes."""
    options = _OPTIONS + (_OF_THREADS if variable == "TSAN_OPTIONS" else "")
    # Clang's has names of functions only from another program, and its first choice of one does
    # not start where the runtime is preloaded.
    namer = shutil.which("addr2line") if any("clang_rt" in name for name in runtimes) else None
    return options + (f":external_symbolizer_path={namer}" if namer else "")


def _needed(library: str | Path) -> list[str]:
    try:
        # Reading a device might never end.
        return c_library.needed(Path(library).read_bytes()) if Path(library).is_file() else []
    except (OSError, ValueError, struct.error):
        return []  # what is wrong with it, loading it says


def _runtimes(names: Sequence[str]) -> list[str]:
    return [name for known, _ in _RUNTIMES for name in names if known.match(name)]


def preloading(first: Mapping[str, str], then: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of both, of which the latter outrank; what either preloads is preloaded.

    Args:
        first: its libraries come first: a sanitizer's runtime tolerates none before it.
        then: more variables.

    """
    names = [each[PRELOAD] for each in (first, then) if each.get(PRELOAD)]
    return {**first, **then, **({PRELOAD: ":".join(names)} if names else {})}
