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
    subject = parser.add_argument_group("implementation under test")
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
        "--host", metavar="SUITE", type=given, help="the library of a host that `hosts` created"
    )
    subject.add_argument(
        "--release", metavar="V", type=_release, help="ROCm release of the library"
    )
    subject.add_argument(
        "--hsa-version",
        metavar="V",
        choices=HSA_VERSIONS,
        help=f"HSA version of the library: {', '.join(HSA_VERSIONS)}",
    )
    subject.add_argument(
        "--machine", metavar="NAME", type=given, help="the machine that the reference models"
    )
    subject.add_argument(
        "--virtual-kfd",
        metavar="MACHINE",
        type=given,
        nargs="?",
        const=True,
        help="imitate the driver and its devices; without MACHINE, several machines in turn",
    )
    subject.add_argument(
        "--emulated",
        metavar="NAME",
        type=given,
        help="name of the emulator in place of the driver or its devices; clauses that "
        "they decide are IMITATED",
    )
    subject.add_argument(
        "--env",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_variable,
        help="set a variable before the library is loaded; may be repeated",
    )
    subject.add_argument(
        "--claim",
        metavar="FILE",
        type=given,
        help="file with the functions that the library claims to have; `exported`: those "
        "that it exports",
    )
    how = parser.add_argument_group("test options")
    how.add_argument(
        "--profile",
        choices=["quick", "full", "exhaustive", "soak"],
        default="quick",
        help="length of the run; soak: the clauses that need a long run, and others only "
        "if they are selected",
    )
    how.add_argument(
        "--for",
        dest="length",
        metavar="TIME",
        type=_length,
        help="with --profile soak: time to repeat the work of one clause, such as 90s, "
        "10m or 8h (default: 10m)",
    )
    known = how.add_mutually_exclusive_group()
    known.add_argument(
        "--baseline",
        metavar="NAME",
        type=given,
        help="expect the failures in this file, or in the suite's own baseline of this name (rocr)",
    )
    known.add_argument(
        "--against",
        metavar="RUN",
        type=given,
        help="expect the failures of an earlier run: its folder or event file",
    )
    how.add_argument(
        "--replay",
        action="store_true",
        help="first repeat the examples that failed on this implementation in earlier "
        "runs, whatever the seed; forget those that now pass",
    )
    how.add_argument("--strict", action="store_true", help="fail for broken `should` clauses, too")
    how.add_argument(
        "--expect-no-device",
        action="store_true",
        help="the machine has no GPU, so expect hsa_init to fail",
    )
    how.add_argument("--budget", metavar="SECONDS", type=_seconds, help="time limit of one call")
    how.add_argument(
        "--memory-budget",
        metavar="MIB",
        type=_mebibytes,
        help="real memory that one call may take (default: a quarter of the free memory)",
    )
    how.add_argument(
        "--limit",
        metavar="SECONDS",
        type=_seconds_or_none,
        help="time limit of the whole run: clauses not done with by then are NOT_RUN, and "
        "--resume judges them; 0: none (default: on an imitated machine and on the reference "
        "ten times the estimate, at least a minute; else none)",
    )
    how.add_argument(
        "--output",
        metavar="MIB",
        type=_limit,
        help="output to keep of one process: the last part, if there is more (default: 64)",
    )
    how.add_argument(
        "--memory",
        metavar="MIB",
        type=_limit,
        help="memory limit of one process: clauses that need more are not judged, and "
        "the status is 3 (default: half of the machine's)",
    )
    how.add_argument(
        "--threads",
        metavar="N",
        type=_count,
        help="threads that may outlive hsa_shut_down: clauses that leave more are not "
        "judged, and the status is 3",
    )
    how.add_argument(
        "--traceback",
        action="store_true",
        help="show the traceback of errors in an adapter's own code, or in the suite's",
    )
    how.add_argument(
        "-n",
        dest="workers",
        metavar="N",
        type=_count,
        help="number of processes (default: the number of usable cores, or fewer for a "
        "small selection, as --dry-run shows); 1: use only this process",
    )
    how.add_argument(
        "-x",
        "--fail-fast",
        action="store_true",
        help="stop at the first unexpected failure; clauses not begun by then are NOT_RUN",
    )
    how.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the examples")
    how.add_argument(
        "--out", metavar="DIR", type=given, help="folder for the run (default: runs/...)"
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


def _seconds_or_none(text: str) -> float:
    return 0.0 if text == "0" else _seconds(text)


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
