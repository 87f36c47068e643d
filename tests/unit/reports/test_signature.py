"""What tells causes apart that nobody has named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_reports import AllowedStatus, Failure, Place, Result, Step, Verdict
from hsa_reports.signature import signature

CREATE = "hsa_signal_create"
CLAUSE = f"{CREATE}/initial-value"
ASSERTED = (
    "rocminfo: ./core/runtime/amd_gpu_agent.cpp:384: void rocr::AMD::GpuAgent::AssembleShader("
    "const char*, void*&) const: Assertion `code_buf != NULL' failed.\n"
)

AT = Place("libhsa-runtime64.so.1.18.0", "1a2b3c4d5e6f7081", 0x4A2F0, None)


def died(
    got: str = "CRASH (SIGSEGV)",
    clause: str = CLAUSE,
    call: str = "hsa_signal_create",
    stderr: str | None = None,
    seen: str | None = None,
    place: Place | None = None,
) -> Result:
    steps = (Step("process", "hsa_init()", "SUCCESS"), Step("process", f"{call}(value=1)", got))
    failure = Failure(f"it ended in {call}", steps, got, (), stderr=stderr, seen=seen, place=place)
    verdict = Verdict.HANG if got.startswith("HANG") else Verdict.CRASH
    return Result(clause, "satisfied", verdict, failure=failure)


def answered(got: str, clause: str = CLAUSE) -> Result:
    allowed = (AllowedStatus("HSA_STATUS_ERROR_INVALID_ARGUMENT", (clause,)),)
    return Result(
        clause, "satisfied", Verdict.FAIL, failure=Failure("it differs", (), got, allowed)
    )


DIFFERENT = {
    "a crash": died(),
    "another signal": died("CRASH (SIGBUS)"),
    "a hang": died("HANG (the call did not return within its budget)"),
    "another exit": died("EXIT (exit status 3)"),
    "another call": died(call="hsa_signal_destroy"),
    "another clause": died(clause="hsa_signal_create/consumers"),
    "an instruction": died(place=AT),
    "another instruction": died(place=replace(AT, offset=0x4A2F4)),
    "another build": died(place=replace(AT, build="2a2b3c4d5e6f7081")),
    "another signal there": died("CRASH (SIGBUS)", place=AT),
    "an assertion": died("CRASH (SIGABRT, by a failed assertion)", stderr=ASSERTED),
    "another condition": died(
        "CRASH (SIGABRT, by a failed assertion)", stderr=ASSERTED.replace("!= NULL", "> size")
    ),
    "a status": answered("HSA_STATUS_SUCCESS"),
    "another status": answered("HSA_STATUS_ERROR"),
    "another clause's status": answered("HSA_STATUS_SUCCESS", "hsa_signal_create/consumers"),
    "an effect": answered("4 agents"),
}


def test_two_defects_never_share_a_signature() -> None:
    """One thing differs, be it the call, the clause, the answer, the signal or the place."""
    ids = {what: signature(result).id for what, result in DIFFERENT.items()}
    assert len(ids) == len(set(ids.values())), ids


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (died(), replace(died(), check="near miss", seconds=3.5, machine="gfx1100")),
        (died(), replace(died(), verdict=Verdict.FRAGILE)),
        (died(), replace(died(), verdict=Verdict.XFAIL, known=Verdict.CRASH, reason="known: it")),
        (died("HANG (30 s)"), died("HANG (60 s)", seen="thread 7: state R")),
        (
            DIFFERENT["an assertion"],
            died(
                "CRASH (SIGABRT, by a failed assertion)",
                "hsa_init/success",
                "hsa_init",
                stderr="Warning: a line before\n"
                + ASSERTED.replace("rocminfo", "python3.14")
                .replace("384", "391")
                .replace("rocr::AMD", "amd")
                .replace("void*&", "void**"),
            ),
        ),
        (answered("4 agents"), answered("5 agents")),
        (
            died(place=AT),
            died(
                clause="hsa_signal_destroy/success",
                call="hsa_signal_destroy",
                place=replace(AT, file="librocr.so", function="rocr::core::Signal::Convert(int)"),
            ),
        ),
        (
            DIFFERENT["an assertion"],
            died("CRASH (SIGABRT, by a failed assertion)", stderr=ASSERTED, place=AT),
        ),
        (died(), died(place=replace(AT, build=None))),
    ],
    ids=[
        "check and machine",
        "strength",
        "a baseline",
        "where it waits",
        "another build and call",
        "numbers",
        "another call, name of the file, and symbols",
        "an assertion in another build",
        "a library without a build id",
    ],
)
def test_one_defect_has_one_signature(one: Result, other: Result) -> None:
    """What another run, machine, build, address layout or baseline changes is no part of it."""
    assert signature(one).id == signature(other).id


def test_ids_are_permanent() -> None:
    """Another version of the suite gives the same ids: links and baselines have them."""
    written = ("a crash", "an assertion", "a status", "an effect", "an instruction")
    assert [
        "hsa_signal_create-sigsegv-b69b8338",
        "gpuagent-assembleshader-sigabrt-132d027d",
        "hsa_signal_create-success-6eec7488",
        "hsa_signal_create-initial-value-37f543fa",
        "at-0x4a2f0-sigsegv-60cbfa53",
    ] == [signature(DIFFERENT[what]).id for what in written]


def test_a_title_says_what_is_wrong() -> None:
    titles = {what: signature(result).title for what, result in DIFFERENT.items()}
    assert {
        "a crash": f"hsa_signal_create ends the process with SIGSEGV ({CLAUSE})",
        "a hang": f"hsa_signal_create does not return ({CLAUSE})",
        "an assertion": "GpuAgent::AssembleShader ends the process with SIGABRT, by a failed "
        "assertion (code_buf != NULL)",
        "another exit": f"hsa_signal_create ends the process with exit status 3 ({CLAUSE})",
        "a status": f"hsa_signal_create answers HSA_STATUS_SUCCESS ({CLAUSE})",
        "an effect": f"{CLAUSE} does not hold",
        "an instruction": f"{AT.file}+0x4a2f0 ends the process with SIGSEGV",
    }.items() <= titles.items()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("at one time: thread 1: hsa_signal_destroy(); thread 2: hsa_signal_create()", CREATE),
        (
            "at one time: thread 1: hsa_init(); thread 2: hsa_shut_down()",
            "hsa_init and hsa_shut_down",
        ),
        ("start hsa_signal_load_relaxed(signal=signal1) in a thread", "hsa_signal_load_relaxed"),
        ("wait for the end of hsa_signal_load_relaxed in the thread", "hsa_signal_load_relaxed"),
        ("read 8 bytes at signal1", "hsa_init"),
    ],
)
def test_a_death_among_threads_names_the_calls_under_way(words: str, named: str) -> None:
    """What the process did before, such as hsa_init, has nothing to do with it."""
    result = died("EXIT (exit status 3)")
    assert result.failure is not None
    steps = (result.failure.steps[0], Step("process", words, "EXIT (exit status 3)"))
    among = replace(result, failure=replace(result.failure, steps=steps))
    assert f"{named} ends the process with exit status 3 ({CLAUSE})" == signature(among).title


def test_a_title_names_the_function_where_symbols_do() -> None:
    place = replace(AT, function="rocr::core::Signal::Convert(hsa_signal_s)")
    title = f"Signal::Convert ({AT.file}+0x4a2f0) ends the process with SIGSEGV"
    assert title == signature(died(place=place)).title
