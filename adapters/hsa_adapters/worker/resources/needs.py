"""The least that the system has to offer, without which nothing can be judged."""

from __future__ import annotations

import os
import resource
import threading

from hsa_adapters.worker.resources.descriptors import Descriptors, anonymous_file, mappings

#: A process of the suite has some sixty descriptors open beside those of the library.
DESCRIPTORS = 128


def lacking() -> str:
    """Return in a line what this process lacks, and what to do; nothing where it has all."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < DESCRIPTORS:
        return (
            f"{soft} file descriptors are too few, {DESCRIPTORS} are needed: raise the limit with "
            f"ulimit -n {DESCRIPTORS}"
        )
    if not os.path.exists("/proc/self/maps"):  # noqa: PTH110
        return "there is no /proc, which shows what a process holds: mount it"
    return ""


def work() -> None:
    """Do once what the worker does in a process beside calls.

    Raises:
        OSError: the process may not do some of it.
        MemoryError: it lacks the memory.
        RuntimeError: it cannot start a thread.

    """
    Descriptors().listing()
    mappings()
    os.close(anonymous_file())
    bytearray(1 << 20)
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
