"""What a baseline makes of the results of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_conformance.baselines import Baseline, Entry, KnownFailures
from hsa_conformance.baselines.answer_words import lasting, shows
from hsa_reports import Failure, Result, ValueResult, Verdict
from hsa_spec.releases import Release

CLAUSE = "hsa_init/success"
KNOWN = Entry(
    clause=CLAUSE,
    verdict=Verdict.CRASH,
    got="SIGSEGV",
    releases=Release.parse("6.1.."),
    machines=None,
    defect="library",
    reason="it does",
    finding="a-page",
    source=None,
)
FAILURE = Failure("it died", (), "CRASH (SIGSEGV)", (), None, None, None, "again")
RESULT = Result(CLAUSE, "satisfied", Verdict.CRASH, "it died", 1, 0, 0, 1, 0.1, FAILURE)
PASS = replace(RESULT, verdict=Verdict.PASS, reason=None, failure=None)
EXPECTED = KnownFailures((KNOWN,), (KNOWN,))


def test_a_known_failure_is_expected() -> None:
    """It keeps its example, and says why it is expected and where to read on."""
    expected = replace(
        RESULT,
        verdict=Verdict.XFAIL,
        known=RESULT.verdict,
        cause="a-page",
        reason="known: it does (a-page)",
    )
    assert expected == EXPECTED.as_expected(RESULT)
    assert EXPECTED.explains(RESULT)


@pytest.mark.parametrize(
    "result",
    [
        replace(RESULT, clause="hsa_init/exported"),
        replace(RESULT, verdict=Verdict.HANG),
        replace(RESULT, failure=replace(FAILURE, got="CRASH (SIGABRT)")),
        PASS,
    ],
    ids=["another clause", "another verdict", "another signature", "no failure"],
)
def test_what_is_not_known_stays_as_it_is(result: Result) -> None:
    """A baseline hides nothing but the failure that it describes."""
    assert result == EXPECTED.as_expected(result)
    assert not EXPECTED.explains(result)


OF_A = replace(KNOWN, values=("attribute=A", "attribute=B"))


def test_a_failure_with_one_value_is_known_by_it() -> None:
    """What an entry says of some values hides neither another value nor the clause as a whole."""
    expected = KnownFailures((OF_A,), (OF_A,))
    with_a, with_c = (replace(RESULT, value=f"attribute={name}") for name in "AC")
    assert Verdict.XFAIL is expected.as_expected(with_a).verdict
    assert [RESULT, with_c] == [expected.as_expected(RESULT), expected.as_expected(with_c)]
    assert with_a == EXPECTED.as_expected(with_a)


@pytest.mark.parametrize("value", [None, "attribute=A", "attribute=C"])
def test_what_depends_on_more_than_a_value_is_known_with_each(value: str | None) -> None:
    """A pair of values shows under one of them or the other, as they are drawn."""
    entry = replace(KNOWN, any_value=True)
    seen = KnownFailures((entry,), (entry,)).as_expected(replace(RESULT, value=value))
    assert Verdict.XFAIL is seen.verdict
    assert [] == list(KnownFailures((entry,), (entry,)).absent_failures([seen], {CLAUSE}))


def test_an_entry_covers_what_comes_before() -> None:
    """What fails without anything before fails after anything; what an entry names is only that."""
    after = replace(RESULT, value="before=another call")
    assert Verdict.XFAIL is EXPECTED.as_expected(after).verdict
    assert after == KnownFailures((OF_A,), (OF_A,)).as_expected(after)


def test_each_value_of_an_entry_has_to_fail() -> None:
    """A value that was tried and does not fail any more is named, whatever the others do."""
    expected = KnownFailures((OF_A,), (OF_A,))
    seen = expected.as_expected(replace(RESULT, value="attribute=A"))
    whole = replace(PASS, values=(ValueResult("attribute", "B", "judged"),))
    [(_, surprise)] = expected.absent_failures([whole, seen], {CLAUSE})
    assert (Verdict.XPASS, "attribute=B") == (surprise.verdict, surprise.value)


def test_a_value_that_the_machine_lacks_does_not_have_to_fail() -> None:
    """Where one value of an entry shows, another that this machine has not is no surprise."""
    expected = KnownFailures((OF_A,), (OF_A,))
    seen = expected.as_expected(replace(RESULT, value="attribute=A"))
    assert [] == list(expected.absent_failures([seen], {CLAUSE}))


def test_a_failure_that_does_not_come_is_told() -> None:
    """Who repairs something has to update the baseline, or it would hide the next break."""
    [(entry, surprise)] = EXPECTED.absent_failures([PASS], {CLAUSE})
    assert KNOWN is entry
    assert Verdict.XPASS is surprise.verdict
    assert (surprise.reason or "").startswith("does not fail any more (PASS)")


@pytest.mark.parametrize("results", [[], [replace(PASS, verdict=Verdict.BLOCKED)]])
def test_an_entry_that_was_not_tried_is_told(results: list[Result]) -> None:
    """A clause that is not judged says nothing about its entry."""
    [(_, surprise)] = EXPECTED.absent_failures(results, {CLAUSE})
    assert (surprise.reason or "").startswith("could not be tried (")


def test_one_check_that_fails_as_known_is_enough() -> None:
    """The other checks of the clause need not see the defect."""
    assert [] == list(EXPECTED.absent_failures([PASS, EXPECTED.as_expected(RESULT)], {CLAUSE}))


def test_a_part_of_a_function_shows_no_unexpected_pass() -> None:
    """A failure may be found through another clause, which was not selected."""
    assert [] == list(EXPECTED.absent_failures([PASS], set()))


@pytest.mark.parametrize(
    ("release", "entries"),
    [("6.0.2", ()), ("6.1.2", (KNOWN,)), ("7.2.4", (KNOWN,))],
)
def test_entries_are_for_their_releases(release: str, entries: tuple[Entry, ...]) -> None:
    """A defect that came later is not expected earlier."""
    baseline = Baseline("b", "i", ("6.0.2", "6.1.2", "7.2.4"), (KNOWN,))
    assert KnownFailures(entries, entries) == baseline.expected(Release.parse(release))


@pytest.mark.parametrize("release", ["6.0.2", None], ids=["older than all", "none of ROCm's"])
def test_nothing_is_expected_of_what_nobody_looked_at(release: str | None) -> None:
    """An older release, and another implementation, run without the baseline."""
    baseline = Baseline("b", "i", ("6.1.2",), (KNOWN,))
    assert baseline.expected(Release.parse(release)) is None


@pytest.mark.parametrize(
    ("release", "older"), [("6.1.2", None), ("6.3", "6.1.2"), ("6.4.3", None), ("7.2.5", "6.4.3")]
)
def test_of_a_release_that_nobody_looked_at_the_nearest_older_one_is_expected(
    release: str, older: str | None
) -> None:
    """What was fixed by then, or came later, is not; and who asks is told which release it was."""
    entries = [replace(KNOWN, releases=Release.parse(r)) for r in ("6.1.2", "6.4.3", "..6.4.3")]
    expected = Baseline("b", "i", ("6.4.3", "6.1.2"), tuple(entries)).expected(
        Release.parse(release)
    )
    assert expected is not None
    known = [e for e in entries if e.concerns(older or release)]
    assert (older, known) == (expected.older, list(expected.entries))


@pytest.mark.parametrize(
    ("got", "text", "exact", "shown"),
    [
        ("HSA_STATUS_ERROR", "HSA_STATUS_ERROR", False, True),
        ("HSA_STATUS_ERROR", "HSA_STATUS_ERROR_INVALID_AGENT", False, False),
        ("HSA_STATUS_ERROR*", "HSA_STATUS_ERROR_INVALID_AGENT", False, True),
        ("SIGSEGV", "CRASH (SIGSEGV)", False, True),
        ("SIGSEGV", "CRASH (SIGSEGV)", True, False),
        ("CRASH (SIGSEGV)", "CRASH (SIGSEGV)", True, True),
        ("24", "124 bytes", False, False),
        ("24 bytes", "24 bytes of host memory", False, True),
        ("0x* + 0x2000", "0x7ff46b46d000 + 0x2000", True, True),
        ("'*' is no word", "'a' is no word", False, True),
        ("a.c", "abc", False, False),
    ],
)
def test_words_of_a_failure_are_whole(got: str, text: str, exact: bool, shown: bool) -> None:
    """A status is not taken for another one that begins with its name."""
    assert shown is shows(text, got, exact=exact)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("0x7ff46b46d000 + 0x2000", "0x* + 0x2000"),
        ("5 for bytes f0 87 52 70 55", "5 for bytes * * * * *"),
        ("ff ff ff ff", "ff ff ff ff"),
        ("memory://3786#offset=0x7f0d60900030&size=2520", "memory://*#offset=0x*&size=2520"),
        ("34359738368 bytes", "34359738368 bytes"),
    ],
)
def test_what_differs_from_run_to_run_is_left_open(text: str, kept: str) -> None:
    """An address, what was on the stack, a process; a size is the same again."""
    assert kept == lasting(text)
    assert shows(text, kept, exact=True)


@pytest.mark.parametrize("verdict", [Verdict.FLAKY, Verdict.CRASH])
def test_what_shows_by_chance_may_be_flaky(verdict: Verdict) -> None:
    """Seen once and not again, it is the failure that is known to do that, and no other one."""
    entry = replace(KNOWN, verdict=verdict, chance=True)
    once = "not reproduced in a fresh process: it died of SIGSEGV"
    flaky = replace(RESULT, verdict=Verdict.FLAKY, failure=None, reason=once)
    other = replace(flaky, reason="not reproduced in a fresh process: it died of SIGABRT")
    seen = [KnownFailures((entry,), ()).as_expected(r) for r in (flaky, other)]
    assert [Verdict.XFAIL, Verdict.FLAKY] == [r.verdict for r in seen]
    assert Verdict.FLAKY is seen[0].known
    assert flaky == EXPECTED.as_expected(flaky)


def test_a_flaky_result_names_the_value_that_it_depends_on() -> None:
    """It has no value of its own, as no example shows it."""
    entry = replace(KNOWN, chance=True, values=("before=signals of the system during it",))
    flaky = replace(RESULT, verdict=Verdict.FLAKY, failure=None, value=None)
    words = f"not reproduced in a fresh process: {KNOWN.got}, with before="
    assert [True, False, False] == [
        entry.matches(replace(flaky, reason=words + way))
        for way in (
            "signals of the system during it",
            "signals of the system during it, and more",
            "another call",
        )
    ]


def test_what_a_function_meets_by_chance_it_meets_beside_others() -> None:
    """Both functions of a pair are called then, and the process ends in the one that is known."""
    entry = replace(KNOWN, clause="hsa_queue_destroy/threads", verdict=Verdict.HANG, got="HANG")
    beside = replace(
        RESULT,
        clause="hsa_queue_load_read_index_relaxed/threads",
        verdict=Verdict.HANG,
        reason="the process ended in hsa_queue_destroy: the call did not return within its budget",
        failure=replace(FAILURE, got="HANG (the call did not return within its budget)"),
        value="beside=hsa_queue_destroy",
    )
    own = replace(beside, reason="the process ended in hsa_queue_load_read_index_relaxed: it hung")
    nowhere = replace(beside, reason="the process ended between two calls")
    flaky = replace(beside, verdict=Verdict.FLAKY, failure=None)
    for_chance = replace(entry, chance=True)
    assert [True, True, False, False] == [
        for_chance.matches(r) for r in (beside, flaky, own, nowhere)
    ]
    assert not entry.matches(beside)
    assert not for_chance.matches(replace(beside, value="beside=hsa_queue_create"))


@pytest.mark.parametrize(
    ("clause", "results", "missed"),
    [
        (CLAUSE, [PASS], True),
        (CLAUSE, [PASS, EXPECTED.as_expected(RESULT)], False),
        ("hsa_init/exported", [PASS], False),
    ],
    ids=["not found", "found", "nothing known"],
)
def test_a_known_failure_that_was_not_found_is_missed(
    clause: str, results: list[Result], missed: bool
) -> None:
    """Who misses one looks for it again, with more examples."""
    assert missed == EXPECTED.misses(clause, results)


def test_what_depends_on_chance_need_not_show() -> None:
    """It is expected where it does, and nobody is told where it does not."""
    entry = replace(KNOWN, chance=True)
    expected = Baseline("b", "i", ("6.1.2",), (entry,)).expected(Release.parse("6.1.2"))
    assert expected is not None
    assert Verdict.XFAIL is expected.as_expected(RESULT).verdict
    assert [] == list(expected.absent_failures([PASS], {CLAUSE}))


@pytest.mark.parametrize(
    ("machine", "known", "certain"), [("gfx1100", 1, 1), ("gfx90a", 0, 0), (None, 1, 0)]
)
def test_an_entry_may_be_for_one_machine(machine: str | None, known: int, certain: int) -> None:
    """What only some devices bring about is expected where they are imitated; a real one may."""
    entry = replace(KNOWN, machines=("gfx1100",))
    expected = Baseline("b", "i", ("6.1.2",), (entry,)).expected(
        Release.parse("6.1.2"), *([machine] if machine else [])
    )
    assert expected is not None
    assert (known, certain) == (len(expected.entries), len(expected.certain))
