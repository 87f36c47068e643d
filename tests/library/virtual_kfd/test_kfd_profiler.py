"""The profiler that a machine has: whose library a program gets, and what ours answers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hsa_adapters.virtual_kfd.build import PROFILER
from hsa_adapters.virtual_kfd.folder import VirtualKfd

#: A library that loads another one by name, as a runtime does, and says what that one answers.
RUNTIME = """
#define _GNU_SOURCE
#include <dlfcn.h>
unsigned answer(const char *name, const char *function)
{
    void *found = dlopen(name, RTLD_LAZY);
    unsigned (*ask)(void) = found ? dlsym(found, function) : 0;
    unsigned answered = ask ? ask() : 0;
    if (found)
        dlclose(found);
    return answered;
}
"""

PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
unsigned answer(const char *name, const char *function);
int main(int count, char **words)
{
    char maps[4096];
    (void)count;
    printf("%u\\n", answer(words[1], words[2]));
    for (FILE *file = fopen("/proc/self/maps", "r"); fgets(maps, sizeof maps, file);)
        if (strstr(maps, words[1]))
            return 1;
    return 0;
}
"""

VERSION = "hsa_ven_amd_aqlprofile_version_major"

Compile = Callable[..., Path]


@pytest.fixture
def compiled(tmp_path: Path) -> Compile:
    """Return a function that compiles a source of C into a folder of this test."""

    def compiled(name: str, source: str, *options: str) -> Path:
        made = tmp_path / name
        made.parent.mkdir(exist_ok=True)
        command = ["cc", "-O1", "-x", "c", "-", "-x", "none", "-o", str(made), *options]
        subprocess.run(command, input=source, text=True, check=True)
        return made

    return compiled


@pytest.fixture
def program(compiled: Compile) -> Path:
    """A program with a runtime in a folder of its own, whose RUNPATH names that folder."""
    runpath = ("-Wl,--enable-new-dtags", "-Wl,-rpath,$ORIGIN")
    runtime = compiled("runtime/libruntime.so", RUNTIME, "-shared", "-fPIC", *runpath)
    return compiled("program", PROGRAM, str(runtime), f"-Wl,-rpath,{runtime.parent}")


def answered(program: Path, variables: Mapping[str, str], *words: str) -> tuple[str, int]:
    """Return what a program prints on a machine, and how it ends."""
    environment = {**os.environ, **variables}
    done = subprocess.run(
        [program, *words], env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout.strip(), done.returncode


def test_a_machine_has_a_profiler_that_can_be_unloaded(program: Path, gfx90a: VirtualKfd) -> None:
    """A program that closes it has it no longer."""
    assert ("2", 0) == answered(program, gfx90a.environment(), PROFILER, VERSION)


def test_without_a_machine_there_is_none(program: Path, gfx90a: VirtualKfd) -> None:
    variables = {**gfx90a.environment(), "HSA_VIRTUAL_KFD": ""}
    assert ("0", 0) == answered(program, variables, PROFILER, VERSION)


@pytest.mark.parametrize(("folder", "path"), [("runtime", ""), ("elsewhere", "elsewhere")])
def test_another_profiler_is_preferred(
    program: Path, compiled: Compile, gfx90a: VirtualKfd, folder: str, path: str
) -> None:
    """It lies beside the runtime, or where the dynamic loader finds it."""
    other = f"unsigned {VERSION}(void) {{ return 7; }}"
    made = compiled(f"{folder}/{PROFILER}", other, "-shared", "-fPIC")
    search = {"LD_LIBRARY_PATH": str(made.parent)} if path else {}
    variables = {**gfx90a.environment(), **search}
    assert ("7", 0) == answered(program, variables, PROFILER, VERSION)


def test_other_libraries_are_found_where_their_loader_looks(
    program: Path, compiled: Compile, gfx90a: VirtualKfd
) -> None:
    """The RUNPATH is that of the library that loads one, not ours."""
    compiled("runtime/libother.so", "unsigned other(void) { return 5; }", "-shared", "-fPIC")
    assert ("5", 0) == answered(program, gfx90a.environment(), "libother.so", "other")
