"""The options of `run` and `check` that say what is tested and how."""

from __future__ import annotations

import argparse
import re

from hsa_spec.releases import HSA_VERSIONS

_LENGTH = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([smh])")
_UNITS = {"s": 1, "m": 60, "h": 3600}
_RELEASE = re.compile(r"[1-9][0-9]{0,2}(\.(0|[1-9][0-9]{0,3})){1,2}")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    subject = parser.add_argument_group("what is tested")
    subject.add_argument(
        "--adapter", metavar="NAME", type=given, help="an installed adapter (default: reference)"
    )
    subject.add_argument(
        "--library", metavar="PATH", type=given, help="a shared library, such as ROCr's"
    )
    subject.add_argument(
        "--via",
        metavar="CMD",
        type=given,
        help="command that runs the worker next to the library, with {argv}, {args} or {quoted}",
    )
    subject.add_argument(
        "--host", metavar="SUITE", type=given, help="the library of a host made by `hosts`"
    )
    subject.add_argument("--release", metavar="V", type=_release, help="its ROCm release")
    subject.add_argument(
        "--hsa-version",
        metavar="V",
        choices=HSA_VERSIONS,
        help=f"the HSA version that it implements: {', '.join(HSA_VERSIONS)}",
    )
    subject.add_argument(
        "--machine", metavar="NAME", type=given, help="the machine the reference models"
    )
    subject.add_argument(
        "--virtual-kfd",
        metavar="MACHINE",
        type=given,
        nargs="?",
        const=True,
        help="imitate the driver and its devices; without MACHINE, several machines one by one",
    )
    subject.add_argument(
        "--emulated",
        metavar="NAME",
        type=given,
        help="the driver or its devices are emulated by this: what they decide is IMITATED",
    )
    subject.add_argument(
        "--env",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_variable,
        help="a variable to set before the library is loaded; may be repeated",
    )
    subject.add_argument(
        "--claim",
        metavar="FILE",
        type=given,
        help="what the library is meant to offer; `exported`: what it exports",
    )
    how = parser.add_argument_group("how")
    how.add_argument(
        "--profile",
        choices=["quick", "full", "exhaustive", "soak"],
        default="quick",
        help="how long; soak: what needs a long run, and nothing else unless it is selected",
    )
    how.add_argument(
        "--for",
        dest="length",
        metavar="TIME",
        type=_length,
        help="how long work may be repeated for a clause with --profile soak, such as 90s, 10m or "
        "8h (default: 10m)",
    )
    known = how.add_mutually_exclusive_group()
    known.add_argument(
        "--baseline", metavar="NAME", type=given, help="known failures: a name (rocr) or a file"
    )
    known.add_argument(
        "--against",
        metavar="RUN",
        type=given,
        help="known failures: those of an earlier run, a folder or an event file",
    )
    how.add_argument(
        "--replay",
        action="store_true",
        help="first make again what failed on this implementation in earlier runs, whatever the "
        "seed; what holds now is forgotten",
    )
    how.add_argument("--strict", action="store_true", help="broken `should` clauses fail, too")
    how.add_argument(
        "--expect-no-device",
        action="store_true",
        help="the machine has no GPU, so a failing hsa_init is no surprise",
    )
    how.add_argument("--budget", metavar="SECONDS", type=_seconds, help="time for one call")
    how.add_argument(
        "--memory-budget",
        metavar="MIB",
        type=_mebibytes,
        help="memory that one call may take where it is real (default: a quarter of what is free)",
    )
    how.add_argument(
        "--time",
        metavar="SECONDS",
        type=_seconds,
        help="time for the whole run: what has not begun by then is left out, and the status is 3",
    )
    how.add_argument(
        "--output",
        metavar="MIB",
        type=_limit,
        help="output of one process that is kept: the last part of more (default: 64)",
    )
    how.add_argument(
        "--memory",
        metavar="MIB",
        type=_limit,
        help="memory that one process may hold: what takes more is not judged, and the status is 3",
    )
    how.add_argument(
        "--threads",
        metavar="N",
        type=_count,
        help="threads that may outlive hsa_shut_down: where more do, nothing is judged of it, and "
        "the status is 3",
    )
    how.add_argument(
        "--traceback",
        action="store_true",
        help="show how errors of an adapter's own code, or of the suite's, came about",
    )
    how.add_argument(
        "-n",
        dest="workers",
        metavar="N",
        type=_count,
        help="processes (default: as many as there are cores that this one may use, or fewer where "
        "little is selected, as --dry-run says); 1: in this one",
    )
    how.add_argument(
        "-x",
        "--fail-fast",
        action="store_true",
        help="stop at the first unexpected failure; what was not begun by then is NOT_RUN",
    )
    how.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the examples")
    how.add_argument(
        "--out", metavar="DIR", type=given, help="where the run goes (default: runs/...)"
    )


def given(text: str) -> str:
    """Return the value of an option that must not be empty."""
    # An unset variable in a script must not put the reference under the suite instead.
    if not text:
        raise argparse.ArgumentTypeError("the value is empty")
    return text


def _variable(text: str) -> str:
    name, equals, _ = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is no variable such as HSA_ENABLE_SDMA=0")
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no time such as 5 or 0.5")
    return seconds


def _length(text: str) -> float:
    found = _LENGTH.fullmatch(text)
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no time such as 90s, 10m or 8h")
    return seconds


def _mebibytes(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of MiB such as 1024")
    return int(text)


def _limit(text: str) -> int:
    limit = _mebibytes(text)
    if not limit:
        raise argparse.ArgumentTypeError(f"{text!r} is no limit such as 1024")
    return limit


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number such as 4")
    return int(text)


def _release(text: str) -> str:
    if not _RELEASE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no release such as 6.1.2")
    return text
