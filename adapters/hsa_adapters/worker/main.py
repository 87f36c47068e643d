"""The worker's life: load the library once, then fork a process for whoever asks."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
from collections.abc import Iterable, Mapping
from typing import Any

from hsa_adapters.worker.calls.binding import bind
from hsa_adapters.worker.ends import sanitizer_reports
from hsa_adapters.worker.ends.place import Library
from hsa_adapters.worker.library import c_library, facts
from hsa_adapters.worker.library.elf import LoadError, build_id, locate
from hsa_adapters.worker.library.topology import topology
from hsa_adapters.worker.resources.descriptors import anonymous_file, hide, lower_limit
from hsa_adapters.worker.resources.needs import lacking
from hsa_adapters.worker.supervision.serve import tail
from hsa_adapters.worker.supervision.supervisor import Supervisor
from hsa_adapters.worker.supervision.wire import Lines, decode, encode, send

_RESTARTED = "HSA_CONFORMANCE_RESTARTED"
_TAIL = 4000


def main(settings: Mapping[str, Any]) -> None:
    """Serve on descriptors 0 and 1 until the other side hangs up.

    Args:
        settings: library (path or name), environment (variables to set before it is loaded), and
            what the supervisor wants.

    """
    if lack := lacking():
        _refuse(1, LoadError(lack, misuse=False))
        return
    if settings["environment"] and _RESTARTED not in os.environ:
        try:
            _restart(settings["environment"])
        except LoadError as error:
            _refuse(1, error)
            return
    os.environ.pop(_RESTARTED, None)
    with contextlib.suppress(PermissionError):
        os.setsid()  # a library that ends the group or session of its parent ends no run
    lower_limit()
    source, sink = hide(os.dup(0)), hide(os.dup(1))
    output = hide(anonymous_file())
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    try:
        _check_preloaded()
        os.dup2(output, 1)
        os.dup2(output, 2)
        library, hello = _load(settings["library"])
    except LoadError as error:
        _refuse(sink, error, tail(output, _TAIL))
        return
    functions = bind(library, settings["functions"])
    _name_to_refuser(library, functions)
    _before_fork(library)
    send(sink, b"\n=0 %s\n" % encode({**hello, "exports": sorted(functions)}).encode())
    judged = Library(hello["path"], hello["build_id"])
    supervisor = Supervisor(functions, settings, judged, source, sink)
    gc.collect()
    gc.freeze()
    gc.disable()
    lines = Lines(source)
    while (line := lines.next()) is not None:
        try:
            serial, _, operation, _ = decode(line)
        except ValueError:
            continue  # the rest of a request to a process that has ended
        if operation == "hello":
            supervisor.run(line)
        elif operation == "package":
            answer = encode(facts.package(hello["path"])).encode()
            send(sink, b"\n=%d %s\n" % (serial, answer))
        elif operation == "topology":
            send(sink, b"\n=%d %s\n" % (serial, encode(topology()).encode()))


def _refuse(sink: int, error: LoadError, printed: str = "") -> None:
    """Answer why the library cannot be loaded, and what was printed meanwhile."""
    refusal = encode((f"{error}\n{printed}".strip(), error.misuse))
    send(sink, b"\n?0 %s\n" % refusal.encode())


def _restart(environment: Mapping[str, str]) -> None:
    """Start this very command again with more variables; it reads its source a second time.

    Raises:
        LoadError: it would not start with what is to be preloaded.

    """
    for path in _preloaded(environment):
        c_library.check_preloaded(path)
    with open("/proc/self/cmdline", "rb") as file:  # noqa: PTH123
        command = file.read().split(b"\0")[:-1]
    variables = {**os.environ, **environment, _RESTARTED: "1"}
    os.execve(os.readlink("/proc/self/exe"), command, variables)  # noqa: PTH115


def _check_preloaded() -> None:
    """Raise LoadError when a library that was to be preloaded is not there."""
    with open("/proc/self/maps") as file:  # noqa: PTH123
        mapped = file.read()
    for path in _preloaded(os.environ):
        if os.path.realpath(path) not in mapped:
            raise LoadError(
                f"{path} could not be preloaded: does it exist, and for this machine?",
                misuse=False,
            )


def _preloaded(environment: Mapping[str, str]) -> list[str]:
    """Return the paths of the libraries that are to be loaded before all others."""
    names = environment.get("LD_PRELOAD", "").replace(":", " ").split()
    return [name for name in names if "/" in name]


def _before_fork(library: ctypes.CDLL) -> None:
    """Let a library that wants to do something once, before processes are forked, do it.

    The reference starts its interpreter here. Real runtimes have no such function: they are only
    loaded, because one that has started threads cannot be forked.
    """
    try:
        hook = library["hsa_conformance_before_fork"]
    except AttributeError:
        return
    hook.restype, hook.argtypes = None, []
    hook()


def _name_to_refuser(library: ctypes.CDLL, functions: Iterable[str]) -> None:
    """Tell what refuses memory, if that was preloaded, whose requests it is about."""
    inside = next(iter(functions), None)
    try:
        tell = ctypes.CDLL(None)["hsa_conformance_memory_of"]
    except AttributeError:
        return
    if inside is not None:
        tell.restype, tell.argtypes = None, [ctypes.c_void_p]
        tell(ctypes.cast(library[inside], ctypes.c_void_p))


def _load(name: str) -> tuple[ctypes.CDLL, dict[str, Any]]:
    """Load the library and describe it.

    Raises:
        LoadError: it cannot be loaded.

    """
    path = locate(name)
    identity = build_id(path) if "/" in path else None
    if "/" in path:
        c_library.check(path)
    others = facts.mapped()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        text = str(error)
        # glibc's words, and musl's.
        absent = (f"{path}: cannot open shared", f"Error loading shared library {path}:")
        program = "cannot dynamically load" in text
        if c_library.wants_glibc(path):
            text += "; it is built for glibc, and this Python uses musl: give one that uses glibc"
        if sanitizer_reports.lacks_runtime(text):
            text += (
                "; it is the runtime of the sanitizer it was built with: install it, or name it "
                "with --env LD_PRELOAD=PATH"
            )
        misuse = text.startswith(absent) or program
        raise LoadError(f"{name} cannot be loaded: {text}", misuse=misuse) from error
    if "/" not in path:
        # The handle is the address of a link_map, whose second member points to the path.
        found = ctypes.c_char_p.from_address(library._handle + 8).value or b""
        path = os.path.realpath(os.fsdecode(found))
        identity = build_id(path)
    return library, {
        "path": path,
        "build_id": identity,
        "manifest": facts.manifest(path),
        "host": facts.host(),
        "device": facts.device(),
        "seeks_device": facts.seeks_device(facts.mapped() - others),
        "hides": os.environ.get("ROCR_VISIBLE_DEVICES"),
        "imitates_profiler": _imitates_profiler(library),
    }


def _imitates_profiler(library: ctypes.CDLL) -> bool:
    """Return whether the library gets a profiler of an imitated machine, if there is such a one."""
    try:
        ask = ctypes.CDLL(None)["hsa_conformance_imitates_profiler"]
        inside = library["hsa_init"]
    except AttributeError:
        return False
    ask.restype, ask.argtypes = ctypes.c_bool, [ctypes.c_void_p]
    return bool(ask(ctypes.cast(inside, ctypes.c_void_p)))
