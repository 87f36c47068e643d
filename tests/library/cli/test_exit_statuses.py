"""Each exit status that the documentation names is shown by a test."""

from __future__ import annotations

import argparse
import ast
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from hsa_conformance.cli import parser
from hsa_conformance.coverage import checks
from hsa_reports import EventWriter
from hsa_spec import lint
from tests.library.cli.commands import Command
from tests.unit.reports.report_samples import ENDED, STARTED

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "how-to" / "exit-statuses.md"
ROW = re.compile(r"^\| (?P<command>.+) \| (?P<status>\d+|any) \| .+ \|$", re.MULTILINE)
PYTEST, PROGRAM = "`pytest --pyargs hsa_conformance`", "a program of `reproduce`, or of a finding"
PROGRAMS = "tests/campaign/reproduce/test_failures.py::"
MERGING = "tests/campaign/cli/test_merge.py::"
REPRODUCING = "tests/campaign/cli/test_reproduce.py::"
COLLECTING = "tests/campaign/cli/test_pytest_plugin.py::"
WRONG = "tests/campaign/cli/test_run_command.py::"
SMOKE = "tests/campaign/cli/test_smoke.py::"
LIBRARIES = "`reference-library`, `checking-library`"
#: Tests call statuses of programs by name.
NAMED = {"0": "ABSENT", "1": "PRESENT", "77": "CANNOT_TELL"}

#: Where the statuses are shown that no test of this file shows: a file, and a test in it.
SHOWN: Mapping[tuple[str, str], str] = {
    ("`run`", "0"): "run_command::test_run_on_the_reference_succeeds",
    ("`run`", "1"): f"{WRONG}test_run_that_finds_a_failure_answers_1",
    ("`run`", "2"): "bad_input::test_wrong_options_of_run",
    ("`run`", "3"): "run_command::test_run_that_judges_nothing_answers_3",
    ("`check`", "0"): "run_command::test_check_prints_a_table",
    ("`check`", "1"): f"{SMOKE}test_two_functions_end_with_what_to_write_next",
    ("`check`", "2"): "bad_input::test_unknown_group_of_check",
    ("`check`", "3"): f"{SMOKE}test_what_was_not_run_does_not_hold",
    (PYTEST, "0"): f"{COLLECTING}test_suite_is_ordinary_pytest",
    (PYTEST, "1"): f"{COLLECTING}test_clause_whose_check_blames_another_is_blocked",
    (PYTEST, "3"): f"{COLLECTING}test_process_that_dies_is_not_overlooked",
    (PYTEST, "4"): f"{COLLECTING}test_wrong_use_is_one_error",
    ("`merge`", "0"): f"{MERGING}test_merged_shards_are_one_run",
    ("`merge`", "1"): f"{MERGING}test_merged_shards_of_a_broken_library_are_one_run",
    ("`merge`", "2"): f"{MERGING}test_a_shard_that_is_missing_is_told",
    ("`merge`", "3"): f"{MERGING}test_a_shard_that_is_missing_is_told",
    ("`compare`", "0"): "compare::test_exit_status_says_whether_a_clause_got_worse",
    ("`compare`", "1"): "compare::test_exit_status_says_whether_a_clause_got_worse",
    ("`compare`", "2"): "compare::test_wrong_words",
    ("`compare`", "3"): "compare::test_exit_status_says_whether_a_clause_got_worse",
    ("`report`", "2"): "bad_input::test_wrong_words_of_other_commands",
    ("`reproduce`", "0"): f"{REPRODUCING}test_python_comes_on_standard_output",
    ("`reproduce`", "2"): "bad_input::test_wrong_words_of_other_commands",
    ("`reproduce`", "3"): f"{REPRODUCING}test_failure_of_an_older_version",
    (PROGRAM, "0"): f"{PROGRAMS}test_program_finds_the_defect_where_it_is",
    (PROGRAM, "1"): f"{PROGRAMS}test_program_finds_the_defect_where_it_is",
    (PROGRAM, "77"): f"{PROGRAMS}test_what_only_words_describe_cannot_be_told",
    ("`baseline create`", "0"): (
        "baseline_command::test_a_baseline_is_made_checked_and_brought_up_to_date"
    ),
    ("`baseline create`", "2"): "baseline_command::test_wrong_use_is_told",
    ("`baseline update`", "0"): (
        "baseline_command::test_a_baseline_is_made_checked_and_brought_up_to_date"
    ),
    ("`baseline update`", "2"): "baseline_command::test_wrong_use_is_told",
    ("`baseline check`", "0"): (
        "baseline_command::test_a_baseline_is_made_checked_and_brought_up_to_date"
    ),
    ("`baseline check`", "1"): (
        "baseline_command::test_a_baseline_is_made_checked_and_brought_up_to_date"
    ),
    ("`baseline check`", "2"): "baseline_command::test_wrong_use_is_told",
    ("`spec lint`", "0"): "spec::test_lint_finds_nothing",
    ("`spec lint`", "3"): "bad_input::test_malformed_registry_ends_a_command",
    ("`spec coverage`", "0"): "spec::test_coverage_misses_nothing",
    ("`spec verify-headers`", "0"): "verify_headers::test_installed_headers_agree",
    ("`spec verify-headers`", "1"): "verify_headers::test_differences",
    ("`spec verify-headers`", "2"): "verify_headers::test_wrong_use",
    ("other commands of `spec`", "0"): "where::test_places_are_paths_with_lines",
    ("other commands of `spec`", "2"): "where::test_unknown_name",
    ("`findings`", "0"): "findings_command::test_a_page_is_printed_as_it_is",
    ("`findings`", "2"): "findings_command::test_an_unknown_name_is_refused",
    ("`hosts`", "2"): "bad_input::test_wrong_words_of_other_commands",
    ("`virtual-kfd run`", "any"): "virtual_kfd_command::test_the_status_is_the_programs",
    ("`virtual-kfd run`", "3"): "virtual_kfd_command::test_what_is_not_imitated_is_named",
    ("`virtual-kfd`", "0"): (
        "virtual_kfd_command::test_build_writes_the_library_and_says_how_to_use_it"
    ),
    ("`virtual-kfd`", "2"): "virtual_kfd_command::test_wrong_use_is_refused",
    ("`virtual-kfd`", "3"): "virtual_kfd_command::test_without_a_compiler_it_says_what_to_install",
}


#: What is carried out here, in a folder with a run.
HERE: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("`report`", "0"): ("report", "json", "run"),
    ("`report`", "3"): ("report", "json", "run", "--out", "/dev/full"),
    ("`spec lint`", "1"): ("spec", "lint"),
    ("`spec coverage`", "1"): ("spec", "coverage", "hsa_shut_down"),
    ("`hosts`", "0"): ("hosts", "list"),
    (LIBRARIES, "0"): ("checking-library", "--out", "made"),
    (LIBRARIES, "2"): ("reference-library", "--out", "/dev/null"),
}
#: What has a test of its own below.
BELOW = {(PYTEST, "2")}


def documented() -> list[tuple[str, str]]:
    """Return each command with each of its statuses, as the page has them."""
    rows = ROW.finditer(PAGE.read_text(encoding="utf-8"))
    return [(row["command"], row["status"]) for row in rows]


def test_each_documented_status_is_shown() -> None:
    """A new row needs a test, and a test a row."""
    found = documented()
    assert len(found) == len({*found})
    assert {*found} == {*SHOWN} | {*HERE} | BELOW


def test_each_command_is_documented() -> None:
    text = " ".join(command for command, _ in documented())
    [names] = [action.choices for action in parser()._actions if action.dest == "command"]
    assert [] == [name for name in names or () if f"`{name}" not in text]


@pytest.mark.parametrize(
    ("page", "command"),
    [
        ("run-in-ci", "`run`"),
        ("compare-two-builds", "`compare`"),
        ("reproduce-a-failure", PROGRAM),
    ],
)
def test_other_pages_have_the_same_statuses(page: str, command: str) -> None:
    """Each of them has a table of one command."""
    text = (PAGE.parent / f"{page}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| .+ \|$", text, re.MULTILINE)
    assert {status for of, status in documented() if of == command} == {*rows}


def test_help_has_the_same_statuses() -> None:
    """Where it has any, as the man page does, which is made of it."""
    top = parser()
    [commands] = [a for a in top._actions if isinstance(a, argparse._SubParsersAction)]
    found = {"run": top.epilog, "compare": commands.choices["compare"].epilog}
    for command, epilog in found.items():
        told = re.findall(r"(?:: |, )(\d) ", epilog or "")
        assert [status for of, status in documented() if of == f"`{command}`"] == told


@pytest.mark.parametrize("row", SHOWN, ids=" ".join)
def test_a_status_is_shown_where_the_table_says(row: tuple[str, str]) -> None:
    """The test is there, and names the status."""
    place, _, name = SHOWN[row].partition("::")
    path = ROOT / (place if place.endswith(".py") else f"tests/library/cli/test_{place}.py")
    source = path.read_text(encoding="utf-8")
    [test] = [n for n in ast.parse(source).body if getattr(n, "name", None) == name]
    assert isinstance(test, ast.FunctionDef)
    parts = [ast.get_source_segment(source, part) or "" for part in (*test.decorator_list, test)]
    status = r"\d+" if row[1] == "any" else row[1]
    assert re.search(rf"\b({status}|{NAMED.get(row[1], status)})\b", " ".join(parts)), parts


@pytest.mark.parametrize("row", HERE, ids=" ".join)
def test_a_command_ends_with_its_status(
    row: tuple[str, str], command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if row[0] == LIBRARIES and shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if row[1] == "1":
        monkeypatch.setattr(lint, "lint", lambda _: ["something is wrong"])
        missing = SimpleNamespace(missing=["hsa_shut_down/success"])
        monkeypatch.setattr(checks, "coverage", lambda *_: [missing])
        monkeypatch.setattr(checks, "table", str)
    (tmp_path / "run").mkdir()
    with EventWriter(tmp_path / "run" / "events.jsonl") as writer:
        writer.write(STARTED)
        writer.write(ENDED)
    assert int(row[1]) == command(*HERE[row]).status


def test_pytest_that_is_interrupted_ends_with_2(program: Command, tmp_path: Path) -> None:
    """As any other tests under pytest."""
    (tmp_path / "stopping.py").write_text(
        "def pytest_runtest_setup(item):\n    raise KeyboardInterrupt\n"
    )
    words = ("--hsa-adapter=reference", "--hsa-select=hsa_shut_down/success", "-p", "stopping")
    suite = ("-m", "pytest", "--pyargs", "hsa_conformance", "-p", "no:cacheprovider")
    assert 2 == program("python", *suite, *words).status
