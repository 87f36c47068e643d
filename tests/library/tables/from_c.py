"""What numbers and structures are to a C compiler, by the headers of this machine."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

INCLUDE = Path("/usr/include")


def constants(headers: Iterable[str], expressions: Sequence[str], *options: str) -> list[int]:
    """Return the values of constant expressions of C.

    Args:
        headers: to include; where one of the system is missing, the test is skipped.
        expressions: whose values fit into 64 bits, with a sign.
        options: of the compiler.

    """
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    lines = ["#define _GNU_SOURCE", "#include <stddef.h>", "#include <stdint.h>"]
    for header in headers:
        lines += [f'#if !__has_include("{header}")', f"#error needs {header}", "#endif"]
        lines.append(f'#include "{header}"')
    values = ",\n".join(f"(long long)({expression})" for expression in expressions)
    lines.append("#ifdef __cplusplus\nextern\n#endif")
    lines.append(f"const long long values_found[] = {{{values}}};\n")
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "values.c", Path(folder) / "values.o"
        source.write_text("\n".join(lines))
        command = [compiler, "-w", "-c", *options, str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if missing := re.search(r"#error (needs .*)", done.stderr):
            pytest.skip(missing[1])
        assert 0 == done.returncode, done.stderr
        content = target.read_bytes()
    file: Any = ELFFile(BytesIO(content))
    (symbol,) = file.get_section_by_name(".symtab").get_symbol_by_name("values_found")
    section = file.get_section(symbol["st_shndx"])
    return list(
        struct.unpack_from(f"<{len(expressions)}q", section.data(), offset=symbol["st_value"])
    )


def values(headers: Iterable[str], ours: Mapping[str, int], *options: str) -> Mapping[str, int]:
    """Return the values of the expressions that `ours` has for keys."""
    return dict(zip(ours, constants(headers, [*ours], *options), strict=True))


def members(
    headers: Iterable[str], structure: str, names: Sequence[str], *options: str
) -> list[tuple[int, int]]:
    """Return the offset and size of each of some members of a structure."""
    wanted = [f"offsetof({structure}, {name})" for name in names]
    wanted += [f"sizeof((({structure} *)0)->{name})" for name in names]
    found = constants(headers, wanted, *options)
    return list(zip(found[: len(names)], found[len(names) :], strict=True))


def fields(layout: struct.Struct) -> list[tuple[int, int]]:
    """Return the offset and size of each number that a structure of Python unpacks."""
    order = layout.format[0] if layout.format[0] in "<=@>" else ""
    codes = layout.format.removeprefix(order)
    found, before = [], order
    for count, code in re.findall(r"(\d*)([a-zA-Z])", codes):
        each = [count + code] if code in "xs" else [code] * int(count or 1)
        for one in each:
            before += one
            if code != "x":
                size = struct.calcsize(order + one)
                found.append((struct.calcsize(before) - size, size))
    return found
