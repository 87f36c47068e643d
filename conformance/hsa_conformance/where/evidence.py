"""What bears a clause out or speaks against it: golden cases, findings, baselines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import yaml

from hsa_conformance import baselines, source_tree
from hsa_conformance.where.place import Place, few
from hsa_conformance.where.texts import mentions


def golden_cases(function: str, statuses: Collection[str] = ()) -> Iterator[Place]:
    """Yield the golden cases that call a function.

    Args:
        function: its name.
        statuses: those that one of its calls has to have; any, if there are none.

    """
    folder, found = source_tree.golden(), []
    for path in sorted(folder.glob("*/*.yaml")) if folder else ():
        text = path.read_text(encoding="utf-8")
        if function not in text:
            continue
        for line, case, group in _cases(text):
            answers = {s for f, listed in _answers(case, group) if f == function for s in listed}
            if answers & set(statuses) if statuses else answers:
                place = Place(path, line, f"golden case: {case['case']}")
                found.append((function not in group["functions"], place))
    # Cases about the function itself come before those that only prepare something by it.
    yield from (place for _, place in sorted(found, key=itemgetter(0)))


def known_failures(clauses: Collection[str]) -> Iterator[Place]:
    """Yield the entries of the suite's baselines about any of some clauses."""
    yield from _known_failures(lambda entry: entry["clause"] in clauses)


def of_finding(name: str, most: int | None) -> Iterator[Place]:
    """Yield the page of a finding, its program, and the entries of baselines that name it."""
    folder = source_tree.findings()
    page, program = (folder / f"{name}{ending}" if folder else None for ending in (".md", ".c"))
    if page is not None and page.is_file() and name != "README":
        yield Place(page, 1, f"finding: {_title(page)}")
    if program is not None and program.is_file():
        yield Place(program, 1, "the program that shows it")
    yield from few(_known_failures(lambda entry: entry.get("finding") == name), most)


def finding_names() -> list[str]:
    """Return the names of all findings that have a page."""
    folder = source_tree.findings()
    return [p.stem for p in folder.glob("*.md") if p.stem != "README"] if folder else []


def _known_failures(wanted: Callable[[dict[str, Any]], bool]) -> Iterator[Place]:
    for path, line, entry in _entries(wanted):
        words = f"{entry['verdict']} of {entry['clause']} in {entry['releases']}"
        yield Place(path, line, f"baseline: {words}")


def findings(clauses: Collection[str]) -> Iterator[Place]:
    """Yield the pages of findings about any of some clauses."""
    folder = source_tree.findings()
    about = _entries(lambda entry: entry["clause"] in clauses)
    named = {entry.get("finding") for _, _, entry in about}
    for page in sorted(folder.glob("*.md")) if folder else ():
        lines = [n for clause in clauses for _, n, _ in mentions([page], clause)]
        if page.stem != "README" and (lines or page.stem in named):
            yield Place(page, min(lines, default=1), f"finding: {_title(page)}")


def _title(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("#").strip()


def _entries(
    wanted: Callable[[dict[str, Any]], bool],
) -> Iterator[tuple[Path, int, dict[str, Any]]]:
    for path in sorted(Path(baselines.__file__).parent.glob("*.yaml")):
        [root] = _nodes(path.read_text(encoding="utf-8"))
        for node in _member(root, "entries").value:
            entry = _plain(node)
            if wanted(entry):
                yield path, node.start_mark.line + 1, entry


def _cases(text: str) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """Yield the line of each golden case, the case, and what its group has in common."""
    [root] = _nodes(text)
    for group in _member(root, "groups").value:
        common = _plain(group)
        for case in _member(group, "cases").value:
            yield case.start_mark.line + 1, _plain(case), common


def _answers(case: dict[str, Any], group: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the functions that a case calls, each with the statuses that it may answer."""
    for step in case.get("steps", ()):
        if "call" in step:
            yield step["call"], _list(step.get("status", ""))
    if "steps" not in case:
        for function in group["functions"]:
            yield function, _list(case["status"])


def _list(statuses: str | list[str]) -> list[str]:
    return [statuses] if isinstance(statuses, str) else statuses


def _nodes(text: str) -> list[Any]:
    return list(yaml.compose_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def _member(node: Any, key: str) -> Any:  # noqa: ANN401 - a node of YAML
    return next(value for name, value in node.value if name.value == key)


def _plain(node: Any) -> Any:  # noqa: ANN401 - a node of YAML
    if isinstance(node, yaml.MappingNode):
        return {key.value: _plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(part) for part in node.value]
    return node.value
