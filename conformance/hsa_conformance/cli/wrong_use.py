"""What is wrong with the words of a command line, whatever the library: exit status 2."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path

from hsa_conformance.cli.errors import CommandError


def check_words(options: argparse.Namespace) -> None:
    """Refuse unknown names, files that are not there, and options that contradict each other.

    Raises:
        CommandError: for the first of them.

    """
    from hsa_adapters.virtual_kfd import machine_names
    from hsa_conformance import subjects
    from hsa_conformance.baselines import baseline_names
    from hsa_reference import machine_names as modelled_names

    adapter = options.adapter or ("library" if options.library else "reference")
    given = subjects.Options(
        library=options.library,
        via=options.via,
        machine=options.machine,
        claim=options.claim,
        virtual_kfd=options.virtual_kfd,
    )
    if problem := subjects.misuse(adapter, given):
        raise CommandError(problem)
    if not options.via:
        _check_file("--machine", options.machine, modelled_names())
    _check_file("--virtual-kfd", options.virtual_kfd, machine_names())
    _check_file("--baseline", options.baseline, baseline_names())
    _check_file("--claim", options.claim, ())


def _check_file(option: str, value: str | None, names: Collection[str]) -> None:
    if value is None or value in names or Path(value).exists():
        return
    advice = f", or one of {', '.join(sorted(names))}" if names else ""
    raise CommandError(f"{option}: there is no {value}; name a file{advice}")
