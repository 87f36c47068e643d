"""`findings`: the defects that were found in real libraries, and their programs in C."""

from __future__ import annotations

import argparse
import difflib
import re
from pathlib import Path
from typing import Any

from hsa_conformance import source_tree
from hsa_conformance.baselines import read_baseline
from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.files import STANDARD_OUTPUT, write_text
from hsa_conformance.findings.pages import index, read_findings
from hsa_reports.text import columns, wrapped

_INCLUDE = re.compile(r'^#include "(.+)"\n', re.MULTILINE)


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("findings", help="show the defects found in real libraries")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="print the name, weight, title and upstream state of each")
    actions.add_parser("index", help="print the tables of the index in Markdown")
    show = actions.add_parser(
        "show",
        help="print the page or the program of a finding",
        epilog="the program: cc -std=c11 -o finding FILE -ldl && ./finding [LIBRARY]; exit status "
        "1 the defect is there, 0 it is not, 77 it cannot tell",
    )
    show.add_argument("name", metavar="NAME", help="its name, as `findings list` prints it")
    show.add_argument(
        "--c", action="store_true", help="print the program as one self-contained file"
    )
    show.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        default=STANDARD_OUTPUT,
        help="output file (default: standard output)",
    )
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    pages = {path.stem: path for path in sorted(folder().glob("*.md")) if path.stem != "README"}
    if options.action == "list":
        found = read_findings(folder())
        width = max(len(f.name) for f in found)
        for finding in found:
            upstream = ", ".join(f"{u.name}: {u.words}" for u in finding.upstream)
            known = f"  [{upstream}]" if upstream else ""
            about = wrapped(f"{finding.title}{known}", columns() - width - 14).splitlines()
            print(f"{finding.name:{width}}  {finding.weight:10}  {about[0]}")
            for line in about[1:]:
                print(f"{'':{width + 14}}{line}")
        return 0
    if options.action == "index":
        from hsa_spec import load

        print(index(read_findings(folder()), read_baseline("rocr", load())), end="")
        return 0
    if options.name not in pages:
        near = difflib.get_close_matches(options.name, pages, n=1)
        advice = f"did you mean {near[0]}?" if near else "`findings list` prints the names"
        raise CommandError(f"there is no finding {options.name}; {advice}")
    page = pages[options.name]
    text = program(page.with_suffix(".c")) if options.c else page.read_text(encoding="utf-8")
    write_text(text, options.out)
    return 0


def program(source: Path) -> str:
    """Return a program with the headers beside it in place of the lines that include them.

    Args:
        source: a C file; each header in quotes is taken from its folder, and once.

    """
    seen: set[str] = set()

    def expanded(path: Path) -> str:
        return _INCLUDE.sub(included, path.read_text(encoding="utf-8"))

    def included(line: re.Match[str]) -> str:
        if line[1] in seen:
            return ""
        seen.add(line[1])
        return expanded(source.parent / line[1])

    return re.sub(r"\n{3,}", "\n\n", expanded(source).replace("*/\n/*", "*/\n\n/*"))


def folder() -> Path:
    """Return the folder of the pages and programs.

    Raises:
        CommandError: this installation lacks it.

    """
    found = source_tree.findings()
    if found is not None:
        return found
    raise CommandError(
        "the findings were not installed with this package; they are docs/findings of its source", 3
    )
