"""A library that exports what a real one does, forwards every call to it, and has one defect."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from elftools.elf.elffile import ELFFile

from hsa_spec import Function, Registry
from hsa_spec.c_header import c_header
from hsa_spec.declaration import variable
from hsa_spec.releases import Release
from tests.campaign.planted_defects.drawing import HERE, Defect

WRAPPER: Final = HERE / "wrapper"
ALWAYS: Final = ("load.c", "driver.c")
OPTIONS: Final = "-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -fPIC -shared -pthread"

#: A function that jumps to where its slot says, unless a defect defines it.
_FORWARD: Final = """
.weak {name}
.type {name}, @function
{name}: jmp *slot_{name}(%rip)
.pushsection .bss
.hidden slot_{name}
.globl slot_{name}
.balign 8
slot_{name}: .skip 8
.popsection
"""


def wrap(
    library: Path, version: str, defect: Defect | None, folder: Path, registry: Registry
) -> Path:
    """Compile a library around a real one.

    Args:
        library: the real one, by the path that it has where it is loaded.
        version: its ROCm release.
        defect: of ROCR; None for none.
        folder: where files go.
        registry: says how functions are called.

    Returns:
        The library.

    Raises:
        subprocess.CalledProcessError: The compiler refuses a file, or warns of it.

    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in exported(library) if name in registry.functions]
    place = dict(defect.place) if defect else {}
    (folder / "api.h").write_text(c_header(registry, Release(version, version)), "utf-8")
    (folder / "slots.h").write_text("\n".join(_slots(names)), "utf-8")
    (folder / "place.h").write_text("\n".join(_macros(place, registry)) + "\n", "utf-8")
    (folder / "forward.S").write_text(
        ".text\n" + "".join(_FORWARD.format(name=n) for n in names) + ".section .note.GNU-stack\n"
    )
    listed = " ".join(f"{name};" for name in names)
    (folder / "exports.map").write_text(f"{{ global: {listed} local: *; }};")
    sources = [WRAPPER / name for name in ALWAYS] + ([WRAPPER / defect.file] if defect else [])
    target = folder / "libwrapped.so"
    command = ["cc", *OPTIONS.split(), f"-I{folder}", f"-I{WRAPPER}", "-include", "place.h"]
    command += [f'-DWRAPPED="{library}"', f"-Wl,--version-script={folder / 'exports.map'}"]
    subprocess.run([*command, *sources, folder / "forward.S", "-o", target], check=True)
    return target


def exported(library: Path) -> list[str]:
    """Return the names of the functions that a library exports."""
    with library.open("rb") as file:
        table: Any = ELFFile(file).get_section_by_name(".dynsym")
        return sorted(
            s.name
            for s in table.iter_symbols()
            if s["st_info"]["type"] == "STT_FUNC" and s["st_shndx"] != "SHN_UNDEF"
        )


def _slots(names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the header that lists where the addresses of the real functions go."""
    for name in names:
        yield f'extern void *slot_{name} __attribute__((visibility("hidden")));'
    yield "static const struct slot { const char *name; void **function; } slots[]"
    yield "    __attribute__((unused)) = {"
    yield from (f'    {{"{name}", &slot_{name}}},' for name in names)
    yield "    {0, 0}};"


def _macros(place: Mapping[str, Any], registry: Registry) -> Iterator[str]:
    """Yield what a place is, and of each function that it names how it is called."""
    for name, value in place.items():
        if name == "CREATORS":
            rows = (_creator(registry.functions[f], key, registry) for f, key in value)
            yield f"#define CREATORS {' '.join(rows)}"
            continue
        yield f"#define {name} {value}"
        if value in registry.functions:
            function = registry.functions[value]
            yield f"#define {name}_RESULT {function.result}"
            yield f"#define {name}_PARAMS {_params(function, registry)}"
            yield f"#define {name}_ARGS {_args(function)}"
    if "KEPT" in place:
        parameter = registry.functions[place["FUNCTION"]].parameter.get(place["KEPT"])
        yield f"#define KEPT_TYPE {parameter.type if parameter else 'uint64_t'}"


def _creator(function: Function, key: str, registry: Registry) -> str:
    return f"CREATOR({function.name}, {_params(function, registry)}, {_args(function)}, {key})"


def _params(function: Function, registry: Registry) -> str:
    return f"({', '.join(variable(p.type, p.name, registry) for p in function.params) or 'void'})"


def _args(function: Function) -> str:
    return f"({', '.join(p.name for p in function.params)})"
