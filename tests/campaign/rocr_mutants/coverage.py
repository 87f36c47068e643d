"""Which of ROCr's code a run of the suite reaches."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.campaign.rocr_mutants.source import Source
from tests.campaign.rocr_mutants.toolchain import Clang, run

#: Counters are in a file that processes share, so those of a process that dies are kept.
FLAGS: Final = "-fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation"
#: Where the library puts them, in a folder: one file of all processes.
VARIABLE: Final = "LLVM_PROFILE_FILE"
PATTERN: Final = "%m%c.profraw"

#: What is counted, by the name in the export of llvm-cov.
_COUNTED: Final = ("lines", "branches", "functions")


class Coverage:
    """The lines, branches and functions that a run reaches, of each file.

    Args:
        exported: what llvm-cov exports.
        root: the folder of the source, to which the names of files are relative.

    """

    def __init__(self, exported: Mapping[str, Any], root: Path) -> None:
        (data,) = exported["data"]
        self._files: Mapping[str, Any] = {
            f"{Path(row['filename']).relative_to(root)}": row for row in data["files"]
        }
        self._starts = {
            name: [tuple(segment[:2]) for segment in row["segments"]]
            for name, row in self._files.items()
        }

    def reaches(self, file: str, line: int, column: int) -> bool:
        """Return whether the code at a place is reached; both numbers are from 1."""
        if file not in self._files:
            return False
        place = bisect_right(self._starts[file], (line, column)) - 1
        if place < 0:
            return False
        _, _, count, counts, *_ = self._files[file]["segments"][place]
        return bool(counts and count)

    def unreached(self, sources: Sequence[Source]) -> Iterator[str]:
        """Yield the functions of files that are not reached."""
        for source in sources:
            for body in source.bodies:
                if not self.reaches(source.name, body.line, body.column):
                    yield f"{source.name}:{body.line}: {body.function}"

    def table(self) -> Iterator[str]:
        """Yield lines: what is reached of each file, and of all."""
        width = max(map(len, ("all", *self._files))) + 2
        yield f"{'file':<{width}}{''.join(f'{what:>22}' for what in _COUNTED)}"
        for name, row in sorted(self._files.items()):
            yield f"{name:<{width}}{_shares([row])}"
        yield f"{'all':<{width}}{_shares([*self._files.values()])}"


def export(
    clang: Clang, library: Path, profiles: Path, sources: Sequence[Path], into: Path
) -> None:
    """Write what processes reached to a file, as llvm-cov exports it.

    Args:
        clang: what built the library.
        library: the library.
        profiles: the folder with the counters of its processes.
        sources: the files or folders of which it is exported.
        into: the file.

    """
    merged = profiles / "merged"
    raw = [f"{path}" for path in sorted(profiles.glob("*.profraw"))]
    run([clang.program("llvm-profdata"), "merge", "-o", f"{merged}", *raw])
    exporting = [clang.program("llvm-cov"), "export", "-skip-functions", "-skip-expansions"]
    of = [f"-instr-profile={merged}", f"{library}", "-sources", *map(str, sources)]
    into.write_text(run([*exporting, *of]), "utf-8")


def read(path: Path, root: Path) -> Coverage:
    """Return what `export` wrote to a file."""
    return Coverage(json.loads(path.read_text("utf-8")), root)


def _shares(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(_share([row["summary"][what] for row in rows]) for what in _COUNTED)


def _share(counts: Sequence[Mapping[str, int]]) -> str:
    reached, there = (sum(row[key] for row in counts) for key in ("covered", "count"))
    share = f" = {reached / there:.1%}" if there else ""
    return f"{f'{reached}/{there}{share}':>22}"
