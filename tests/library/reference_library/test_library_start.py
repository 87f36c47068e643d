"""How the first call starts Python, joins the one that is there, or refuses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hsa_reference.library import build
from hsa_reference.library.interpreter import Interpreter
from hsa_spec import Registry

TWICE = 'int main(void) { printf("%#x ", hsa_init()); printf("%#x", hsa_init()); }'
FROM_PYTHON = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
print(hex(library.hsa_init()), hex(library.hsa_init()))
"""


def other_pythons() -> list[str]:
    """Return one executable of every version that is not this one."""
    names = ("python3", *(f"python3.{minor}" for minor in range(9, 16)))
    # The system's own as well, which an environment may hide: another patch release of this minor
    # version is another Python, too.
    found_by_name = [shutil.which(n, path=p) for p in (None, os.defpath) for n in names]
    folders = filter(None, os.environ.get("HSA_TEST_PYTHONS", "").split(os.pathsep))
    in_folders = [p for f in folders for p in sorted(Path(f).glob("*/bin/python3"))]
    found = {sys.version: sys.executable}
    paths: list[str | Path] = [*filter(None, found_by_name), *in_folders]
    for path in paths:
        code = "import sys, ctypes; sys.stdout.write(sys.version)"
        try:
            done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        found.setdefault(done.stdout, str(path))
    return list(found.values())[1:]


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one line on stderr of a process whose every call answered FATAL."""
    assert ["0x1026", "0x1026"] == done.stdout.split()
    [line] = done.stderr.splitlines()
    return line


def test_c_program_starts_python_whatever_the_environment_says(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        TWICE, toy_library, PYTHONHOME="/nowhere", PYTHONPATH="/nowhere", PATH="", LC_ALL="C"
    )

    assert ("0 0", "") == (done.stdout, done.stderr)


def test_started_python_leaves_signals_and_the_locale_of_the_program_alone(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        """
        #include <locale.h>
        #include <signal.h>
        int main(void)
        {
            struct sigaction before[32], after;
            for (int number = 1; number < 32; number++)
                sigaction(number, NULL, &before[number]);
            hsa_init();
            for (int number = 1; number < 32; number++)
                if (!sigaction(number, NULL, &after)
                        && after.sa_handler != before[number].sa_handler)
                    printf("%d ", number);
            printf("%s", setlocale(LC_ALL, NULL));
        }
        """,
        toy_library,
        LC_ALL="C.UTF-8",
    )

    assert ("C", "") == (done.stdout, done.stderr)


def test_same_python_is_joined(run_python: Callable[..., Any], toy_library: Path) -> None:
    done = run_python(FROM_PYTHON, toy_library)

    assert ("0x0 0x0\n", "") == (done.stdout, done.stderr)


def test_call_that_holds_pythons_lock_is_answered(
    run_python: Callable[..., Any], toy_library: Path
) -> None:
    done = run_python(FROM_PYTHON.replace("CDLL", "PyDLL"), toy_library)

    assert ("0x0 0x0\n", "") == (done.stdout, done.stderr)


def test_python_that_a_plugin_loaded_for_itself_is_found(
    run_c: Callable[..., Any], toy_library: Path, python: Interpreter
) -> None:
    done = run_c(
        f"""
        #include <dlfcn.h>
        int main(void)
        {{
            void *python = dlopen("{python.libpython}", RTLD_NOW | RTLD_LOCAL);
            ((void (*)(int))dlsym(python, "Py_InitializeEx"))(0);
            ((void *(*)(void))dlsym(python, "PyEval_SaveThread"))();
            printf("%#x", hsa_init());
            ((int (*)(void))dlsym(python, "PyGILState_Ensure"))();
            ((int (*)(const char *, void *))dlsym(python, "PyRun_SimpleStringFlags"))(
                "import sys; print('', 'hsa_reference' in sys.modules, flush=True)", NULL);
        }}
        """,
        toy_library,
        PYTHONHOME=str(python.prefix),
    )

    assert sorted(["0", "True"]) == sorted(done.stdout.replace("True", "True ").split())
    assert "" == done.stderr


@pytest.mark.parametrize("loader", ["CDLL", "PyDLL"])
def test_other_versions_of_python_are_refused(
    run_python: Callable[..., Any], toy_library: Path, loader: str
) -> None:
    executables = other_pythons()
    if len(executables) < 2:
        pytest.skip("fewer than two other versions of Python: name folders in HSA_TEST_PYTHONS")

    for executable in executables:
        done = run_python(FROM_PYTHON.replace("CDLL", loader), toy_library, executable)

        line = refusal(done)
        assert "(reference): this process runs Python 3." in line
        assert "start the program with" in line


def test_same_version_in_another_place_is_refused(
    run_python: Callable[..., Any], tmp_path: Path, toy: Registry, toy_python: Interpreter
) -> None:
    library = build(tmp_path, toy, replace(toy_python, prefix=tmp_path))

    assert f"the library was built with the one in {tmp_path}" in refusal(
        run_python(FROM_PYTHON, library)
    )


def test_packages_that_were_moved_are_missed(
    run_c: Callable[..., Any], toy_library: Path, package: Path
) -> None:
    package.rename(package.with_name("moved"))

    line = refusal(run_c(TWICE, toy_library))

    assert "ModuleNotFoundError: No module named 'hsa_reference'" in line
    assert line.endswith("build the library again with `hsa-conformance reference-library`")


def test_reference_that_lacks_a_function_is_refused(
    run_c: Callable[..., Any], toy_library: Path, package: Path
) -> None:
    init = package / "hsa_reference" / "__init__.py"
    init.write_text(init.read_text().replace('"hsa_store"', '"hsa_stored"'))

    assert "LookupError: the reference has no hsa_store" in refusal(run_c(TWICE, toy_library))


@pytest.mark.parametrize("field", ["libpython", "stdlib"])
def test_python_that_was_moved_is_missed(
    run_c: Callable[..., Any], tmp_path: Path, toy: Registry, toy_python: Interpreter, field: str
) -> None:
    moved: dict[str, Any] = {field: tmp_path / "gone"}
    library = build(tmp_path / "out", toy, replace(toy_python, **moved))

    line = refusal(run_c(TWICE, library))

    assert f"{tmp_path}/gone" in line
    assert "build the library again" in line


def test_python_that_does_not_start_is_reported(
    run_c: Callable[..., Any], tmp_path: Path, toy: Registry, toy_python: Interpreter
) -> None:
    library = build(tmp_path / "out", toy, replace(toy_python, prefix=tmp_path))

    done = run_c(TWICE, library)

    assert "0x1026 0x1026" == done.stdout
    assert "does not start (" in done.stderr.splitlines()[-1]


def test_function_without_a_status_aborts_when_the_library_cannot_start(
    run_c: Callable[..., Any], toy_library: Path, package: Path
) -> None:
    package.rename(package.with_name("moved"))

    done = run_c("int main(void) { hsa_init(); hsa_store((hsa_agent_t){1}); }", toy_library)

    assert -6 == done.returncode
    assert "hsa_store: it has no status to return" in done.stderr.splitlines()[-1]
