"""The C header made from the registry, compiled beside the headers that a release ships."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import hsa_spec
from hsa_spec.c_header import c_header, prototypes
from hsa_spec.releases import Release

REAL = Path("/usr/include/hsa")
RELEASE = Release.parse("5.2.3")
INCLUDES = "#define AMD_INTERNAL_BUILD\n" + "".join(
    f"#include <{name}.h>\n"
    for name in (
        "hsa",
        "hsa_api_trace",
        "hsa_ext_amd",
        "hsa_ext_image",
        "hsa_ext_finalize",
        "hsa_ven_amd_loader",
        "hsa_ven_amd_aqlprofile",
    )
)
# The tables of the tools' interface are C++; all else is C and C++.
COMPILE = ("c++", "-std=gnu++17", "-w", "-fpermissive")

pytestmark = pytest.mark.skipif(
    not (REAL / "hsa.h").exists() or not shutil.which("c++"),
    reason="needs libhsa-runtime-dev and a C++ compiler",
)


def version(text: str) -> Release:
    """Return the ROCm release or, below 5, the version of the extension interface."""
    return Release(interface=text) if text.startswith("1.") else Release.parse(text)


def facts(registry: hsa_spec.Registry) -> str:
    """Return a program that prints every size, offset and value of the release."""
    lines = []
    for enum in registry.enums.values():
        lines += [
            f'  printf("{e.name} %lld\\n", (long long){e.name} & 0xffffffff);'
            for e in enum.enumerators
            if RELEASE.has(e.versions)
        ]
    for struct in registry.structs.values():
        if not RELEASE.has(struct.versions):
            continue
        name = struct.name
        lines.append(f'  printf("{name} %zu %zu\\n", sizeof({name}), alignof({name}));')
        lines += [
            f'  printf("{name}.{f.name} %zu %zu\\n",'
            f" offsetof({name}, {f.name}), sizeof((({name} *)0)->{f.name}));"
            for f in struct.fields
            if RELEASE.has(f.versions)
        ]
    for name in registry.typedefs:
        if RELEASE.has(registry.typedefs[name].versions):
            lines.append(f'  printf("{name} %zu\\n", sizeof({name}));')
    for name, table in registry.tables.items():
        if RELEASE.has(table.versions):
            lines.append(f'  printf("{name} %zu\\n", sizeof({name}));')
            lines += [
                f'  printf("{name}.{m.name} %zu\\n", offsetof({name}, {m.name}));'
                for m in table.members
                if RELEASE.has(m.versions)
            ]
    body = "\n".join(lines)
    return f"#include <stddef.h>\n#include <stdio.h>\nint main() {{\n{body}\n  return 0;\n}}\n"


def printed(folder: Path, name: str, source: str) -> list[str]:
    """Compile a program, run it, and return its lines."""
    path = folder / f"{name}.cpp"
    path.write_text(source)
    program = folder / name
    subprocess.run([*COMPILE, "-I", folder, "-I", REAL, path, "-o", program], check=True)
    return subprocess.check_output([program], text=True).splitlines()


def test_sizes_offsets_and_values_are_those_of_the_real_header(tmp_path: Path) -> None:
    """One program prints the same with the header made here and with the real one."""
    registry = hsa_spec.load()
    (tmp_path / "made.h").write_text(c_header(registry, RELEASE))
    source = facts(registry)
    real = printed(tmp_path, "real", INCLUDES + source)
    made = printed(tmp_path, "made", f'#include "made.h"\n{source}')
    assert real == made


def test_prototypes_agree_with_the_real_header(tmp_path: Path) -> None:
    """A compiler takes every prototype as a second declaration of the real one."""
    # The functions for tools have the linkage of C++ there, and no library exports them.
    includes = INCLUDES.replace("#include <hsa_api_trace.h>\n", "")
    source = f'{includes}extern "C" {{\n{prototypes(hsa_spec.load(), RELEASE)}}}\n'
    done = subprocess.run(
        [*COMPILE, "-I", REAL, "-fsyntax-only", "-xc++", "-"],
        input=source,
        text=True,
        capture_output=True,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr)


def test_a_wrong_prototype_is_noticed(tmp_path: Path) -> None:
    """The comparison of prototypes can fail."""
    source = f'{INCLUDES}extern "C" hsa_status_t hsa_iterate_agents(int twice);\n'
    done = subprocess.run(
        [*COMPILE, "-I", REAL, "-fsyntax-only", "-xc++", "-"],
        input=source,
        text=True,
        capture_output=True,
        check=False,
    )
    assert "conflicting declaration" in done.stderr


def test_header_compiles_as_strict_c(tmp_path: Path) -> None:
    """The header by itself is plain C11, for each release."""
    for release in ("5.2.3", "6.1.2", "6.4.3", "7.2.4", "1.31"):
        path = tmp_path / f"hsa-{release}.h"
        path.write_text(c_header(hsa_spec.load(), version(release)))
        user = tmp_path / "user.c"
        user.write_text(f'#include "{path.name}"\nint main() {{ return 0; }}\n')
        command = ["cc", "-std=c11", "-pedantic", "-Wall", "-Werror", "-fsyntax-only", str(user)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (0, "") == (done.returncode, done.stderr)
