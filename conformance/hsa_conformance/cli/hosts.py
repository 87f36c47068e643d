"""`hosts`: folders with the ROCr of a Debian suite, and what runs it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hsa_conformance.cli.errors import CommandError, status_of


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("hosts", help="create or list folders with a Debian suite's ROCr")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = actions.add_parser("create", help="unpack the ROCr of a Debian suite, without root")
    create.add_argument("suite", metavar="SUITE", help="bookworm, trixie, sid or experimental")
    create.add_argument(
        "--out", metavar="DIR", type=Path, help="folder for it (default: in the user's cache)"
    )
    create.set_defaults(execute=execute_create)
    actions.add_parser("list", help="list the existing hosts").set_defaults(execute=execute_list)


def execute_create(options: argparse.Namespace) -> int:
    """Carry `hosts create` out."""
    from hsa_adapters.hosts import SUITES, HostError, create
    from hsa_reports.text import wrapped

    if options.suite not in SUITES:
        raise CommandError(f"unknown suite {options.suite!r}; known are {', '.join(SUITES)}")
    try:
        host = create(options.suite, options.out)
    except HostError as error:
        raise CommandError(str(error), status_of(error.__cause__)) from None
    print(wrapped(f"{host.suite}: ROCr {host.rocr_version} in {host.root}"))
    print(f"try: hsa-conformance run --host {host.suite} --virtual-kfd --baseline rocr")
    print("--virtual-kfd imitates the driver; with a GPU leave it out, with neither give")
    print("--expect-no-device. `hsa-conformance check vmem` takes the same options.")
    return 0


def execute_list(_: argparse.Namespace) -> int:
    """Carry `hosts list` out."""
    from hsa_adapters.hosts import HostError, available
    from hsa_reports.text import wrapped

    try:
        hosts = available()
    except HostError as error:
        raise CommandError(str(error), 3) from None
    for host in hosts:
        print(wrapped(f"{host.suite}: ROCr {host.rocr_version} in {host.root}"))
    if not hosts:
        print("There are none: hsa-conformance hosts create SUITE makes one.")
    return 0
