"""The device of a machine, which executes kernels: a process that is started with the machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_adapters.virtual_kfd.folder import VirtualKfd, lds_base

_EXIT_TIMEOUT = 20  # to end in


def device_command(kfd: VirtualKfd, *, direct: bool = True, quiet: bool = False) -> Sequence[str]:
    """Return the command that is the device of a machine, until its standard input ends.

    Args:
        kfd: the machine, whose devices execute kernels.
        direct: see `started`.
        quiet: see `started`.

    """
    upper = lds_base(kfd.machine) >> 48
    gpus = [f"{gpu.target.name}:{gpu.target.compute_units}:{upper}" for gpu in kfd.machine.gpus]
    options = (*(() if direct else ("--ask",)), *(("--quiet",) if quiet else ()))
    return [sys.executable, "-P", "-m", "hsa_device.server", *options, str(kfd.root), *gpus]


@contextmanager
def started(kfd: VirtualKfd, *, direct: bool = True, quiet: bool = False) -> Iterator[None]:
    """Start the device of a machine that executes kernels, and end it.

    Its process sees neither the machine nor the program. It ends with this one, whatever happens,
    and is in its session: a system that shares processors out by session would let programs
    starve it that wait actively.

    Args:
        kfd: the machine.
        direct: whether the device may reach into memory of programs where the system lets it;
            else it asks the driver for what is there.
        quiet: whether it says nothing of kernels that end before their time as on hardware.

    Raises:
        VirtualKfdError: something is missing that it needs; the message says what.

    """
    device = subprocess.Popen(
        device_command(kfd, direct=direct, quiet=quiet),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert device.stdout is not None
        line = device.stdout.readline().strip()
        if line != "ready":
            raise VirtualKfdError(f"the device does not start: {line or 'see above'}")
        yield
    finally:
        try:
            device.communicate(timeout=_EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            device.kill()
            device.communicate()
