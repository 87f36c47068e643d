"""`virtual-kfd`: programs that need an AMD GPU's driver, on a machine without one."""

from __future__ import annotations

import argparse
import os
import re
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli.errors import CommandError, status_of
from hsa_conformance.cli.wrong_use import check_file

if TYPE_CHECKING:
    from hsa_adapters.virtual_kfd import VirtualKfd


def add_parser(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command."""
    parser = commands.add_parser("virtual-kfd", help="imitate the kernel driver and its devices")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    build = actions.add_parser("build", help="write a machine and the library that imitates it")
    build.add_argument("--out", metavar="DIR", type=Path, required=True, help="output folder")
    _add_machine(build)
    build.set_defaults(execute=execute_build)
    run = actions.add_parser("run", help="run a program on an imitated machine")
    _add_machine(run)
    run.add_argument("--paths-only", action="store_true", help="redirect only files, not devices")
    run.add_argument(
        "--refuse",
        metavar="CALL:ERRNO[:N[+]]",
        help="make the N-th call of a kind fail (default: the first), with + all later "
        "ones, too; such as CREATE_QUEUE:ENOMEM:2+",
    )
    run.add_argument(
        "--calls",
        action="store_true",
        help="at the end, list the driver calls that the program made",
    )
    run.add_argument("--device", action="store_true", help="provide a device that executes kernels")
    run.add_argument(
        "command",
        metavar="COMMAND",
        nargs=argparse.REMAINDER,
        help="the program and its arguments, after --",
    )
    run.set_defaults(execute=execute_run)
    machines = actions.add_parser("machines", help="list the machines that come with the suite")
    machines.set_defaults(execute=execute_machines)


def _add_machine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--machine", metavar="FILE", help="name or file of the machine (default: one GPU)"
    )


def execute_build(options: argparse.Namespace) -> int:
    """Carry `virtual-kfd build` out."""
    import shlex

    from hsa_adapters.virtual_kfd import device_command

    kfd = _prepare(options.machine, options.out, shared=False)
    print(f"The machine {kfd.machine.name} is in {kfd.root}. Programs see it with:")
    print(" ".join(f"{name}={value}" for name, value in kfd.environment().items()), "PROGRAM")
    if kfd.machine.driver.kernels:
        print("Kernels are executed for as long as its device is started, which is:")
        print(shlex.join(device_command(kfd)))
    return 0


def execute_run(options: argparse.Namespace) -> int:
    """Carry `virtual-kfd run` out: the program's exit status, or 3 where the imitation falls short.

    Raises:
        CommandError: no program is named, it cannot be started, it asked the driver for something
            that is not imitated, the driver cannot refuse what it is to refuse, or there is no
            device that executes kernels here.

    """
    import subprocess

    from hsa_adapters.library.sanitizers import preloading
    from hsa_adapters.temporary import TemporaryFolder
    from hsa_adapters.virtual_kfd.faults import made

    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise CommandError("say what to run: virtual-kfd run -- COMMAND")
    with TemporaryFolder() as folder, ExitStack() as ends:
        kfd = _prepare(options.machine, folder.path, shared=True, kernels=options.device)
        if kfd.machine.driver.kernels:
            _start(kfd, ends)
        if options.refuse:
            _refuse(kfd, options.refuse)
        variables = preloading(os.environ, kfd.environment(paths_only=options.paths_only))
        sys.stdout.flush()
        try:
            status = subprocess.run(command, env=variables, check=False).returncode
        except OSError as error:
            text = f"cannot run {command[0]}: {error.strerror}; name a program after --"
            raise CommandError(text) from None
        if options.calls:
            for call, number in made(kfd).items():
                print(f"{call}: {number}", file=sys.stderr)
        if complaints := kfd.complaints() + kfd.lacking():
            raise CommandError("; ".join(complaints), 3)
    return status if status >= 0 else 128 - status


def _start(kfd: VirtualKfd, ends: ExitStack) -> None:
    """Start the machine's device, until a block ends."""
    from hsa_adapters.virtual_kfd import VirtualKfdError, started

    try:
        ends.enter_context(started(kfd))
    except VirtualKfdError as error:
        raise CommandError(str(error), 3) from None


def _refuse(kfd: VirtualKfd, asked: str) -> None:
    """Let the driver refuse what an option asks for.

    Raises:
        CommandError: the option is written otherwise, or the driver never refuses that.

    """
    from hsa_adapters.virtual_kfd import VirtualKfdError
    from hsa_adapters.virtual_kfd.faults import arm

    written = re.fullmatch(r"(\w+):(\w+)(?::([1-9]\d*)(\+?))?", asked)
    if written is None:
        text = "write CALL:ERRNO, CALL:ERRNO:N or CALL:ERRNO:N+, such as CREATE_QUEUE:ENOMEM:2+"
        raise CommandError(f"--refuse {asked}: {text}")
    call, error, number, lasting = written.groups()
    try:
        arm(kfd, call, error, int(number or 1) - 1, lasting=bool(lasting))
    except VirtualKfdError as problem:
        raise CommandError(f"--refuse {asked}: {problem}") from None


def execute_machines(_: argparse.Namespace) -> int:
    """Carry `virtual-kfd machines` out."""
    from hsa_adapters.virtual_kfd import load_machine
    from hsa_spec.machines import machine_names

    for name in machine_names():
        machine = load_machine(name)
        gpus = ", ".join(gpu.target.name for gpu in machine.gpus) or "no GPU"
        print(f"{name}: driver {machine.driver.interface[0]}.{machine.driver.interface[1]}, {gpus}")
    return 0


def _prepare(
    machine: str | None, folder: Path, *, shared: bool, kernels: bool = False
) -> VirtualKfd:
    """Write a machine's files, with this user's library or one of its own in the folder."""
    from hsa_adapters.virtual_kfd import (
        DEFAULT,
        VirtualKfdError,
        cached,
        load_machine,
        prepare,
    )
    from hsa_spec.machines import machine_names

    check_file("--machine", machine, machine_names())
    try:
        library = cached() if shared else None
        described = load_machine(machine or DEFAULT)
        if kernels:
            described = replace(described, driver=replace(described.driver, kernels=True))
        return prepare(described, folder, library=library)
    except VirtualKfdError as error:
        raise CommandError(str(error), status_of(error.__cause__)) from None
