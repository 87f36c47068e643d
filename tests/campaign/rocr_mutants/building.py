"""Builds one library of ROCr's source with all edits, each of which a switch turns on."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from tests.campaign.rocr_mutants.drawing import draw_edits
from tests.campaign.rocr_mutants.edit import Edit, Operator
from tests.campaign.rocr_mutants.source import SWITCHES, Source

#: Where ROCr's own sources are, and which of them are edited.
RUNTIME: Final = Path("runtime/hsa-runtime")
EDITED: Final = RUNTIME / "core/runtime"
_LIBRARY: Final = "libhsa-runtime64.so.1"
_EDITS: Final = "edits.json"
#: Processors that ROCr has handlers of traps for, and what to assemble them for where clang is
#: older; the code is the same.
_OLDER: Final = {"gfx950": "gfx942"}
#: ROCm's clang says where its programs are; another one does not.
_PROGRAMS: Final = """\
foreach(program clang llvm-objcopy)
  if(NOT TARGET ${{program}})
    add_executable(${{program}} IMPORTED GLOBAL)
    set_target_properties(${{program}} PROPERTIES IMPORTED_LOCATION {folder}/${{program}}{suffix})
  endif()
endforeach()
"""


class BuildError(Exception):
    """The library cannot be built; the message says why, and what to do."""


@dataclass(frozen=True)
class Clang:
    """An installed clang.

    Args:
        folder: where its programs are.
        suffix: what their names end with, such as "-19".

    """

    folder: Path
    suffix: str

    @property
    def options(self) -> Sequence[str]:
        """Return what libclang needs to find the headers of this clang and the switches."""
        said = run([self.program("clang"), "-print-resource-dir"])
        return ("-resource-dir", said.strip(), "-include", f"{SWITCHES}")

    def program(self, name: str) -> str:
        """Return the path of one of its programs, such as "llvm-objcopy"."""
        return f"{self.folder}/{name}{self.suffix}"

    def knows(self, processor: str) -> bool:
        """Return whether it assembles for a processor, such as "gfx90a"."""
        assemble = [self.program("clang"), "-x", "assembler", "-c", "/dev/null", "-o", "/dev/null"]
        command = [*assemble, "--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-nogpulib"]
        return not subprocess.run(command, check=False, capture_output=True).returncode


@dataclass(frozen=True)
class BuiltLibrary:
    """A library with edits.

    Args:
        folder: where it is.
        seed: of the draw.
        edits: those that it has, by the number of their switch.
        refused: how many edits were drawn that do not compile.
        functions: the functions of the API, by the number of their row.

    """

    folder: Path
    seed: int
    edits: Mapping[int, Edit]
    refused: int
    functions: Mapping[int, str]

    @property
    def library(self) -> Path:
        """Return the library."""
        return self.folder / _LIBRARY

    def save(self) -> None:
        """Write what `load` reads."""
        facts = {
            "seed": self.seed,
            "refused": self.refused,
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
        dict(enumerate(facts["functions"], 1)),
    )


def build(tree: Path, folder: Path, *, seed: int, count: int, jobs: int) -> BuiltLibrary:
    """Build a library.

    Args:
        tree: ROCr's source, which stays as it is.
        folder: where the library goes, with a copy of the source; it is made.
        seed: of the draw.
        count: how many edits are drawn.
        jobs: how many compilers run at a time.

    Raises:
        BuildError: this is no source of ROCr, the folder exists, a program is missing, or the
            source does not build.

    """
    if not (tree / EDITED).is_dir():
        raise BuildError(f"{tree} has no {EDITED}: name the folder of ROCr's source")
    if folder.exists():
        raise BuildError(f"{folder} exists: name another folder")
    if find_spec("clang") is None:
        raise BuildError("drawing edits needs libclang: install hsa-conformance[headers]")
    clang = find_clang()
    source, objects = folder.resolve() / "source", folder.resolve() / "build"
    shutil.copytree(tree, source, symlinks=True)
    _assemble_for_older(source, clang)
    _configure(source, objects, clang)
    # The draw needs the headers that a build makes.
    run(["cmake", "--build", f"{objects}", "--parallel", f"{jobs}"])
    sources = [Source(*found) for found in _compiled(source, objects, clang)]
    edited = [s for s in sources if Path(s.name).parent == EDITED]
    edits, refused = draw_edits(edited, seed, count)
    names = sorted({entry.name for s in sources for entry in s.entries})
    built = BuiltLibrary(
        folder, seed, dict(enumerate(edits, 1)), len(refused), dict(enumerate(names, 1))
    )
    for each in sources:
        rewrite(each, built.edits, built.functions)
    run(["cmake", "--build", f"{objects}", "--parallel", f"{jobs}"])
    shutil.copy(objects / "rocr/lib" / _LIBRARY, built.library)
    built.save()
    return built


def rewrite(source: Source, edits: Mapping[int, Edit], functions: Mapping[int, str]) -> None:
    """Write edits with their switches into a file, and have its functions note who is called."""
    rows = {name: number for number, name in functions.items()}
    changes = [
        (edit.start, edit.end, edit.switched(number))
        for number, edit in edits.items()
        if edit.file == source.name
    ]
    changes += [
        (entry.start, entry.start, f" const ::switches::Call called_({rows[entry.name]});")
        for entry in source.entries
    ]
    text = source.text
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    if text != source.text:
        source.path.write_text(text, "latin-1")


def run(command: Sequence[str]) -> str:
    """Run a command and return what it prints.

    Raises:
        BuildError: it fails; the message has the end of what it printed.

    """
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    if said.returncode:
        end = "\n".join((said.stdout + said.stderr).splitlines()[-20:])
        raise BuildError(f"{shlex.join(command)} fails:\n{end}")
    return said.stdout


def find_clang() -> Clang:
    """Return the newest clang that has all that ROCr's build needs.

    Raises:
        BuildError: there is none, or no cmake or ninja.

    """
    for suffix in ("", *(f"-{version}" for version in range(30, 14, -1))):
        found = [shutil.which(f"{name}{suffix}") for name in ("clang", "clang++", "llvm-objcopy")]
        if found[0] and all(found) and shutil.which("cmake") and shutil.which("ninja"):
            return Clang(Path(found[0]).parent, suffix)
    raise BuildError(
        "ROCr's build needs clang, llvm, lld, cmake and ninja: install them (Debian: clang-19 "
        "llvm-19 lld-19 cmake ninja-build libdrm-dev libelf-dev libnuma-dev pkg-config xxd)"
    )


def _assemble_for_older(source: Path, clang: Clang) -> None:
    """Have handlers of traps assembled for processors that the clang knows."""
    path = source / EDITED / "trap_handler/CMakeLists.txt"
    for newer, older in _OLDER.items():
        if path.exists() and not clang.knows(newer):
            path.write_text(path.read_text("utf-8").replace(newer, older), "utf-8")


def _configure(source: Path, objects: Path, clang: Clang) -> None:
    programs = objects / "programs"
    programs.mkdir(parents=True)
    for package in ("Clang", "LLVM"):
        text = _PROGRAMS.format(folder=clang.folder, suffix=clang.suffix)
        (programs / f"{package}Config.cmake").write_text(text, "utf-8")
    flags = "-O1 -DNDEBUG -w"
    options = {
        "CMAKE_C_COMPILER": clang.program("clang"),
        "CMAKE_CXX_COMPILER": clang.program("clang++"),
        "CMAKE_BUILD_TYPE": "None",
        "CMAKE_C_FLAGS": flags,
        "CMAKE_CXX_FLAGS": f"{flags} -include {SWITCHES}",
        "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
        "IMAGE_SUPPORT": "OFF",
        "Clang_DIR": f"{programs}",
        "LLVM_DIR": f"{programs}",
    }
    settings = [f"-D{name}={value}" for name, value in options.items()]
    run(["cmake", "-G", "Ninja", "-S", f"{source}", "-B", f"{objects}", *settings])


def _compiled(
    source: Path, objects: Path, clang: Clang
) -> Iterable[tuple[Path, str, Sequence[str]]]:
    """Yield ROCr's own C++ files, their names, and the options with which they are compiled."""
    rows: list[dict[str, Any]] = json.loads((objects / "compile_commands.json").read_text("utf-8"))
    for row in sorted(rows, key=lambda row: row["file"]):
        path = Path(row["file"])
        if path.suffix == ".cpp" and path.is_relative_to(source / RUNTIME):
            words = shlex.split(row["command"])[1:]
            end = words.index("-o")
            yield path, f"{path.relative_to(source)}", [*words[:end], *clang.options]
