"""What is wrong with the words of a command line, whatever the library: exit status 2."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from hsa_conformance.cli.errors import CommandError

if TYPE_CHECKING:
    from hsa_conformance import subjects
    from hsa_spec import Registry


def check_words(options: argparse.Namespace) -> None:
    """Refuse unknown names, files that are not there, and options that contradict each other.

    What files hold is read, and refused, where a run needs it; see `check_files`.

    Raises:
        CommandError: for the first of them.

    """
    from hsa_conformance import subjects
    from hsa_conformance.baselines import baseline_names
    from hsa_conformance.configurations import ALL
    from hsa_spec.machines import machine_names

    adapter, given = _subject(options)
    if options.length is not None and options.profile != "soak":
        raise CommandError("--for says how long --profile soak takes: add that, or leave out --for")
    if problem := subjects.misuse(adapter, given):
        raise CommandError(problem)
    if not options.via:
        check_file("--machine", options.machine, machine_names())
    check_file("--virtual-kfd", options.virtual_kfd, [ALL, *machine_names()])
    check_file("--baseline", options.baseline, baseline_names())
    check_file("--claim", options.claim, [subjects.EXPORTED])
    _check_run("--against", options.against)


def check_files(options: argparse.Namespace, registry: Registry) -> None:
    """Refuse what a claim or a machine holds, as the run itself would.

    Raises:
        CommandError: one of them cannot be read.

    """
    from hsa_adapters import AdapterError, MisuseError
    from hsa_conformance import subjects
    from hsa_conformance.runs.exit_status import NOT_CARRIED_OUT

    try:
        subjects.check_files(*_subject(options), registry)
    except MisuseError as error:
        raise CommandError(str(error)) from None
    except AdapterError as error:
        raise CommandError(str(error), NOT_CARRIED_OUT) from None


def _subject(options: argparse.Namespace) -> tuple[str, subjects.Options]:
    """Return the name of the adapter, and what is said of the implementation."""
    from hsa_conformance import subjects

    return options.adapter or ("library" if options.library else "reference"), subjects.Options(
        library=options.library,
        via=options.via,
        machine=options.machine,
        claim=options.claim,
        virtual_kfd=options.virtual_kfd,
        emulated=options.emulated,
        environment=dict(variable.split("=", 1) for variable in options.env),
    )


def _check_run(option: str, value: str | None) -> None:
    """Refuse what holds no run.

    Raises:
        CommandError: there is none, or it cannot be read.

    """
    from hsa_reports import EventFileError
    from hsa_reports.stream import read_events

    if value is None:
        return
    try:
        next(read_events(Path(value)))
    except EventFileError as error:
        raise CommandError(f"{option}: {error}") from None


def check_file(option: str, value: str | None, names: Collection[str]) -> None:
    """Refuse what is neither a known name nor a file that can be read.

    Args:
        option: the option that was given.
        value: its value, or None where it was not given.
        names: what it may be beside a file.

    Raises:
        CommandError: the value is something else.

    """
    if value is None or value in names:
        return
    path = Path(value)
    if not path.exists():
        problem = f"there is no {value}"
    elif path.is_dir():
        problem = f"{value} is a folder"
    elif not os.access(path, os.R_OK):
        problem = f"{value} cannot be read"
    else:
        return
    advice = f", or one of {', '.join(sorted(names))}" if names else ""
    raise CommandError(f"{option}: {problem}; name a file{advice}")
