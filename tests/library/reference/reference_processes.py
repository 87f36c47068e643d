"""Other processes, each with a runtime of its own."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable

from tests.library.reference.reference_client import Client


def elsewhere(work: Callable[[Client], None]) -> int:
    """Return the id of a process that does this in a runtime of its own."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            client = Client("two_gpus")
            client.ok("hsa_init")
            work(client)
            status = 0
        finally:
            os._exit(status)
    return child


def exit_status(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def no_more_descriptors() -> None:
    """Let the process open nothing any more, whatever it asks for; so it has to be a child."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
