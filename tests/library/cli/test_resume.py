"""`run --resume`: the clauses that a file keeps which was cut off, and a run that is finished."""

from __future__ import annotations

from pathlib import Path

from hsa_reports import read_part
from tests.library.cli.commands import Command

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
        kept = content[: part.size]
        assert len(part.judged) == kept.count(b'{"event":"judged"')
        assert part.size in (0, *(n + 1 for n in ends))
        assert {r.clause for r in part.results} <= {j.clause for j in part.judged}
        assert part.left == whole.left | {j.clause for j in whole.judged[len(part.judged) :]}


def test_a_finished_run_is_left_alone(command: Command, run_folder: Path) -> None:
    before = (run_folder / "events.jsonl").read_bytes()
    words = ("--select", "hsa_shut_down/success", "--select", "hsa_init/exported")

    done = command("run", *words, "--out", run_folder, "--resume")

    assert 0 == done.status
    assert "the run is finished, and nothing was judged again" in done.err
    assert before == (run_folder / "events.jsonl").read_bytes()
