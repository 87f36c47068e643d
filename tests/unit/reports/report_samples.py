"""A small registry and runs of it, with every verdict, for the tests of the reports."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hsa_reports import (
    AllowedStatus,
    Event,
    EventWriter,
    Failure,
    Notice,
    Place,
    ProgramRun,
    Result,
    Run,
    RunEnded,
    RunStarted,
    Step,
    Subject,
    TextReading,
    ValueResult,
    Verdict,
    read_run,
)
from hsa_spec import (
    Clause,
    DecidedBy,
    Enum,
    Enumerator,
    Function,
    Kind,
    Registry,
    Source,
    Strength,
    Versions,
)

STATUSES = (
    "HSA_STATUS_SUCCESS",
    "HSA_STATUS_ERROR",
    "HSA_STATUS_ERROR_INVALID_ARGUMENT",
    "HSA_STATUS_ERROR_INVALID_ALLOCATION",
    "HSA_STATUS_ERROR_INVALID_AGENT",
    "HSA_STATUS_ERROR_OUT_OF_RESOURCES",
    "HSA_STATUS_ERROR_NOT_INITIALIZED",
    "HSA_STATUS_ERROR_INVALID_MEMORY_POOL",
)

# function, topic, and its clauses: slug, what it is about, strength, words, the verdict in FULL
TABLE = (
    (
        "hsa_init",
        "core/init",
        (
            ("offered", "export", "must", "The library offers the function.", "PASS"),
            ("first-call", "SUCCESS", "must", "The first call initialises the runtime.", "PASS"),
            ("counts", "effects", "must", "Every call needs a shut-down of its own.", "FLAKY"),
            ("no-memory", "OUT_OF_RESOURCES", "must", "Memory for it is lacking.", "UNTESTED"),
        ),
    ),
    (
        "hsa_shut_down",
        "core/init",
        (
            ("offered", "export", "must", "The library offers the function.", "PASS"),
            ("balanced", "SUCCESS", "must", "It undoes one initialisation.", "PASS"),
            ("too-often", "NOT_INITIALIZED", "must", "There is no initialisation left.", "XPASS"),
        ),
    ),
    (
        "hsa_agent_get_info",
        "core/agents",
        (
            ("asks-name", "SUCCESS", "must", "A known attribute is asked for.", "PASS"),
            ("no-output", "INVALID_ARGUMENT", "should", "The place for it is NULL.", "WARN"),
            ("zero-agent", "INVALID_AGENT", "must", "The agent's handle is zero.", "PASS"),
            ("no-agent", "INVALID_AGENT", "should", "The handle is of a pool.", "FRAGILE"),
            ("before-init", "NOT_INITIALIZED", "should", "The runtime is not up.", "PASS"),
        ),
    ),
    (
        "hsa_amd_memory_pool_allocate",
        "amd/pools",
        (
            ("fits", "SUCCESS", "must", "The pool can hold the size.", "PASS"),
            ("zero-size", "INVALID_ARGUMENT", "must", "The size is zero.", "XFAIL"),
            ("bad-flag", "INVALID_ARGUMENT", "should", "A flag is unknown.", "UNDOCUMENTED"),
            ("zero-pool", "INVALID_MEMORY_POOL", "must", "The pool is zero.", "BLOCKED"),
            ("on-device", "effects", "must", "The device can write to it.", "IMITATED"),
        ),
    ),
    (
        "hsa_amd_vmem_address_reserve",
        "amd/vmem",
        (
            ("free-range", "SUCCESS", "must", "A range of that size is free.", "PASS"),
            ("zero-size", "INVALID_ARGUMENT", "must", "The size is zero.", "CRASH"),
            ("odd-size", "INVALID_ARGUMENT", "should", "The size is no whole page.", "PASS"),
            ("too-large", "OUT_OF_RESOURCES", "must", "No range is large enough.", "HANG"),
            ("readable", "effects", "should", "Nothing in it can be read.", "PASS"),
        ),
    ),
    (
        "hsa_amd_vmem_address_free",
        "amd/vmem",
        (
            ("whole-range", "SUCCESS", "must", "It is a reservation without maps.", "PASS"),
            ("size-differs", "INVALID_ARGUMENT", "must", "The size is another.", "FAIL"),
            ("unknown", "INVALID_ALLOCATION", "must", "No reservation starts there.", "PASS"),
            ("still-mapped", "ERROR", "may", "A handle is mapped into it.", "VACUOUS"),
            ("second-time", "INVALID_ALLOCATION", "should", "It was freed before.", "NOT_RUN"),
        ),
    ),
    (
        "hsa_amd_vmem_get_alloc_properties_from_handle",
        "amd/vmem",
        (
            ("offered", "export", "must", "The library offers it.", "NOT_APPLICABLE"),
            ("known", "SUCCESS", "must", "The handle is known.", "NOT_APPLICABLE"),
        ),
    ),
)

FULL = {
    f"{function}/{slug}": Verdict(verdict)
    for function, _, clauses in TABLE
    for slug, _, _, _, verdict in clauses
}

REASONS = {
    Verdict.UNTESTED: "needs fault injection",
    Verdict.BLOCKED: "set-up broke on hsa_amd_vmem_address_reserve/zero-size",
    Verdict.IMITATED: "decided by the device, which is an imitation here",
    Verdict.VACUOUS: "no example produced the condition in 500 tries",
    Verdict.NOT_APPLICABLE: "since ROCm 6.2; the library is 6.1.2 (from its soname)",
    Verdict.XPASS: "the baseline rocr-6.1.yaml says FAIL with HSA_STATUS_SUCCESS",
    Verdict.XFAIL: "the baseline rocr-6.1.yaml says so: ROCm/ROCR-Runtime#123",
}

FAILED = frozenset(
    Verdict(v)
    for v in ("CRASH", "HANG", "FAIL", "FLAKY", "FRAGILE", "WARN", "UNDOCUMENTED", "XFAIL")
)


def _status_name(short: str) -> str:
    return next(s for s in STATUSES if s in (f"HSA_STATUS_{short}", f"HSA_STATUS_ERROR_{short}"))


def _clause(function: str, row: tuple[str, str, str, str, str]) -> Clause:
    slug, about, strength, words, _ = row
    kind = {"export": Kind.EXPORT, "effects": Kind.EFFECT}.get(about, Kind.STATUS)
    return Clause(
        id=f"{function}/{slug}",
        function=function,
        kind=kind,
        strength=Strength(strength),
        decided_by=DecidedBy.RUNTIME,
        when=(),
        status=(_status_name(about),) if kind is Kind.STATUS else (),
        states=words,
        source=Source("hsa_ext_amd.h", f"{function}, @retval"),
    )


def make_registry() -> Registry:
    functions = {
        name: Function(
            name=name,
            header="hsa_ext_amd.h",
            topic=topic,
            export="linker",
            summary=f"What {name} is for.",
            result="hsa_status_t",
            params=(),
            documented=(),
            clauses=tuple(_clause(name, row) for row in rows),
            versions=Versions(),
        )
        for name, topic, rows in TABLE
    }
    enumerators = tuple(Enumerator(name, 0x1000 + i, "") for i, name in enumerate(STATUSES))
    status = Enum("hsa_status_t", "hsa.h", "core/status", "What a call answers.", enumerators)
    return Registry(functions, {"hsa_status_t": status}, {}, {}, Path(), digest="sha256:5eed")


SUBJECT = Subject(
    adapter="library",
    implementation="library",
    path="/opt/rocm-6.1.2/lib/libhsa-runtime64.so.1.13.60102",
    build_id="8f3a6c1f0d7e44b29d1c5a7788aa00ff12345678",
    release="6.1.2",
    release_from="the library's own version query",
    host={
        "kernel": "Linux 6.8.0-45-generic x86_64",
        "processor": "AMD EPYC 7763",
        "C library": "glibc 2.39",
        "Python": "3.12.3",
    },
    device=False,
    exports=tuple(name for name, _, _ in TABLE[:-1]),
)

STARTED = RunStarted(
    suite_version="0.1.0",
    registry_digest="sha256:5eed",
    started=datetime(2026, 3, 4, 9, 30, 12, tzinfo=UTC),
    command=("hsa-conformance", "run", "--library", SUBJECT.path or "", "--virtual-kfd"),
    profile="quick",
    seed=None,
    strict=False,
    subject=SUBJECT,
    clauses=tuple(FULL),
)

ENDED = RunEnded(STARTED.started + timedelta(seconds=92.4), 1, True, "6 clauses fail")


AT = Place("libhsa-runtime64.so.1.18.0", "1a2b3c4d5e6f7081", 0x4A2F0, None)


def make_failure(clause: str, verdict: Verdict) -> Failure:
    function = clause.split("/", 1)[0]
    call = f"{function}(&va, 0, 0, 0)"
    got = {Verdict.CRASH: "SIGSEGV", Verdict.HANG: "no answer within 5.0 s"}
    return Failure(
        summary=f"{function} did not answer as {clause.split('/', 1)[1]} says",
        steps=(
            Step("A", "hsa_init()", "HSA_STATUS_SUCCESS"),
            Step("A", call, got.get(verdict, "HSA_STATUS_SUCCESS")),
        ),
        got=got.get(verdict, "HSA_STATUS_SUCCESS"),
        allowed=(
            AllowedStatus("HSA_STATUS_ERROR_INVALID_ARGUMENT", (clause,)),
            AllowedStatus("HSA_STATUS_ERROR_OUT_OF_RESOURCES", (f"{function}/free-range", clause)),
        ),
        detail=None,
        stderr="Assertion failed: size > 0, file vmem.cpp\n" if verdict is Verdict.CRASH else None,
        seen="thread 1: S, futex_wait_queue" if verdict is Verdict.HANG else None,
        reproduce=f"hsa-conformance reproduce {clause} --library {SUBJECT.path} --seed 81235",
        program=f"hsa-conformance reproduce runs/1/events.jsonl {clause} --c",
        place=AT if verdict is Verdict.CRASH else None,
    )


def make_result(clause: str, verdict: Verdict, check: str = "clause") -> Result:
    tried = verdict in FAILED or verdict in (Verdict.PASS, Verdict.XPASS)
    return Result(
        clause=clause,
        check=check,
        verdict=verdict,
        reason=REASONS.get(verdict),
        satisfied=100 * tried,
        near_misses=40 * tried,
        discarded=3 * tried,
        calls=612 * tried,
        seconds=0.75 * tried,
        failure=make_failure(clause, verdict) if verdict in FAILED else None,
    )


def make_results(verdicts: dict[str, Verdict] = FULL) -> list[Result]:
    return [make_result(c, v) for c, v in verdicts.items() if v is not Verdict.NOT_RUN]


def make_run(
    results: list[Result] | None = None,
    *,
    started: RunStarted = STARTED,
    notices: tuple[str, ...] = (),
    end: RunEnded | None = ENDED,
) -> Run:
    return Run(started, tuple(make_results() if results is None else results), notices, end)


def all_pass() -> Run:
    return make_run(
        [make_result(clause, Verdict.PASS) for clause in FULL],
        end=replace(ENDED, exit_status=0, summary="all pass"),
    )


def sample_events() -> list[Event]:
    return [
        STARTED,
        Notice("The release was found by the library's own version query."),
        *make_results(),
        replace(
            make_result("hsa_init/counts", Verdict.PASS),
            value="attribute=A",
            values=(
                ValueResult("attribute", "A", "judged"),
                ValueResult("attribute", "B", "lacking", "none"),
            ),
        ),
        ENDED,
    ]


def write_events(path: Path, events: list[Event]) -> Path:
    with EventWriter(path) as writer:
        for event in events:
            writer.write(event)
    return path


def written_run(path: Path, events: list[Event]) -> Run:
    return read_run(write_events(path, events))


HOSTILE = {
    "script": "<script>document.title='owned'</script>",
    "attribute": "\" onmouseover=\"document.title='owned'\" x='",
    "closing": "</style></script></pre><!-- ]]> &amp; --><img src=x onerror=alert(1)>",
    "controls": "\x1b[31mred\x00\x07\x9b\u202ereversed\r\n\ttab",
    "invalid": b"\xff\xfe\x80".decode("utf-8", errors="surrogateescape"),
    "markdown": "|`` ` ``|[link](javascript:x) @someone **bold** <b>",
    "long": "A" * 300_000,
    "markup": "[bold red]{{ 7 * 7 }}{% raw %}",
}


def hostile_run(text: str) -> Run:
    """Return a run in which every text that a library or its host can choose is `text`."""
    failure = Failure(
        summary=text,
        steps=(Step(text, text, text),),
        got=text,
        allowed=(AllowedStatus(text, ("hsa_init/first-call",)),),
        detail=text,
        stderr=text,
        seen=text,
        reproduce=text,
        program=text,
        readings=(TextReading("hsa_init/first-call", text, text),),
        ran=ProgramRun("c", 1, text),
        place=Place(text, text, 1, text),
    )
    result = make_result("hsa_init/first-call", Verdict.FAIL, check=text)
    subject = replace(
        SUBJECT,
        adapter=text,
        implementation=text,
        path=text,
        build_id=text,
        release=text,
        release_from=text,
        host={text: text},
        exports=(text,),
    )
    started = replace(STARTED, suite_version=text, command=(text,), subject=subject, profile=text)
    return make_run(
        [replace(result, reason=text, failure=failure, source=text)],
        started=started,
        notices=(text,),
        end=replace(ENDED, summary=text),
    )
