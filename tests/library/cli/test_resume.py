"""`run --resume`: the clauses that a file keeps which was cut off, and a run that is finished."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_reports import Event, EventWriter, Judged, Notice, Verdict, read_events, read_part
from tests.library.cli.commands import Command
from tests.unit.reports.report_samples import ENDED, STARTED, make_result

SHORT = ("--select", "hsa_shut_down", "--select", "hsa_init/exported")
RUN = ("run", "-n", "0")


def test_whatever_byte_a_file_ends_with_only_whole_clauses_are_kept(
    command: Command, tmp_path: Path
) -> None:
    assert 0 == command(*RUN, *SHORT, "--out", "whole").status
    content = (tmp_path / "whole/events.jsonl").read_bytes()
    whole = read_part(tmp_path / "whole/events.jsonl")
    assert whole is not None
    cut = tmp_path / "cut.jsonl"
    ends = [n for n, byte in enumerate(content) if byte == ord("\n")]
    for size in {0, 1, len(content), *(n + d for n in ends for d in (-1, 0, 1, 2))}:
        cut.write_bytes(content[:size])
        part = read_part(cut)
        if size <= ends[0]:
            assert part is None
            continue
        assert part is not None
        assert content.startswith(part.content)
        assert len(part.judged) == part.content.count(b'{"event":"judged"')
        assert len(part.content) in (0, *(n + 1 for n in ends))
        assert {r.clause for r in part.results} <= {j.clause for j in part.judged}
        assert part.left == whole.left | {j.clause for j in whole.judged[len(part.judged) :]}


def test_a_finished_run_is_left_alone(command: Command, run_folder: Path) -> None:
    before = (run_folder / "events.jsonl").read_bytes()
    words = ("--select", "hsa_shut_down/success", "--select", "hsa_init/exported")

    done = command("run", *words, "--out", run_folder, "--resume")

    assert 0 == done.status
    assert "the run is finished, and nothing was judged again" in done.err
    assert before == (run_folder / "events.jsonl").read_bytes()


@pytest.mark.parametrize("verdict", [Verdict.FLAKY, Verdict.NOT_RUN])
def test_what_another_try_may_settle_is_judged_again(tmp_path: Path, verdict: Verdict) -> None:
    """What was said of the whole run stays, and so does what was judged after it."""
    before, again, after, unmet = STARTED.clauses[:4]
    said = Notice("Of the whole run.")
    settled = [
        (make_result(clause, Verdict.PASS), Judged(clause, 0.1, True)) for clause in (before, after)
    ]
    path = tmp_path / "events.jsonl"
    with EventWriter(path) as writer:
        events: list[Event] = [STARTED, *settled[0], said, Notice("Of one clause.", again)]
        events += [make_result(again, Verdict.PASS), make_result(again, verdict)]
        events += [Judged(again, 0.1, True), *settled[1], make_result(unmet, verdict), ENDED]
        for event in events:
            writer.write(event)
    part = read_part(path)
    assert part is not None
    kept = [*settled[0], said, *settled[1]]
    assert kept == [*part.events]
    assert {*STARTED.clauses} - {before, after} == part.left

    with EventWriter(path, resume=True) as writer:
        writer.keep(part.content)
        writer.write(ENDED)

    assert [STARTED, *kept, ENDED] == [*read_events(path)]


def test_a_run_in_which_nothing_is_settled_begins_anew(tmp_path: Path) -> None:
    clause = STARTED.clauses[0]
    with EventWriter(tmp_path / "events.jsonl") as writer:
        writer.write(STARTED)
        writer.write(make_result(clause, Verdict.FLAKY))
        writer.write(Judged(clause, 0.1, True))
        writer.write(ENDED)
    part = read_part(tmp_path / "events.jsonl")
    assert part is not None
    assert (b"", (), ENDED) == (part.content, part.judged, part.end)
