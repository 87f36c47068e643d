"""The process that is started with a machine: it forks one for each queue that connects.

Those are warm, with numpy and LLVM loaded, and end with their queues.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hsa_device.decoding import decoder
from hsa_device.errors import DeviceError
from hsa_device.execution.machine import Machine
from hsa_device.native import prepare
from hsa_device.server.channel import GoneError
from hsa_device.server.queue import Queue
from hsa_device.targets import TARGETS, known
from hsa_device.wire import SOCKET

_WAITING = 64  # queues that connect at a time


def serve(folder: Path, gpus: Sequence[str], *, direct: bool, quiet: bool) -> int:
    """Serve until standard input ends; return the exit status.

    Args:
        folder: of the machine, where the socket is made.
        gpus: of the machine, in the order of their numbers: "gfx90a:104:1" has 104 compute units,
            and 1 as the upper 16 bits of addresses of LDS.
        direct: whether the device may reach into clients.
        quiet: whether to say nothing of kernels that end before their time as on hardware.

    """
    try:
        machines = [_machine(each) for each in gpus]
        prepare()
    except DeviceError as error:
        print(error, flush=True)
        return 3
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    os.chdir(folder)  # names of sockets are short
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        Path(SOCKET).unlink(missing_ok=True)
        listening.bind(SOCKET)
        listening.listen(_WAITING)
        print("ready", flush=True)
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # who reads it waits for nothing more
        while _connects(listening):
            connection, _ = listening.accept()
            if not os.fork():
                listening.close()
                _be_queue(connection, machines, direct=direct, quiet=quiet)
            connection.close()
    return 0


def _machine(text: str) -> Machine:
    processor, units, shared = text.split(":")
    if processor not in TARGETS:
        raise DeviceError(f"it executes kernels of {known()}, and none of {processor}")
    for wave in TARGETS[processor].waves:
        decoder(processor, wave)
    return Machine(processor, int(units), shared=int(shared))


def _connects(listening: socket.socket) -> bool:
    """Wait for a connection; return False when standard input ends."""
    readable, _, _ = select.select([listening, sys.stdin], [], [])
    return sys.stdin not in readable


def _be_queue(
    connection: socket.socket, machines: Sequence[Machine], *, direct: bool, quiet: bool
) -> None:
    with suppress(GoneError):
        Queue(connection, machines, direct=direct, quiet=quiet).serve()
    os._exit(0)
