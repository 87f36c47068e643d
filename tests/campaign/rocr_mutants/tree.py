"""A copy of ROCr's source, and the folders in which it is built."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.campaign.rocr_mutants.source import SWITCHES, Source
from tests.campaign.rocr_mutants.toolchain import Clang, run

#: Where ROCr's own sources are, and which of them are edited.
RUNTIME: Final = Path("runtime/hsa-runtime")
EDITED: Final = RUNTIME / "core/runtime"
_LIBRARY: Final = Path("rocr/lib/libhsa-runtime64.so.1")
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


@dataclass(frozen=True)
class Tree:
    """A copy of ROCr's source.

    Args:
        folder: where it is.
        clang: what builds it.

    """

    folder: Path
    clang: Clang

    @classmethod
    def copied(cls, tree: Path, folder: Path, clang: Clang) -> Tree:
        """Copy ROCr's source to a folder that is not there yet."""
        shutil.copytree(tree, folder, symlinks=True)
        handlers = folder / EDITED / "trap_handler/CMakeLists.txt"
        for newer, older in _OLDER.items():
            if handlers.exists() and not clang.knows(newer):
                handlers.write_text(handlers.read_text("utf-8").replace(newer, older), "utf-8")
        return cls(folder, clang)

    def built(self, objects: Path, jobs: int, flags: str = "") -> Path:
        """Build the library, or what changed of it since; return it.

        Args:
            objects: where it is built.
            jobs: how many compilers run at a time.
            flags: more options of the C++ compiler and of the linker.

        Raises:
            BuildError: the source does not build.

        """
        if not (objects / "build.ninja").exists():
            self._configure(objects, flags)
        run(["cmake", "--build", f"{objects}", "--parallel", f"{jobs}"])
        return objects / _LIBRARY

    def sources(self, objects: Path) -> Iterator[Source]:
        """Yield ROCr's own C++ files, of which the library was built."""
        commands: list[dict[str, Any]] = json.loads(
            (objects / "compile_commands.json").read_text("utf-8")
        )
        for row in sorted(commands, key=lambda row: row["file"]):
            path = Path(row["file"])
            if path.suffix == ".cpp" and path.is_relative_to(self.folder / RUNTIME):
                words = shlex.split(row["command"])
                end = words.index("-o")
                name = f"{path.relative_to(self.folder)}"
                yield Source(path, name, self.clang, words[1:end], objects / words[end + 1])

    def _configure(self, objects: Path, flags: str) -> None:
        programs = objects / "programs"
        programs.mkdir(parents=True, exist_ok=True)
        folder, suffix = self.clang.folder, self.clang.suffix
        for package in ("Clang", "LLVM"):
            text = _PROGRAMS.format(folder=folder, suffix=suffix)
            (programs / f"{package}Config.cmake").write_text(text, "utf-8")
        plain = "-O1 -DNDEBUG -w"
        options = {
            "CMAKE_C_COMPILER": self.clang.program("clang"),
            "CMAKE_CXX_COMPILER": self.clang.program("clang++"),
            "CMAKE_BUILD_TYPE": "None",
            "CMAKE_C_FLAGS": plain,
            "CMAKE_CXX_FLAGS": f"{plain} -include {SWITCHES} {flags}",
            "CMAKE_SHARED_LINKER_FLAGS": flags,
            "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
            "IMAGE_SUPPORT": "OFF",
            "Clang_DIR": f"{programs}",
            "LLVM_DIR": f"{programs}",
        }
        settings = [f"-D{name}={value}" for name, value in options.items()]
        run(["cmake", "-G", "Ninja", "-S", f"{self.folder}", "-B", f"{objects}", *settings])
