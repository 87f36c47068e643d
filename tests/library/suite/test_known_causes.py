"""Baselines that name a cause by the id that reports print for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from hsa_conformance.baselines import Baseline, BaselineError, read_baseline
from hsa_conformance.baselines.checking import problems
from hsa_conformance.baselines.filing import created, held, updated
from hsa_reports import Result, Run, Verdict
from hsa_reports.causes import causes_of
from hsa_reports.transitions import Transition
from hsa_spec import load
from hsa_spec.releases import Release
from tests.library.suite.baseline_samples import CLAUSE, OTHER, expected, failing, passing, run

STDERR = "hsa: runtime.cpp:12: bool core::Runtime::Map(void *): Assertion `found' failed.\n"


def asserting(clause: str, condition: str = "found") -> Result:
    """Return a failure that dies in the same place, whatever clause it breaks."""
    result = failing(clause, Verdict.CRASH, "CRASH (SIGABRT)")
    assert result.failure
    stderr = STDERR.replace("found", condition)
    return replace(result, failure=replace(result.failure, stderr=stderr))


BOTH = (asserting(CLAUSE), asserting(OTHER))
[CAUSE] = [cause.id for cause in causes_of(run(*BOTH))]
EVERYTHING = tuple(load().clauses)


def file(tmp_path: Path, more: str = "", cause: str = CAUSE) -> Baseline:
    """Return a baseline that names a cause."""
    text = f"implementation: x\ncauses:\n  - {{cause: {cause}, class: build, reason: ours}}\n"
    (tmp_path / "known.yaml").write_text(text + more)
    return read_baseline(str(tmp_path / "known.yaml"), load())


def seen(baseline: Baseline, *results: Result) -> list[Result]:
    """Return results as a baseline sees them."""
    found = baseline.expected(Release())
    assert found is not None
    return [found.as_expected(result) for result in results]


def absent(baseline: Baseline, *results: Result, everything: bool = True) -> list[str]:
    """Return what is said of causes that results do not show."""
    found = baseline.expected(Release())
    assert found is not None
    told = found.absent([found.as_expected(r) for r in results], everything=everything)
    return [result.reason or "" for _, result in told]


def whole(*results: Result) -> Run:
    """Return a run of all clauses."""
    return run(*results, select=EVERYTHING, release="HSA 1.2")


def test_all_failures_of_a_cause_are_expected_and_no_others(tmp_path: Path) -> None:
    """Whatever clause they break; the report goes on to print the id."""
    known, as_well, news, other = seen(
        file(tmp_path), *BOTH, failing(CLAUSE), asserting(CLAUSE, "other")
    )
    assert (Verdict.XFAIL, Verdict.XFAIL) == (known.verdict, as_well.verdict)
    assert ("known: ours", Verdict.CRASH) == (known.reason, known.known)
    assert (Verdict.CRASH, Verdict.CRASH) == (news.verdict, other.verdict)
    [cause] = causes_of(run(known, as_well))
    assert (CAUSE, True) == (cause.id, cause.expected)


def test_it_has_to_show_in_a_whole_run(tmp_path: Path) -> None:
    """A misspelt id is told in the same way; of a part of the clauses nothing is said."""
    assert [] == absent(file(tmp_path), passing(CLAUSE), asserting(OTHER))
    [said] = absent(file(tmp_path), passing(CLAUSE))
    assert said.startswith(f"nothing fails by the cause {CAUSE}, and the baseline says")
    assert [] == absent(file(tmp_path), passing(CLAUSE), everything=False)
    misspelt = CAUSE[:-1] + ("0" if CAUSE[-1] != "0" else "1")
    baseline = file(tmp_path, cause=misspelt)
    assert [Verdict.CRASH, Verdict.CRASH] == [r.verdict for r in seen(baseline, *BOTH)]
    assert 1 == len(absent(baseline, *BOTH))


def test_what_depends_on_chance_need_not_show(tmp_path: Path) -> None:
    one = f"{{cause: {CAUSE}, class: build, reason: ours, chance: true}}"
    (tmp_path / "known.yaml").write_text(f"implementation: x\ncauses: [{one}]\n")
    assert [] == absent(read_baseline(str(tmp_path / "known.yaml"), load()), passing(CLAUSE))


@pytest.mark.parametrize("id_", ["wait-any-timeout", "nope", "map-abort-12345xyz"])
def test_what_is_no_such_id_is_refused(tmp_path: Path, id_: str) -> None:
    """The name of a finding is one of a baseline that can be included."""
    with pytest.raises(BaselineError, match=f"{id_} is no id of a cause that nobody has named"):
        file(tmp_path, cause=id_)


def test_a_file_on_top_may_drop_it(tmp_path: Path) -> None:
    file(tmp_path)
    path = tmp_path / "own.yaml"
    for change, verdict in (
        ("", Verdict.XFAIL),
        (f"changes: [{{cause: {CAUSE}, drop: true}}]", Verdict.CRASH),
    ):
        path.write_text(f"includes: [known.yaml]\n{change}")
        assert verdict is seen(read_baseline(str(path), load()), *BOTH)[0].verdict


def test_machines_and_releases_narrow_it(tmp_path: Path) -> None:
    (tmp_path / "known.yaml").write_text(
        'implementation: x\nreleases: ["6.1.2", "7.2.4"]\ncauses:\n'
        f"  - {{cause: {CAUSE}, releases: 7.2.4, machines: [apu], class: build, reason: ours}}\n"
    )
    baseline = read_baseline(str(tmp_path / "known.yaml"), load())
    found = [
        baseline.expected(Release.parse(release), *names)
        for release, *names in (("7.2.4", "apu"), ("7.2.4",), ("7.2.4", "gfx90a"), ("6.1.2", "apu"))
    ]
    assert [1, 1, 0, 0] == [len(known.causes) for known in found if known]


def test_create_names_a_cause_of_several_clauses_once() -> None:
    """What breaks one clause is an entry of it."""
    data = yaml.safe_load(created(run(*BOTH, failing(CLAUSE)), load(), None))
    assert [(CAUSE, "6.1.2")] == [(c["cause"], c["releases"]) for c in data["causes"]]
    assert [(CLAUSE, "CRASH (SIGSEGV)")] == [(e["clause"], e["got"]) for e in data["entries"]]


def test_check_says_what_does_not_come_true(tmp_path: Path) -> None:
    baseline = file(tmp_path)
    said, fates = held(baseline, whole(*BOTH), load())
    assert ([], 1) == (said, fates[Transition.SAME])
    assert [] == held(baseline, whole(*map(expected, BOTH)), load())[0]
    [gone] = held(baseline, whole(passing()), load())[0]
    assert f"fixed: cause {CAUSE}: does not show" == str(gone)
    said, fates = held(baseline, run(passing(), release="HSA 1.2"), load())
    assert ([], 1) == (said, fates[Transition.UNTRIED])


def test_check_says_that_a_cause_is_named_twice(tmp_path: Path) -> None:
    again = f"  - {{cause: {CAUSE}, class: library, reason: again}}\n"
    first, _ = problems(file(tmp_path, again), load())
    assert f"causes.0: cause {CAUSE}: it is named more than once; leave one of them out" == first


def test_update_adds_a_cause_and_takes_it_out(tmp_path: Path) -> None:
    """Comments stay."""
    path = tmp_path / "known.yaml"
    path.write_text("# Ours.\nimplementation: x\nentries: []\n")
    text, [said] = updated(path, [whole(*BOTH)], load())
    assert f"regressed: cause {CAUSE}: added" == str(said)
    path.write_text(text)
    assert (text, []) == updated(path, [whole(*BOTH)], load())
    assert (text, []) == updated(path, [run(passing(), release="HSA 1.2")], load())
    text, [said] = updated(path, [whole(passing())], load())
    assert f"fixed: cause {CAUSE}: removed" == str(said)
    path.write_text(text)
    assert text.startswith("# Ours.\n")
    assert () == read_baseline(str(path), load()).causes


def test_update_drops_a_cause_of_an_included_file(tmp_path: Path) -> None:
    """That file stays as it is."""
    file(tmp_path)
    before = (tmp_path / "known.yaml").read_text()
    path = tmp_path / "own.yaml"
    path.write_text("includes: [known.yaml]\n")
    text, [said] = updated(path, [whole(passing())], load())
    assert f"fixed: cause {CAUSE}: dropped, by `changes`" == str(said)
    path.write_text(text)
    assert [{"cause": CAUSE, "drop": True}] == yaml.safe_load(text)["changes"]
    assert (text, []) == updated(path, [whole(passing())], load())
    assert before == (tmp_path / "known.yaml").read_text()


def test_create_says_on_which_machines_a_cause_shows() -> None:
    """Unless it shows on all that the run had."""
    two = "virtual KFD, machines gfx90a; apu"
    for machines, said in ((("apu", "apu"), ["apu"]), (("gfx90a", "apu"), None)):
        found = (replace(r, machine=m) for r, m in zip(BOTH, machines, strict=True))
        [cause] = yaml.safe_load(created(run(*found, imitation=two), load(), None))["causes"]
        assert said == cause.get("machines")
