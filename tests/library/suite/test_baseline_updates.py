"""Baseline files that are made of runs, and brought up to date by them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from hsa_conformance.baselines import BaselineError, read_baseline
from hsa_conformance.baselines.checking import problems
from hsa_conformance.baselines.filing import created, held, updated
from hsa_reports import Result, Run, Verdict
from hsa_reports.failure import ASSERTED
from hsa_reports.transitions import Transition
from hsa_spec import load
from tests.library.suite.baseline_samples import CLAUSE, OTHER, expected, failing, passing, run

FILE = f"""# Ours.
implementation: x
releases: ["5.2.3", "6.1.2", "6.4.3"]  # all of them
entries:
  # It dies.
  - clause: {CLAUSE}
    verdict: CRASH
    got: SIGSEGV  # always
    releases: "5.2.3..6.4.3"
    class: library
    reason: a

  # It answers something else.
  - {{clause: {OTHER}, verdict: FAIL, got: HSA_STATUS_SUCCESS, values: ["a=1", "a=2"],
     class: library, reason: b}}
"""
BOTH = (
    failing(),
    failing(OTHER, Verdict.FAIL, "HSA_STATUS_SUCCESS", "a=1"),
    failing(OTHER, Verdict.FAIL, "HSA_STATUS_SUCCESS", "a=2"),
    passing(OTHER, "a=1", "a=2", "a=3"),
)
DEAD = [
    "  # It dies.\n",
    f"  - clause: {CLAUSE}\n",
    "    verdict: CRASH\n",
    "    got: SIGSEGV  # always\n",
]

Change = Callable[..., tuple[list[str], list[str]]]


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """Return a function that updates a file; it returns the changes and the lines that differ."""

    def change(*runs: Run, text: str = FILE) -> tuple[list[str], list[str]]:
        file = tmp_path / "known.yaml"
        file.write_text(text)
        new, said = updated(file, runs, load())
        file.write_text(new)
        # A second time there is nothing to do, and what is there comes true.
        again, nothing = updated(file, runs[-1:], load())
        assert new == again
        assert {Transition.UNTRIED} >= {line.what for line in nothing}
        otherwise, _ = held(read_baseline(str(file), load()), runs[-1], load())
        assert {Transition.UNTRIED} >= {line.what for line in otherwise}
        before, after = text.splitlines(), new.splitlines()
        gone = [f"-{line}" for line in before if line not in after]
        return [str(line) for line in said], gone + [f"+{x}" for x in after if x not in before]

    return change


def test_what_comes_true_changes_nothing(change: Change) -> None:
    """Whether a baseline has explained it or not."""
    assert ([], []) == change(run(*BOTH))
    assert ([], []) == change(run(*map(expected, BOTH[:3]), BOTH[3]))


def test_what_is_fixed_in_the_last_release_ends_before(change: Change) -> None:
    """Comments stay, and so does the order."""
    said, lines = change(run(passing(), *BOTH[1:], release="ROCm 6.4.3"))
    assert [f"fixed: {CLAUSE} (CRASH: SIGSEGV): removed of 6.4.3"] == said
    assert ['-    releases: "5.2.3..6.4.3"', '+    releases: "5.2.3..6.1.2"'] == lines


def test_what_is_fixed_in_one_release_stays_in_those_around_it(change: Change) -> None:
    """It needs two entries then, one behind the other."""
    _, lines = change(run(passing(), *BOTH[1:]))
    assert [
        '-    releases: "5.2.3..6.4.3"',
        '+    releases: "5.2.3"',
        "+    got: SIGSEGV",
        '+    releases: "6.4.3"',
    ] == lines


def test_what_is_fixed_everywhere_goes(change: Change) -> None:
    """The comments are left to their author."""
    runs = [run(passing(), *BOTH[1:], release=f"ROCm {r}") for r in ("5.2.3", "6.1.2", "6.4.3")]
    said, lines = change(*runs)
    assert "removed" in said[-1]
    assert [] == [line for line in lines if line.startswith("+")]
    assert 6 == len([line for line in lines if line.startswith("-")])


def test_what_fails_in_a_new_release_is_widened(change: Change) -> None:
    """The release is one that the file was made on, then."""
    said, lines = change(run(*BOTH, release="ROCm 7.2.4"))
    assert [f"regressed: {CLAUSE} (CRASH: SIGSEGV): now of 5.2.3..7.2.4"] == said
    assert [
        '-releases: ["5.2.3", "6.1.2", "6.4.3"]  # all of them',
        '-    releases: "5.2.3..6.4.3"',
        '+releases: ["5.2.3", "6.1.2", "6.4.3", "7.2.4"]  # all of them',
        '+    releases: "5.2.3..7.2.4"',
    ] == lines


def test_a_new_failure_is_put_beside_its_like(change: Change) -> None:
    """Nobody has looked at it yet; what is in it can be told again."""
    news = failing(CLAUSE, Verdict.FAIL, "0x7f0d60900030", "b=1")
    more = failing(CLAUSE, Verdict.FAIL, "0x7f0d60900030", "b=2")
    said, lines = change(run(*BOTH, news, more))
    assert [f"regressed: {CLAUSE} (FAIL: 0x*): added"] == said
    assert [
        "+    verdict: FAIL",
        "+    got: 0x*",
        "+    values: [b=1, b=2]",
        '+    releases: "6.1.2"',
        "+    class: unknown",
        "+    reason: it shows 0x*",
    ] == lines


def test_a_new_failed_assertion_is_a_build_option(change: Change) -> None:
    asserted = failing(OTHER, Verdict.CRASH, f"CRASH (SIGABRT, {ASSERTED})")
    _, lines = change(run(*BOTH, asserted))
    assert f"+    got: CRASH (SIGABRT, {ASSERTED})" in lines
    assert "+    class: build" in lines


@pytest.mark.parametrize(
    ("now", "word"),
    [
        (failing(got="CRASH (SIGABRT)"), "different"),
        (failing(verdict=Verdict.FRAGILE), "milder"),
    ],
)
def test_another_failure_takes_the_place_of_one(change: Change, now: Result, word: str) -> None:
    """In the release of the run; in the others it is as it was."""
    said, lines = change(run(now, *BOTH[1:], release="ROCm 6.4.3"))
    got = now.failure.got if now.failure else ""
    assert [f"{word}: {CLAUSE} (CRASH: SIGSEGV): now {now.verdict}: {got}"] == said
    assert '+    releases: "5.2.3..6.1.2"' in lines
    assert '+    releases: "6.4.3"' in lines
    assert f"+    got: {got}" in lines


def test_what_was_not_tried_stays(change: Change) -> None:
    """A part of a function says nothing of an entry, and neither does what is blocked."""
    told = [f"not tried: {CLAUSE} (CRASH: SIGSEGV): kept"]
    assert told == change(run(passing(), *BOTH[1:], select=[CLAUSE, OTHER]))[0][:1]
    assert told == change(run(*BOTH[1:]))[0]


def test_values_come_and_go(change: Change) -> None:
    """What the entry says of other releases stays."""
    with_three = failing(OTHER, Verdict.FAIL, "HSA_STATUS_SUCCESS", "a=3")
    said, _ = change(run(BOTH[0], BOTH[1], with_three, BOTH[3]))
    about = f"{OTHER} (FAIL: HSA_STATUS_SUCCESS)"
    assert [f"fixed: {about}: no longer with a=2", f"regressed: {about}: also with a=3"] == said


def test_machines_come_and_go(change: Change) -> None:
    """Of machines that the run did not have, it says nothing."""
    text = FILE.replace(
        "    class: library\n", "    machines: [gfx90a, apu, slow]\n    class: library\n"
    )
    results = (
        passing(machine="gfx90a"),
        failing(machine="apu"),
        failing(machine="gfx1100"),
        *BOTH[1:],
    )
    two = run(
        *results, imitation="virtual KFD, machines gfx90a; apu; gfx1100", release="ROCm 6.4.3"
    )
    said, lines = change(two, text=text)
    about = f"{CLAUSE} (CRASH: SIGSEGV)"
    assert [f"fixed: {about}: no longer on gfx90a", f"regressed: {about}: also on gfx1100"] == said
    assert "+    machines: [apu, slow, gfx1100]" in lines


@pytest.mark.parametrize("entries", ["entries: []\n", "entries:\n  []\n# end\n"])
def test_the_first_entry_comes_into_an_empty_file(change: Change, entries: str) -> None:
    said, _ = change(
        run(failing(), failing(OTHER)), text=f'implementation: x\nreleases: ["6.1.2"]\n{entries}'
    )
    assert 2 == len(said)


def test_the_last_entry_leaves_an_empty_file(change: Change) -> None:
    text = f'implementation: x\nreleases: ["6.1.2"]\n{FILE[FILE.index("entries") :]}'
    said, _ = change(run(passing(), passing(OTHER, "a=1", "a=2")), text=text)
    assert 2 == len(said)


def test_what_an_included_file_knows_is_not_added(change: Change, tmp_path: Path) -> None:
    """A file that builds on another one has its own failures alone."""
    (tmp_path / "theirs.yaml").write_text(FILE)
    said, lines = change(run(*BOTH, failing(OTHER)), text="includes: [theirs.yaml]\n")
    assert [f"regressed: {OTHER} (CRASH: CRASH (SIGSEGV)): added"] == said
    assert "+entries:" in lines


@pytest.mark.parametrize(
    ("now", "said", "change_lines"),
    [
        (passing(), "fixed: {}: dropped, by `changes`", ["drop: true"]),
        (
            failing(verdict=Verdict.FRAGILE),
            "milder: {}: now FRAGILE: CRASH (SIGSEGV), by `changes`",
            ["expect: FRAGILE", "got: CRASH (SIGSEGV)"],
        ),
    ],
)
def test_what_an_included_file_knows_otherwise_is_a_change_of_it(
    change: Change, tmp_path: Path, now: Result, said: str, change_lines: list[str]
) -> None:
    """That file stays as it is; comments of this one stay as well."""
    (tmp_path / "theirs.yaml").write_text(FILE)
    told, lines = change(run(now, *BOTH[1:]), text="# Mine.\nincludes: [theirs.yaml]\n")
    assert [said.format(f"{CLAUSE} (CRASH: SIGSEGV)")] == told
    written = ["changes:", f"  - clause: {CLAUSE}", "    was: CRASH"]
    written += [f"    {line}" for line in (*change_lines, 'releases: "6.1.2"')]
    assert [f"+{line}" for line in written] == lines
    assert FILE == (tmp_path / "theirs.yaml").read_text()


def test_what_an_included_file_knows_is_fixed_on_one_machine(
    change: Change, tmp_path: Path
) -> None:
    """Of the machines that it names, the others stay; a list of changes grows."""
    theirs = FILE.replace(
        "    class: library\n", "    machines: [gfx90a, apu]\n    class: library\n"
    )
    (tmp_path / "theirs.yaml").write_text(theirs)
    results = (passing(machine="gfx90a"), failing(machine="apu"), *BOTH[1:])
    two = run(*results, imitation="virtual KFD, machines gfx90a; apu")
    known = f"changes:\n  - {{clause: {CLAUSE}, releases: 5.2.3, drop: true}}  # ours\n"
    said, lines = change(two, text=f"includes: [theirs.yaml]\n{known}")
    assert 1 == len(said)
    assert "+    machines: [gfx90a]" in lines
    assert [] == [line for line in lines if line.startswith("-")]


def test_of_entries_that_a_change_cannot_tell_apart_nothing_is_changed(tmp_path: Path) -> None:
    """Values are told by the included file alone."""
    (tmp_path / "theirs.yaml").write_text(FILE)
    (tmp_path / "own.yaml").write_text("includes: [theirs.yaml]\n")
    results = (BOTH[0], BOTH[1], passing(OTHER, "a=1", "a=2"))
    new, [said] = updated(tmp_path / "own.yaml", [run(*results)], load())
    assert "includes: [theirs.yaml]\n" == new
    assert "no longer with a=2; `changes` cannot name this entry alone; change the" in said.action


def test_a_file_without_releases_is_about_whatever_is_under_test(change: Change) -> None:
    """Other implementations have no release of ROCm."""
    made = created(run(failing(), release="HSA 1.2"), load(), None)
    assert {"implementation", "entries"} == set(yaml.safe_load(made))
    assert ([], []) == change(run(failing(), release="HSA 1.2"), text=made)
    assert 1 == len(change(run(passing(), release="HSA 1.2"), text=made)[0])


def test_a_file_of_releases_takes_no_other_run(change: Change) -> None:
    with pytest.raises(BaselineError, match="make it with --release"):
        change(run(failing(), release="HSA 1.2"))
    with pytest.raises(BaselineError, match="make it with --release"):
        held(read_baseline("rocr", load()), run(failing(), release="6.2.."), load())


def test_entries_on_one_line_are_refused(change: Change) -> None:
    """Rather than written anew in another style."""
    entry = f"{{clause: {CLAUSE}, verdict: FAIL, got: a, class: text, reason: b}}"
    text = f"implementation: x\nentries: [{entry}]"
    with pytest.raises(BaselineError, match="one below another"):
        change(run(passing()), text=text)


def test_a_new_file_has_what_was_not_expected() -> None:
    """It builds on the baseline that explained the rest."""
    known, news = expected(failing()), failing(OTHER, Verdict.WARN, "24")
    data = yaml.safe_load(created(run(known, news, passing()), load(), "rocr"))
    assert ["rocr"] == data["includes"]
    [entry] = data["entries"]
    assert (OTHER, "WARN", "24", True, "6.1.2") == tuple(
        entry[key] for key in ("clause", "verdict", "got", "exact", "releases")
    )


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("verdict: WARN, got: A", "the clause is `must`, which is never WARN"),
        ("verdict: FAIL, got: A, releases: 7.2.4", "its releases are none that the file was made"),
        ("verdict: FAIL, got: A, machines: [gfx1]", "there is no machine gfx1"),
        ("verdict: FAIL, got: A, values: [a]", "a is no value such as attribute="),
        ("verdict: FAIL, got: A, values: [a=HSA_NO]", "HSA_NO is no enumerator"),
        ("verdict: FAIL, got: A, finding: nope", "there is no finding nope"),
        ("verdict: CRASH, got: CRASH (SIGSEGV)", "never counts: entries.0 says it already"),
        ("verdict: CRASH, got: SIGSEGV, values: any", "entries.0 says a part of it already"),
    ],
)
def test_what_is_wrong_with_an_entry_is_told(tmp_path: Path, entry: str, problem: str) -> None:
    """Each problem names the entry."""
    more = f"  - {{clause: {CLAUSE}, {entry}, class: library, reason: c}}\n"
    (tmp_path / "known.yaml").write_text(FILE + more)
    [found] = problems(read_baseline(str(tmp_path / "known.yaml"), load()), load())
    assert found.startswith(f"entries.2: {CLAUSE}")
    assert problem in found


def test_nothing_is_wrong_with_the_baseline_of_rocr() -> None:
    assert [] == list(problems(read_baseline("rocr", load()), load()))
