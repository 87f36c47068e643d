"""`spec`: read the specification, and hold it to its own rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hsa_conformance.cli.spec import checking, finding, reading, writing


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("spec", help="read the specification, or check it")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_reading(actions)
    lint = actions.add_parser("lint", help="check the registry against its rules")
    lint.add_argument("--text", action="store_true", help="list the defects of the headers' texts")
    lint.add_argument(
        "--ambiguities",
        action="store_true",
        help="search for calls about which clauses disagree, or that no clause covers",
    )
    lint.add_argument("--update-ids", action="store_true", help="record the ids of new clauses")
    lint.set_defaults(execute=checking.execute_lint)
    coverage = actions.add_parser("coverage", help="count which clauses are checked, and how")
    coverage.add_argument("group", nargs="?", metavar="GROUP", help="a group, topic or function")
    what = coverage.add_mutually_exclusive_group()
    what.add_argument(
        "--documented", action="store_true", help="count the statuses that the headers document"
    )
    what.add_argument(
        "--reference",
        action="store_true",
        help="run the reference, and count the clauses that it passes",
    )
    coverage.set_defaults(execute=checking.execute_coverage)
    headers = actions.add_parser("verify-headers", help="compare the registry with C headers")
    headers.add_argument("folder", type=Path, metavar="DIR", help="the folder that holds hsa.h")
    headers.add_argument(
        "--release",
        metavar="V",
        help="ROCm release of the headers: newer declarations may be absent",
    )
    headers.add_argument(
        "--record",
        action="store_true",
        help="record the headers' comments as read; review the clauses about them first",
    )
    headers.set_defaults(execute=checking.execute_verify_headers)
    pages = actions.add_parser("pages", help="write the reference pages in Markdown")
    pages.add_argument("--out", metavar="DIR", required=True, type=Path, help="output folder")
    pages.set_defaults(execute=writing.execute_pages)
    header = actions.add_parser("header", help="print a C header of one release")
    kinds = "an interface version such as 1.4, or a ROCm release such as 6.2"
    header.add_argument("--release", metavar="V", required=True, help=kinds)
    header.set_defaults(execute=writing.execute_header)
    sets = actions.add_parser("sets", help="list the named sets, or the functions of one")
    sets.add_argument("name", nargs="?", metavar="SET", help="the name of a set")
    sets.set_defaults(execute=reading.execute_sets)
    diff = actions.add_parser("diff", help="show the changes between two releases")
    for name in ("old", "new"):
        diff.add_argument(name, metavar=name.upper(), help=kinds)
    shape = diff.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print JSON, with every clause")
    shape.add_argument("--text", action="store_false", dest="json", help="print lines (default)")
    diff.set_defaults(execute=reading.execute_diff)


def _add_reading(actions: Any) -> None:  # noqa: ANN401
    listing = actions.add_parser("list", help="list the functions")
    listing.add_argument("topic", nargs="?", metavar="TOPIC", help="a topic such as amd/vmem")
    listing.add_argument("--json", action="store_true", help="print JSON, with clauses")
    listing.set_defaults(execute=reading.execute_list)
    show = actions.add_parser("show", help="show a function, clause, type, status or term")
    show.add_argument(
        "name",
        metavar="NAME",
        help="a function, a clause id, a type, a constant such as a status, or a term of "
        "conditions",
    )
    form = show.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, with every fact")
    form.add_argument(
        "--yaml",
        action="store_true",
        help="print the registry's document with all defaults filled in",
    )
    show.set_defaults(execute=reading.execute_show)
    terms = actions.add_parser("terms", help="list the terms of conditions")
    terms.set_defaults(execute=reading.execute_terms)
    where = actions.add_parser("where", help="print the files and lines that concern a name")
    where.add_argument(
        "name",
        metavar="NAME",
        help="a function, a clause id, a type, an enumerator, a term of conditions, a verdict, "
        "a topic, or a finding",
    )
    where.add_argument(
        "--all", action="store_true", help="print every place, even if there are many"
    )
    where.add_argument("--json", action="store_true", help="print JSON: path, line, description")
    where.set_defaults(execute=finding.execute_where)
