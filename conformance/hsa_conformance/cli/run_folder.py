"""The folder of a new run, which no other run has."""

from __future__ import annotations

import argparse
from contextlib import suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from hsa_conformance.cli.errors import CommandError, status_of

RUNS = Path("runs")


def new_folder(options: argparse.Namespace) -> tuple[Path, list[Path]]:
    """Return the folder for a run, and the folders that were made for it, the innermost first.

    Raises:
        CommandError: it holds a run already, or cannot be made or written.

    """
    from hsa_reports import COMPRESSED, holds_run

    if options.resume:
        options.out = options.out or str(_last(options))
    folder = Path(options.out) if options.out else _default(options)
    if holds_run(folder) and not options.resume:
        advice = "choose another folder with --out, or go on with it with --resume"
        raise CommandError(f"{folder} already holds a run; {advice}")
    if options.resume and (folder / COMPRESSED).exists():
        raise CommandError(f"{folder / COMPRESSED} is compressed: unpack it with gunzip to resume")
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder = _make(folder, named=bool(options.out))
        probe = folder / ".probe"
        probe.touch()
        probe.unlink(missing_ok=True)
    except OSError as error:
        text = f"cannot write to {folder}: {error.strerror}; choose another folder with --out"
        raise CommandError(text, status_of(error)) from None
    return folder, [folder, *made[1:]] if made else []


def _default(options: argparse.Namespace) -> Path:
    return RUNS / f"{datetime.now():%Y%m%d-%H%M%S}-{_name(options)}"


def _name(options: argparse.Namespace) -> str:
    return Path(options.library).name if options.library else options.adapter or "reference"


def _last(options: argparse.Namespace) -> Path:
    """Return the last run of what is tested among those that nobody gave a folder.

    Raises:
        CommandError: there is none.

    """
    from hsa_reports import EVENTS

    found = sorted(RUNS.glob(f"*-*-{_name(options)}*/{EVENTS}"))
    if not found:
        raise CommandError(f"no run of {_name(options)} in {RUNS}; say which one with --out")
    return found[-1].parent


def _make(folder: Path, *, named: bool) -> Path:
    """Make a folder; where nobody named it, a new one even if another run wants the same name."""
    if named:
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    others = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    for free in chain([folder], others):
        with suppress(FileExistsError):
            free.mkdir()
            return free
    raise AssertionError("numbers have no end")
