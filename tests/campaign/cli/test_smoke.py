"""`check smoke`: how far a new runtime has come, and what to write next."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

import pytest

from hsa_adapters.hosts import Host
from hsa_conformance.cli import run
from hsa_conformance.cli.errors import CommandError
from tests.library.cli.commands import Command

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

#: Its count is right among threads too.
TWO = """
#include <stdatomic.h>
static atomic_int references;
int hsa_init(void) { references++; return 0; }
int hsa_shut_down(void)
{
    int before = references;
    while (before && !atomic_compare_exchange_weak(&references, &before, before - 1));
    return before ? 0 : 0x100b;
}
"""
REFUSES = TWO.replace("before ? 0 :", "before ? 0x1000 :")


def claim(folder: Path, *functions: str) -> None:
    text = f"implementation: new\nhsa: '1.0'\nfunctions: [{', '.join(functions)}]\n"
    (folder / "claim.yaml").write_text(text, "utf-8")


def library(folder: Path, text: str) -> Path:
    source, target = folder / "new.c", folder / "libnew.so"
    source.write_text(text)
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", target], check=True)
    return target


@needs_cc
def test_two_functions_end_with_what_to_write_next(command: Command, tmp_path: Path) -> None:
    """What is there is judged in an initialised runtime, and what is missing is listed, last."""
    done = command("check", "smoke", "--library", library(tmp_path, TWO), "--out", tmp_path / "run")
    assert 1 == done.status
    assert "Passes the 2 functions that it claims" in done.out
    assert [
        "Write next, for level 1, initialise "
        "(`hsa-conformance spec show NAME` says what each has to do):",
        "  hsa_status_string    Describe a status code in words.",
        "  hsa_system_get_info  Read an attribute of the system.",
    ] == done.out.splitlines()[-3:]


@needs_cc
def test_what_is_broken_is_named_before_what_is_missing(command: Command, tmp_path: Path) -> None:
    """A level with a clause that fails says so, with what was observed."""
    done = command("check", "smoke/initialise", "--library", library(tmp_path, REFUSES))
    lines = done.out.splitlines()
    fix = next(n for n, line in enumerate(lines) if line.startswith("Fix, for level 1, initial"))
    write = next(n for n, line in enumerate(lines) if line.startswith("Write next, for level 1"))
    assert 1 == done.status
    assert fix < write
    assert any("hsa_shut_down/success: " in line for line in lines[fix:write])


@needs_cc
def test_what_waits_for_one_function_is_one_line(command: Command, tmp_path: Path) -> None:
    """A runtime that does not start is told so once, not as often as there are clauses."""
    refusing = library(tmp_path, TWO.replace("references++; return 0;", "return 0x1000;"))
    done = command("check", "smoke/initialise", "--library", refusing)
    blocked = [line for line in done.out.splitlines() if line.startswith("  BLOCKED")]
    assert 1 == done.status
    [line] = blocked
    assert line.startswith("  BLOCKED  by hsa_init/success: answered HSA_STATUS_ERROR")


def test_the_reference_is_asked_for_what_it_claims(command: Command) -> None:
    """A level holds where each function is there that is claimed, and the next is named."""
    done = command("check", "smoke/agents")
    assert 0 == done.status
    assert "4 of 4" in done.out
    assert "What was asked for holds; next is smoke/regions." == done.out.splitlines()[-1]


def test_what_was_not_run_does_not_hold(command: Command) -> None:
    """A run that is cut short says which clauses were not judged, and praises nothing."""
    done = command("check", "smoke/initialise", "--limit", "0.000001")
    assert 3 == done.status
    assert "Not judged, on level 1, initialise:" in done.out
    assert "NOT_RUN  hsa_init/success: " in done.out
    assert "holds" not in done.out.partition("Level")[2]


def test_a_run_that_was_not_carried_out_is_not_praised(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each level may hold, and yet something came between, such as an error of the suite."""
    run_clauses = run.run_clauses
    monkeypatch.setattr(run, "run_clauses", lambda *words: (3, *run_clauses(*words)[1:]))
    done = command("check", "smoke/initialise")
    assert 3 == done.status
    assert "What was asked for" not in done.out


@needs_cc
def test_a_claim_beside_the_library_says_what_is_wanted(command: Command, tmp_path: Path) -> None:
    """It is taken without being asked for, and functions outside it need not be written."""
    claim(tmp_path, "hsa_init", "hsa_shut_down")
    new = library(tmp_path, TWO)
    done = command("check", "smoke/initialise", "--library", new)
    assert 0 == done.status
    assert "2 of 2" in done.out
    assert "What was asked for holds; next is smoke/agents." == done.out.splitlines()[-1]
    exported = command("check", "smoke/initialise", "--library", new, "--claim", "exported")
    assert 1 == exported.status
    assert "2 of 4" in exported.out


@pytest.mark.parametrize("words", [("--host", "sid"), ("--virtual-kfd",)])
def test_a_library_that_an_option_stands_for_is_judged_by_what_it_exports(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """The library of a host, and the one that is installed, are as one that is named."""
    claims: list[str | None] = []

    def run_clauses(options: argparse.Namespace, _: object) -> None:
        claims.append(options.claim)
        raise CommandError("enough")

    host = Host("sid", tmp_path, tmp_path / "libhsa-runtime64.so.1", "python {args}", "7.2.4")
    monkeypatch.setattr("hsa_adapters.hosts.find", lambda _: host)
    monkeypatch.setattr(run, "run_clauses", run_clauses)
    assert 2 == command("check", "smoke", *words).status
    assert ["exported"] == claims


@needs_cc
def test_a_level_in_front_of_the_next_has_nothing_to_judge(
    command: Command, tmp_path: Path
) -> None:
    """What is not claimed is not put off for later."""
    claim(tmp_path, "hsa_init", "hsa_shut_down", "hsa_signal_destroy")
    new = library(tmp_path, TWO + "int hsa_signal_destroy(void) { return 0x1000; }\n")
    done = command("check", "smoke/queues", "--library", new)
    ends = ("holds", "nothing to judge", "next", "later")
    lines = [line.rstrip() for line in done.out.splitlines() if line.rstrip().endswith(ends)]
    found = [(line.split()[1], next(end for end in ends if line.endswith(end))) for line in lines]
    assert 1 == done.status
    assert [
        ("initialise", "holds"),
        ("agents", "nothing to judge"),
        ("regions", "nothing to judge"),
        ("signals", "next"),
        ("queues", "later"),
    ] == found


def test_levels_can_be_selected_for_a_run(command: Command) -> None:
    """`run` takes the same words, and writes a report."""
    done = command("run", "--select", "smoke/initialise", "--out", "run")
    assert 0 == done.status
    assert Path("run/report.html").exists()
