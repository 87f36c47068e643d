"""The command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.standard_streams import StandardStreams
from hsa_conformance.garbage import collect_rarely

#: The module of each command. A command is imported when it is given: most need little of the rest.
_COMMANDS: Mapping[str, str] = {
    "run": "run",
    "check": "check",
    "compare": "compare",
    "merge": "merge",
    "reproduce": "reproduce",
    "baseline": "baseline",
    "findings": "findings",
    "spec": "spec",
    "report": "report",
    "reference-library": "library",
    "checking-library": "checking",
    "hosts": "hosts",
    "virtual-kfd": "virtual_kfd",
}


class _Version(argparse.Action):
    """`--version`: one line that says with what a run was judged."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Print the versions of the suite and of Python, and what identifies the registry."""
        import platform
        from importlib.metadata import version

        from hsa_spec import load

        print(
            f"hsa-conformance {version('hsa-conformance')}, registry {load().digest[:12]}, "
            f"Python {platform.python_version()}"
        )
        parser.exit()


def parser(known: Iterable[str] = _COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the command line.

    Args:
        known: the commands that it has to know.

    """
    top = argparse.ArgumentParser(
        prog="hsa-conformance",
        description="Runs a conformance suite on implementations of the HSA runtime API.",
        epilog="exit status: 0 all applicable `must` clauses hold, 1 some do not, 2 wrong "
        "use, 3 the suite could not run, judged nothing, or skipped clauses for no "
        "known reason",
    )
    top.add_argument(
        "--version",
        action=_Version,
        nargs=0,
        help="print the versions of the suite and of Python, and the registry's digest",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in known:
        import_module(f"{__name__}.{_COMMANDS[name]}").add_parser(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    Args:
        arguments: the words after the program's name; by default those of this process.

    """
    if arguments is not None:
        return _execute(arguments)
    streams, words = StandardStreams(), sys.argv[1:]
    return streams.status(words[0] if words else "", _execute(words))


def _execute(words: Sequence[str]) -> int:
    """Do what a command line says, and return the exit status.

    Where that cannot be done, one line on standard error says why.
    """
    first = words[0] if words else ""
    needed = [first] if first in _COMMANDS else [] if first == "--version" else _COMMANDS
    options = parser(needed).parse_args(words)
    collect_rarely()
    # Not needed for help, or to say that the words are wrong, and slow to import.
    from hsa_spec import RegistryError

    try:
        status: int = options.execute(options)
    except CommandError as error:
        _complain(str(error))
        return error.status
    except RegistryError as error:
        _complain(f"the registry is malformed: {error}")
        return 3
    except KeyboardInterrupt:
        _complain("interrupted")
        return 3
    return status


def _complain(text: str) -> None:
    """Say why a command ends: in one line, which is broken only where people read it."""
    from hsa_reports.text import wrapped

    line = f"hsa-conformance: {text}"
    print(wrapped(line) if sys.stderr.isatty() else line, file=sys.stderr)
