"""Writing and reading event files."""

from __future__ import annotations

import copy
import gzip
import json
import resource
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from hsa_reports import (
    EventFileError,
    EventWriter,
    Failure,
    Notice,
    Result,
    Verdict,
    read_events,
    read_run,
)
from hsa_reports.text import scrubbed
from hsa_reports.wire import _holds, _schema, from_json, packed, to_json, unpacked
from tests.unit.reports.report_samples import (
    ENDED,
    FULL,
    STARTED,
    make_result,
    sample_events,
    write_events,
)

CLAUSE = "hsa_init/first-call"
STARTED_LINE = json.dumps(to_json(STARTED))
PASS_LINE = json.dumps(to_json(make_result(CLAUSE, Verdict.PASS)))

counts = st.integers(min_value=0, max_value=10**9)
optional = st.none() | st.text()
failures = st.builds(Failure, steps=st.just(()), allowed=st.just(()))
results = st.builds(
    Result,
    clause=st.sampled_from(list(FULL)),
    check=st.text(min_size=1),
    verdict=st.sampled_from(Verdict),
    reason=optional,
    satisfied=counts,
    near_misses=counts,
    discarded=counts,
    calls=counts,
    seconds=st.floats(0, 1e6),
    failure=st.none() | failures,
    known=st.sampled_from([None, Verdict.CRASH, Verdict.FRAGILE]),
    cause=st.sampled_from([None, "a-page"]),
)


def lines_to(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    path = write_events(tmp_path / "events.jsonl", sample_events())
    assert sample_events() == list(read_events(path))


@pytest.mark.parametrize("name", ["", "events.jsonl.gz"], ids=["its folder", "its event file"])
def test_a_compressed_run_is_read_like_any_other(tmp_path: Path, name: str) -> None:
    plain = write_events(tmp_path / "plain.jsonl", sample_events())
    (tmp_path / "events.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    assert read_run(plain) == read_run(tmp_path / name)


def test_of_a_folder_with_both_files_the_one_that_is_not_compressed_is_read(tmp_path: Path) -> None:
    plain = write_events(tmp_path / "events.jsonl", sample_events())
    (tmp_path / "events.jsonl.gz").write_bytes(b"no run")
    assert read_run(plain) == read_run(tmp_path)


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:2] + b"x"])
def test_a_compressed_file_that_is_not_whole_is_an_error(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    plain = write_events(tmp_path / "plain.jsonl", sample_events())
    path = tmp_path / "events.jsonl.gz"
    path.write_bytes(damage(gzip.compress(plain.read_bytes())))
    with pytest.raises(
        EventFileError, match=r"events\.jsonl\.gz: cannot decompress the event file: "
    ):
        read_run(path)


def test_a_folder_without_a_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EventFileError, match=r"events\.jsonl: cannot read the event file: No such"):
        read_run(tmp_path)


@given(results)
def test_any_result_survives_the_way_through_json(result: Result) -> None:
    assert result == from_json(json.loads(json.dumps(to_json(result))))


@given(results)
def test_any_result_survives_the_way_to_another_process(result: Result) -> None:
    assert result == unpacked(packed(result))


def test_the_published_schema_is_a_valid_schema() -> None:
    Draft202012Validator.check_schema(_schema(None))


@settings(deadline=None)  # what comes first makes code of schemas
@given(st.data())
def test_the_fast_look_at_an_event_and_the_one_that_says_why_agree(data: st.DataObject) -> None:
    """Any member of any event is left out, or is something else, or a further one is there."""
    document = data.draw(st.sampled_from([to_json(event) for event in sample_events()]))
    damaged = copy.deepcopy(document)
    place: Any = damaged
    while True:
        key = data.draw(
            st.sampled_from(list(place) if isinstance(place, dict) else range(len(place)))
        )
        inner = place[key]
        if not (isinstance(inner, dict | list) and inner and data.draw(st.booleans())):
            break
        place = inner
    others = [None, -1, 0.5, "", "text", [], {}, True, [inner], {"kind": inner}]
    match data.draw(st.sampled_from(["left out", "another", "a further one", "as it was"])):
        case "left out":
            del place[key]
        case "another":
            place[key] = data.draw(st.sampled_from(others))
        case "a further one" if isinstance(place, dict):
            place["further"] = data.draw(st.sampled_from(others))
    kind = document["event"]
    says_why = Draft202012Validator(_schema(kind))
    assert says_why.is_valid(damaged) == _holds(kind, damaged)


def test_every_line_is_on_disk_before_the_next_is_written(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with EventWriter(path) as writer:
        for number, event in enumerate(sample_events(), start=1):
            writer.write(event)
            assert number == path.read_bytes().count(b"\n")


def test_a_run_writes_into_no_other_runs_file(tmp_path: Path) -> None:
    path = write_events(tmp_path / "events.jsonl", [STARTED])
    with pytest.raises(FileExistsError):
        write_events(path, [STARTED])
    assert [STARTED] == list(read_events(path))


def test_a_disk_that_is_full_leaves_whole_lines(tmp_path: Path) -> None:
    """What was written before can be read; nothing hints at the line that had no room."""
    path = tmp_path / "events.jsonl"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with EventWriter(path) as writer:
        writer.write(STARTED)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 9, before[1]))
        try:
            with pytest.raises(OSError, match="File too large"):
                writer.write(ENDED)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [STARTED] == list(read_events(path))


def test_invalid_unicode_of_a_library_is_replaced(tmp_path: Path) -> None:
    hostile = b"\xff\xfe libhsa".decode("utf-8", errors="surrogateescape")
    path = write_events(tmp_path / "events.jsonl", [STARTED, Notice(hostile)])
    assert read_run(path).notices == ("�� libhsa",)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"\ud800", "\N{REPLACEMENT CHARACTER}"),
        (r"\uDFFF!", "\N{REPLACEMENT CHARACTER}!"),
        (r"\ud83d\ude00", "\N{GRINNING FACE}"),
        (r"\\ud800", r"\ud800"),
    ],
)
def test_halves_of_surrogate_pairs_are_replaced_when_they_are_read(
    tmp_path: Path, written: str, read: str
) -> None:
    """Another program may have written the file."""
    line = json.dumps(to_json(Notice("TEXT"))).replace("TEXT", written)
    [_, notice] = read_events(lines_to(tmp_path / "events.jsonl", STARTED_LINE, line))
    assert Notice(read) == notice


@given(st.text(st.characters(categories=["Cs", "L"])))
def test_scrubbed_text_can_always_be_encoded(text: str) -> None:
    assert len(text) == len(scrubbed(text))
    scrubbed(text).encode("utf-8")


def test_bytes_that_are_no_utf8_are_replaced(tmp_path: Path) -> None:
    path = lines_to(tmp_path / "events.jsonl", STARTED_LINE)
    with path.open("ab") as file:
        file.write(b'{"event":"notice","text":"\xff"}\n')
    assert read_run(path).notices == ("�",)


@pytest.mark.parametrize("kept", [1, 20, -1])
def test_a_last_line_that_was_cut_off_is_dropped_with_a_notice(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(f"{STARTED_LINE}\n{PASS_LINE[:kept]}", encoding="utf-8")
    run = read_run(path)
    assert run.results == ()
    assert run.notices == ("Line 2 was cut off while it was written, and is left out.",)


def test_a_whole_last_line_counts_without_its_line_end(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(f"{STARTED_LINE}\n{PASS_LINE}", encoding="utf-8")
    assert len(read_run(path).results) == 1


@pytest.mark.parametrize(
    "garbage", ["", "{", "[]", "17", "null", "NaN", '{"event":"result"', "[" * 100_000]
)
def test_garbage_in_the_middle_is_an_error_with_file_and_line(tmp_path: Path, garbage: str) -> None:
    path = lines_to(tmp_path / "events.jsonl", STARTED_LINE, garbage, PASS_LINE)
    with pytest.raises(EventFileError, match=r"events\.jsonl, line 2: "):
        read_run(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "GOOD"}, "verdict: 'GOOD' is not one of"),
        ({"calls": -1}, "calls: -1 is less than the minimum"),
        ({"calls": "1"}, "calls: '1' is not of type 'integer'"),
        ({"clause": "hsa_init"}, "clause: 'hsa_init' does not match"),
        ({"colour": "red"}, "'colour' was unexpected"),
        ({"event": "resulf"}, "event: 'resulf' is not one of"),
        ({"clause": "hsa_init/other"}, "hsa_init/other, which the run did not select"),
    ],
)
def test_an_event_that_breaks_the_schema_is_an_error_that_says_where(
    tmp_path: Path, change: Any, message: str
) -> None:
    line = json.dumps(json.loads(PASS_LINE) | change)
    path = lines_to(tmp_path / "events.jsonl", STARTED_LINE, line)
    with pytest.raises(EventFileError, match=r"line 2: ") as caught:
        read_run(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("known: A name is too long (for a GPU) (agent-names)", "agent-names"),
        ("hsa_init/success: it died; known: it does (a-page)", "a-page"),
        ("known: it does (as was said in 2024)", None),
        ("it fails (sometimes)", None),
        (None, None),
    ],
)
def test_the_cause_in_a_result_of_an_older_version_is_read_from_its_reason(
    reason: str | None, cause: str | None
) -> None:
    """Where the key is, the reason is left alone."""
    result = replace(make_result(CLAUSE, Verdict.XFAIL), reason=reason)
    document = to_json(result)
    assert result == from_json(document)
    del document["cause"]
    assert replace(result, cause=cause) == from_json(document)


def test_a_result_of_an_older_version_names_no_code() -> None:
    document = to_json(make_result("hsa_init/counts", Verdict.PASS))
    del document["source"]
    read = from_json(document)
    assert isinstance(read, Result)
    assert read.source is None


def test_a_missing_member_is_an_error(tmp_path: Path) -> None:
    document = json.loads(STARTED_LINE)
    del document["subject"]["path"]
    path = lines_to(tmp_path / "events.jsonl", json.dumps(document))
    with pytest.raises(EventFileError, match="line 1: subject: 'path' is a required property"):
        read_run(path)


def test_a_date_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    document = json.loads(STARTED_LINE) | {"started": "2026-02-31T00:00:00Z"}
    path = lines_to(tmp_path / "events.jsonl", json.dumps(document))
    with pytest.raises(EventFileError, match="line 1: "):
        read_run(path)


def test_a_file_of_another_schema_names_both_versions(tmp_path: Path) -> None:
    document = json.loads(STARTED_LINE) | {"schema": 2}
    path = lines_to(tmp_path / "events.jsonl", json.dumps(document))
    with pytest.raises(EventFileError, match=r"schema 2 .* this one reads schema 1"):
        read_run(path)


@pytest.mark.parametrize(
    "lines",
    [
        [PASS_LINE],
        [STARTED_LINE, STARTED_LINE],
        [STARTED_LINE, json.dumps(to_json(ENDED)), PASS_LINE],
    ],
    ids=["no run first", "two runs", "after the end"],
)
def test_events_out_of_order_are_an_error(tmp_path: Path, lines: list[str]) -> None:
    path = lines_to(tmp_path / "events.jsonl", *lines)
    with pytest.raises(EventFileError, match=rf"line {len(lines)}: "):
        read_run(path)


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.touch()
    with pytest.raises(EventFileError, match="no run was written to it"):
        read_run(path)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EventFileError, match="cannot read the event file: No such file"):
        read_run(tmp_path / "events.jsonl")


@pytest.mark.parametrize(
    "event",
    [
        replace(make_result(CLAUSE, Verdict.PASS), calls=-1),
        replace(make_result(CLAUSE, Verdict.PASS), seconds=float("nan")),
        replace(STARTED, started=datetime(2026, 1, 1)),
    ],
    ids=["negative", "not a number", "no time zone"],
)
def test_an_event_that_breaks_the_schema_is_not_written(tmp_path: Path, event: Result) -> None:
    path = tmp_path / "events.jsonl"
    with EventWriter(path) as writer, pytest.raises(ValueError, match=r".+"):
        writer.write(event)
    assert path.read_bytes() == b""


def test_a_time_in_another_zone_is_the_same_moment(tmp_path: Path) -> None:
    document = json.loads(STARTED_LINE) | {"started": "2026-03-04T10:30:12+01:00"}
    path = lines_to(tmp_path / "events.jsonl", json.dumps(document))
    assert datetime(2026, 3, 4, 9, 30, 12, tzinfo=UTC) == read_run(path).started.started
