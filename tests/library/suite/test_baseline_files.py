"""Baseline files that build on other files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_conformance.baselines import Baseline, BaselineError, read_baseline
from hsa_reports import Verdict
from hsa_spec import load
from hsa_spec.releases import Release

FIRST, SECOND = "hsa_init/success", "hsa_shut_down/success"
SHIPPED = f"""
implementation: x
releases: ["6.1.2", "7.2.4"]
entries:
  - {{clause: {FIRST}, verdict: CRASH, got: SIGSEGV, class: library, finding: a-cause, reason: a}}
  - {{clause: {SECOND}, verdict: FAIL, got: A, class: library, finding: a-cause, reason: b}}
  - {{clause: {SECOND}, verdict: WARN, got: B, releases: 6.1.2, machines: [gfx1100], class: text,
     reason: c}}
"""

Write = Callable[..., Baseline]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Return a function that writes files by their names and reads the one called `own`."""

    def write(own: str, **others: str) -> Baseline:
        for name, text in {"own": own, "shipped": SHIPPED, **others}.items():
            (tmp_path / f"{name}.yaml").write_text(text)
        return read_baseline(str(tmp_path / "own.yaml"), load())

    return write


def known(baseline: Baseline, release: str, machine: str = "gfx90a") -> list[str]:
    expected = baseline.expected(Release.parse(release), machine)
    assert expected is not None
    return [f"{e.clause} {e.verdict} {e.got}" for e in expected.entries]


def test_a_file_adds_to_another_one(written: Write) -> None:
    """Its own entries come first, and the rest is as the other file has it."""
    own = written(
        f"""
includes: [shipped.yaml]
entries:
  - {{clause: {FIRST}, verdict: FLAKY, got: our patch, class: build, reason: ours}}
"""
    )
    shipped = [f"{FIRST} CRASH SIGSEGV", f"{SECOND} FAIL A"]
    assert [f"{FIRST} FLAKY our patch", *shipped] == known(own, "7.2.4")
    assert ("x", ("6.1.2", "7.2.4")) == (own.implementation, own.releases)


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("cause: a-cause, drop: true", []),
        (f"clause: {SECOND}, drop: true", [f"{FIRST} CRASH SIGSEGV"]),
        ("cause: a-cause, was: CRASH, drop: true", [f"{SECOND} FAIL A"]),
        (
            f"clause: {FIRST}, expect: FAIL, got: HSA_STATUS_ERROR",
            [f"{FIRST} FAIL HSA_STATUS_ERROR", f"{SECOND} FAIL A"],
        ),
        (
            "cause: a-cause, expect: WARN, releases: 7..",
            [f"{FIRST} WARN SIGSEGV", f"{SECOND} WARN A"],
        ),
        ("cause: a-cause, machines: [gfx1201], drop: true", None),
        ("cause: a-cause, releases: ..6.1.2, drop: true", None),
    ],
)
def test_a_file_changes_entries_of_another_one(
    written: Write, change: str, left: list[str] | None
) -> None:
    """By clause or by cause, as far as verdict, release and machine go."""
    own = written(f"includes: [shipped.yaml]\nchanges:\n  - {{{change}}}\n")
    shipped = [f"{FIRST} CRASH SIGSEGV", f"{SECOND} FAIL A"]
    assert (shipped if left is None else left) == known(own, "7.2.4")


def test_a_file_may_be_about_a_later_release(written: Write) -> None:
    """What it includes is expected there as the nearest release has it, but for its changes."""
    own = written(
        f"""
includes: [shipped.yaml]
releases: ["7.2.5"]
changes:
  - {{clause: {FIRST}, releases: 7.2.5, drop: true}}
"""
    )
    assert [f"{SECOND} FAIL A"] == known(own, "7.2.5")
    assert 2 == len(known(own, "7.2.4"))
    expected = own.expected(Release.parse("7.2.5"), "gfx90a")
    assert expected is not None
    assert expected.older is None


def test_the_baselines_of_the_suite_are_included_by_their_names(written: Write) -> None:
    own = written("includes: [rocr]\n")
    assert read_baseline("rocr", load()).entries == own.entries


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ("includes: [own.yaml]", "includes itself: own.yaml includes own.yaml"),
        ("includes: [other.yaml]", "own.yaml includes other.yaml includes own.yaml"),
        ("includes: [nope.yaml]", "includes.0: there is no"),
        ("includes: nope", "includes: 'nope' is not of type 'array'"),
        ("releases: ['1.0']", "expected a key includes, or implementation and entries"),
        (
            "includes: [shipped.yaml]\nchanges: [{cause: no-cause, drop: true}]",
            "changes.0 (cause no-cause) is about no entry of shipped.yaml",
        ),
        (
            "includes: [shipped.yaml]\n"
            f"changes: [{{clause: {SECOND}, was: WARN, machines: [gfx90a], drop: true}}]",
            f"changes.0 ({SECOND}, WARN) is about no entry",
        ),
        (
            f"includes: [shipped.yaml]\nchanges: [{{clause: {SECOND}, was: WARN, releases: 7.., "
            "drop: true}]",
            "is about no entry",
        ),
        (
            "includes: [shipped.yaml]\nchanges: [{drop: true}]",
            "changes.0: expected a key clause or cause",
        ),
        (
            f"includes: [shipped.yaml]\nchanges: [{{clause: {FIRST}}}]",
            "changes.0: expected a key drop or expect",
        ),
        (
            f"includes: [shipped.yaml]\nchanges: [{{clause: {FIRST}, drop: true, expect: FAIL}}]",
            "changes.0: expected only one of the keys drop, expect",
        ),
        (
            "includes: [shipped.yaml]\nchanges: [{clause: hsa_init/nope, drop: true}]",
            "hsa_init/nope is no clause of this registry; remove the change",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(written: Write, own: str, message: str) -> None:
    """The message says where, and what to do."""
    with pytest.raises(BaselineError) as refused:
        written(own, other="includes: [own.yaml]")
    assert message in str(refused.value)


UPSTREAM = "upstream: [{repository: a/b, number: 7, kind: issue, state: open}]"


def test_an_entry_has_what_is_upstream(written: Write) -> None:
    """A failure without a page may be known to those who maintain the library, too."""
    own = written(SHIPPED.replace("reason: a", f"reason: a, {UPSTREAM}"))
    assert [["a/b#7"], [], []] == [[each.name for each in e.upstream] for e in own.entries]
    with pytest.raises(BaselineError, match=r"upstream\.0\.state: 'new' is not one of"):
        written(SHIPPED.replace("reason: a", f"reason: a, {UPSTREAM.replace('open', 'new')}"))


def test_what_is_flaky_is_so_by_chance(written: Write) -> None:
    own = written(SHIPPED.replace("verdict: CRASH", "verdict: FLAKY"))
    assert [Verdict.FLAKY] == [e.verdict for e in own.entries if e.chance]
