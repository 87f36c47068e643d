"""Annotations for GitHub Actions."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import unquote

import pytest

from hsa_reports import Run, RunEnded, Verdict, render_github
from hsa_spec import Registry
from tests.unit.reports.report_samples import (
    ENDED,
    FULL,
    HOSTILE,
    STARTED,
    all_pass,
    hostile_run,
    make_result,
    make_run,
)

COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-z]+=[^:,]*)(?:,[a-z]+=[^:,]*)*)::(.*)")


def shown(run: Run, registry: Registry, file: str | None = None) -> list[tuple[str, str]]:
    """Return the kind and title of each line, as GitHub reads them."""
    found = []
    for line in render_github(run, registry, file).splitlines():
        command = COMMAND.fullmatch(line)
        assert command is not None, line
        properties = dict(each.split("=", 1) for each in command[2].split(","))
        assert file == (unquote(properties["file"]) if "file" in properties else None)
        found.append((command[1], unquote(properties["title"])))
    return found


def test_failures_are_errors_and_broken_expectations_warnings(registry: Registry) -> None:
    found = shown(make_run(), registry)
    assert [("error", v) for v in ("CRASH", "HANG", "FAIL", "FLAKY", "XPASS")] + [
        ("warning", v) for v in ("FRAGILE", "WARN")
    ] == [(kind, title.partition(" ")[0]) for kind, title in found[:-1]]
    assert ("notice", "HSA") == found[-1]


def test_a_strict_run_has_errors_alone(registry: Registry) -> None:
    strict = make_run(started=replace(STARTED, strict=True))
    assert 7 == [kind for kind, _ in shown(strict, registry)].count("error")


def test_a_run_that_passes_has_one_notice(registry: Registry) -> None:
    assert [("notice", "HSA")] == shown(all_pass(), registry)


@pytest.mark.parametrize("end", [None, replace(ENDED, exit_status=3)])
def test_a_run_that_was_not_carried_out_is_an_error(
    registry: Registry, end: RunEnded | None
) -> None:
    run = replace(all_pass(), end=end)
    assert [("error", "HSA")] == shown(run, registry)


def test_no_more_than_ten_are_made_and_the_last_counts_the_rest(registry: Registry) -> None:
    run = make_run([make_result(clause, Verdict.FAIL) for clause in FULL])
    lines = render_github(run, registry).splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert 10 == len(errors)
    assert f"{len(FULL) - 9} clauses more" in errors[-1]


def test_they_are_attached_to_a_file(registry: Registry) -> None:
    shown(make_run(), registry, "src/a, b: c.cpp")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_a_library_says_is_no_command(registry: Registry, text: str) -> None:
    """Line breaks of its own would begin one."""
    lines = render_github(hostile_run(f"\n::error::{text}\r\n"), registry).splitlines()
    assert all(COMMAND.fullmatch(line) for line in lines)
