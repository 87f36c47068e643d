"""Builds one library of ROCr's source with all edits, each of which a switch turns on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tests.campaign.rocr_mutants import coverage
from tests.campaign.rocr_mutants.drawing import draw_edits
from tests.campaign.rocr_mutants.edit import Edit, Operator
from tests.campaign.rocr_mutants.source import Source
from tests.campaign.rocr_mutants.toolchain import BuildError, find_clang
from tests.campaign.rocr_mutants.tree import EDITED, Tree
from tests.wrong import command
from tests.wrong.command import Subject

_LIBRARY: Final = "libhsa-runtime64.so.1"
_EDITS: Final = "edits.json"
_COVERAGE: Final = "coverage.json"
_REACHED: Final = "coverage.txt"


@dataclass(frozen=True)
class BuiltLibrary:
    """A library with edits.

    Args:
        folder: where it is.
        seed: of the draw.
        edits: those that it has, by the number of their switch.
        refused: how many edits were drawn that do not compile.
        equal: how many were drawn that are compiled to what the original is.
        functions: the functions of the API, by the number of their row.
        options: of `hsa-conformance run`, which say on what machine the library is judged.

    """

    folder: Path
    seed: int
    edits: Mapping[int, Edit]
    refused: int
    equal: int
    functions: Mapping[int, str]
    options: Sequence[str]

    @property
    def library(self) -> Path:
        """Return the library."""
        return self.folder / _LIBRARY

    @property
    def coverage(self) -> str:
        """Return, for people, what a run reaches of each file, and which functions it does not."""
        return (self.folder / _REACHED).read_text("utf-8")

    def save(self) -> None:
        """Write what `load` reads."""
        facts = {
            "seed": self.seed,
            "refused": self.refused,
            "equal": self.equal,
            "options": list(self.options),
            "functions": list(self.functions.values()),
            "edits": [asdict(edit) for edit in self.edits.values()],
        }
        (self.folder / _EDITS).write_text(json.dumps(facts, indent=1), "utf-8")


def load(folder: Path) -> BuiltLibrary:
    """Return what was built in a folder.

    Raises:
        BuildError: there is nothing.

    """
    try:
        facts = json.loads((folder / _EDITS).read_text("utf-8"))
    except FileNotFoundError:
        raise BuildError(f"{folder} has no {_EDITS}: build the library first") from None
    edits = [Edit(**{**row, "operator": Operator(row["operator"])}) for row in facts["edits"]]
    return BuiltLibrary(
        folder,
        facts["seed"],
        dict(enumerate(edits, 1)),
        facts["refused"],
        facts["equal"],
        dict(enumerate(facts["functions"], 1)),
        tuple(facts["options"]),
    )


def build(
    tree: Path,
    folder: Path,
    *,
    seed: int,
    count: int,
    jobs: int,
    options: Sequence[str] = (),
    suite: Sequence[str] = command.INSTALLED,
) -> BuiltLibrary:
    """Measure what a run of the suite reaches, and build a library with edits of that.

    Args:
        tree: ROCr's source, which stays as it is.
        folder: where the library goes, with a copy of the source; it is made. What a run reaches
            is not measured again where that is in the folder already.
        seed: of the draw.
        count: how many edits are drawn.
        jobs: how many compilers run at a time.
        options: of the run, such as "--virtual-kfd" and a machine.
        suite: the command of the suite.

    Raises:
        BuildError: this is no source of ROCr, the folder has a library, a program is missing, or
            the source does not build.
        SuiteError: the suite cannot be run.

    """
    if not (tree / EDITED).is_dir():
        raise BuildError(f"{tree} has no {EDITED}: name the folder of ROCr's source")
    if (folder / _EDITS).exists():
        raise BuildError(f"{folder} has a library: name another folder")
    if find_spec("clang") is None:
        raise BuildError("drawing edits needs libclang: install hsa-conformance[headers]")
    folder = folder.resolve()
    objects = folder / "build"
    for path in (folder / "source", objects):
        shutil.rmtree(path, ignore_errors=True)
    copy = Tree.copied(tree, folder / "source", find_clang())
    if not (folder / _COVERAGE).exists():
        _measure(copy, folder, jobs, options, suite)
    reached = coverage.read(folder / _COVERAGE, copy.folder)
    # The draw needs the headers that a build makes, and the objects.
    copy.built(objects, jobs)
    sources = [*copy.sources(objects)]
    edited = [s for s in sources if Path(s.name).parent == EDITED]
    lines = [*reached.table(), "", "Functions that are not reached:", *reached.unreached(edited)]
    (folder / _REACHED).write_text("\n".join([*lines, ""]), "utf-8")
    drawn = draw_edits(
        edited, seed, count, lambda edit: reached.reaches(edit.file, edit.line, edit.column)
    )
    names = sorted({entry.function for s in sources for entry in s.entries})
    built = BuiltLibrary(
        folder,
        seed,
        dict(enumerate(drawn.edits, 1)),
        len(drawn.refused),
        len(drawn.equal),
        dict(enumerate(names, 1)),
        tuple(options),
    )
    for each in sources:
        rewrite(each, built.edits, built.functions)
    shutil.copy(copy.built(objects, jobs), built.library)
    built.save()
    return built


def _measure(
    copy: Tree, folder: Path, jobs: int, options: Sequence[str], suite: Sequence[str]
) -> None:
    """Write what a run of the suite reaches to a file."""
    library = copy.built(folder / "covered", jobs, coverage.FLAGS)
    profiles, run = folder / "profiles", folder / "covered-run"
    for path in (profiles, run):
        shutil.rmtree(path, ignore_errors=True)
    counting = {coverage.VARIABLE: f"{profiles / coverage.PATTERN}"}
    subject = Subject(("--library", f"{library}"), counting)
    command.judge(subject, run, *options, command=suite)
    files = sorted((copy.folder / EDITED).glob("*.cpp"))
    coverage.export(copy.clang, library, profiles, files, folder / _COVERAGE)


def rewrite(source: Source, edits: Mapping[int, Edit], functions: Mapping[int, str]) -> None:
    """Write edits with their switches into a file, and have its functions note who is called."""
    rows = {name: number for number, name in functions.items()}
    changes = [
        (edit.start, edit.end, edit.switched(number))
        for number, edit in edits.items()
        if edit.file == source.name
    ]
    changes += [
        (
            entry.start + 1,
            entry.start + 1,
            f" const ::switches::Call called_({rows[entry.function]});",
        )
        for entry in source.entries
    ]
    text = source.text
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    if text != source.text:
        source.path.write_text(text, "latin-1")
