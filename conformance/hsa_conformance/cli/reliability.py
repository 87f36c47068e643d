"""`compare --reliability`: what holds in which release, for authors of clients."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hsa_conformance.cli.errors import CommandError, status_of
from hsa_conformance.cli.files import STANDARD_OUTPUT, load_runs, write_text

if TYPE_CHECKING:
    from hsa_reports.reliability import Page
    from hsa_spec import Registry

#: The parts of the API that have pages, by the groups that they are made of.
PAGES = (
    ("virtual-memory", "Virtual memory, by release", ("vmem",)),
    ("ipc", "Memory and signals shared with other processes, by release", ("ipc",)),
    ("signals", "Signals, by release", ("signals", "amd-signals")),
    ("queues", "Queues, by release", ("queues", "amd-queues")),
)


def add_reliability(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--reliability",
        metavar="WHAT",
        action="append",
        default=[],
        help="show which clauses hold in which run: those of a group (vmem), topic or "
        "function, one clause, or those that a client needs (hip); the status is 0",
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        type=Path,
        help='with --reliability: write JSON; "-": standard output',
    )
    parser.add_argument(
        "--reliability-pages",
        metavar="DIR",
        type=Path,
        help="write the pages for authors of clients",
    )


def show_reliability(options: argparse.Namespace, names: tuple[str, ...]) -> int:
    """Show what holds in which run, or write pages of it.

    Args:
        options: what the command line says.
        names: what the runs are called.

    Raises:
        CommandError: a name is unknown, or a file cannot be written.

    """
    from hsa_reports import reliability
    from hsa_spec import load
    from hsa_spec.clients import known_clients

    registry = load()
    clients = known_clients(registry)
    wanted = _clauses(options.reliability, registry) if options.reliability else ()
    runs = load_runs(options.runs)
    if options.reliability_pages:
        pages = _pages(registry)
        texts = reliability.render_pages(names, runs, registry, pages, [*clients.values()])
        _write(options.reliability_pages, texts)
        return 0
    matrix = reliability.Matrix(names, runs, registry, wanted)
    title = f"What holds of {', '.join(options.reliability)}"
    if options.json is not None:
        write_text(reliability.to_json(matrix), options.json)
    if options.markdown is not None:
        write_text(reliability.render_markdown(matrix, title), options.markdown)
    if options.html is not None:
        write_text(reliability.render_html(matrix, title), options.html)
    if STANDARD_OUTPUT not in (options.json, options.markdown):
        from hsa_reports.reliability.terminal import print_matrix
        from hsa_reports.terminal import console

        print_matrix(matrix, console(sys.stdout))
    return 0


def _clauses(wanted: list[str], registry: Registry) -> tuple[str, ...]:
    from hsa_conformance.selection.names import SelectionError, select
    from hsa_conformance.topics import TOPICS
    from hsa_spec.clients import known_clients

    clients = known_clients(registry)
    names = [f for name in wanted for f in (clients[name].functions if name in clients else [name])]
    try:
        return tuple(clause.id for clause in select(registry, TOPICS, names))
    except SelectionError as error:
        raise CommandError(f"{error}; or name a client: {', '.join(clients)}") from None


def _pages(registry: Registry) -> list[Page]:
    from hsa_reports.reliability import Page

    return [Page(name, title, _clauses([*groups], registry)) for name, title, groups in PAGES]


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the pages, and remove what was generated of what is no more."""
    from hsa_reports.reliability import MARK

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob("*.md"):
            if path.name not in texts and path.read_bytes().startswith(MARK.encode()):
                path.unlink()
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        text = f"cannot write to {folder}: {error.strerror}; name another folder"
        raise CommandError(text, status_of(error)) from None
    print(f"{len(texts)} pages in {folder}")
