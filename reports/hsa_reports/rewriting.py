"""Writes into the event file of a run what became known after it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from hsa_reports.event_file import EventFileError, event_file, read_text
from hsa_reports.programs import ProgramRun
from hsa_reports.result import Result

#: What tells the results of a run apart: clause, check, value and machine.
Key = tuple[str, str, str | None, str | None]


def key_of(result: Result) -> Key:
    """Return what tells a result from the others of its run."""
    return result.clause, result.check, result.value, result.machine


def note_programs(source: Path, programs: Mapping[Key, ProgramRun]) -> None:
    """Note in the event file of a run what came of the programs of its failures.

    Args:
        source: the folder of the run, or its event file, which stays compressed if it is.
        programs: what came of them, by their results.

    Raises:
        EventFileError: it cannot be read or written.

    """
    path = event_file(source)
    lines = [_noted(line, programs) for line in read_text(path).splitlines()]
    content = "".join(f"{line}\n" for line in lines).encode("utf-8")
    written = path.with_name(f".{path.name}.new")
    try:
        compressed = path.suffix == ".gz"
        written.write_bytes(gzip.compress(content, mtime=0) if compressed else content)
        written.replace(path)
    except OSError as error:
        raise EventFileError(f"{path}: cannot write the event file: {error.strerror}") from error


def _noted(line: str, programs: Mapping[Key, ProgramRun]) -> str:
    try:
        document = json.loads(line)
    except ValueError:
        return line  # the last one of a run that was killed
    if not isinstance(document, dict) or not document.get("failure"):
        return line
    value, machine = document.get("value"), document.get("machine")
    ran = programs.get((document["clause"], document["check"], value, machine))
    if ran is None:
        return line
    document["failure"]["ran"] = asdict(ran)
    return json.dumps(document, separators=(",", ":"))
