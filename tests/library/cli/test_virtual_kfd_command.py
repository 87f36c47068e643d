"""`virtual-kfd`: programs on an imitated machine."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests.library.cli.commands import Command

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

LOOK = "import os; print(sorted(os.listdir('/sys/devices/virtual/kfd/kfd/topology/nodes')))"
OPEN = "import os; print(os.open('/dev/kfd', os.O_RDWR) > 2)"
ASK = "import fcntl, os; fcntl.ioctl(os.open('/dev/kfd', os.O_RDWR), {request}, bytearray(64))"


def test_a_program_sees_the_machine(program: Command) -> None:
    """It finds the topology and the device that the description says."""
    words = ("virtual-kfd", "run", "--machine", "gfx90a-2", "--", sys.executable, "-c")
    assert "['0', '1', '2']\n" == program("hsa-conformance", *words, LOOK).out
    assert "True\n" == program("hsa-conformance", *words, OPEN).out


def test_the_status_is_the_programs(program: Command) -> None:
    """The command can stand for the program in a script."""
    words = ("virtual-kfd", "run", "--", "sh", "-c", "exit 7")
    assert 7 == program("hsa-conformance", *words).status


def test_with_paths_only_no_device_answers(program: Command) -> None:
    """The files are there, and what is asked of the device goes to the kernel."""
    words = ("virtual-kfd", "run", "--paths-only", "--", sys.executable, "-c")
    assert "['0', '1']\n" == program("hsa-conformance", *words, LOOK).out
    version = ASK.format(request=0x80084B01)
    assert "Inappropriate ioctl" in program("hsa-conformance", *words, version).err


def test_what_is_not_imitated_is_named(program: Command) -> None:
    """A program that wants more than there is must not pass for one that failed by itself."""
    words = ("virtual-kfd", "run", "--", sys.executable, "-c", ASK.format(request=0xC0084B7F))
    done = program("hsa-conformance", *words)
    assert 3 == done.status
    assert "ioctl of /dev/kfd 0x7f is not imitated" in done.err


def test_a_call_is_refused(program: Command) -> None:
    """The n-th call of a kind fails with the errno that was asked for, and the calls are listed."""
    opened = "[os.open('/dev/kfd', os.O_RDWR) for _ in range(2)]"
    words = ("--calls", "--refuse", "open_kfd:EACCES:2", "--", sys.executable, "-c")
    done = program("hsa-conformance", "virtual-kfd", "run", *words, f"import os; {opened}")
    assert 1 == done.status
    assert "Permission denied: '/dev/kfd'" in done.err
    assert "\nopen_kfd: 2\n" in done.err


def test_build_writes_the_library_and_says_how_to_use_it(program: Command, tmp_path: Path) -> None:
    """The folder can be used without this program."""
    done = program("hsa-conformance", "virtual-kfd", "build", "--out", "machine")
    assert 0 == done.status
    assert (tmp_path / "machine" / "libvirtual-kfd.so").exists()
    assert f"HSA_VIRTUAL_KFD={tmp_path / 'machine'}" in done.out


def test_build_says_how_to_start_the_device(program: Command, tmp_path: Path) -> None:
    """The device of a folder is a process that runs for as long as kernels are to be executed."""
    words = ("virtual-kfd", "build", "--machine", "gfx90a-kernels", "--out", "machine")
    command = shlex.split(program("hsa-conformance", *words).out.splitlines()[-1])
    assert ["hsa_device.server", str(tmp_path / "machine"), "gfx90a:104:1"] == command[-3:]


def test_machines_are_listed(program: Command) -> None:
    """A user can choose without reading the package's files."""
    listed = program("hsa-conformance", "virtual-kfd", "machines").out
    assert "gfx90a-2: driver 1.17, gfx90a, gfx90a\n" in listed


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["run"], 2, "say what to run"),
        (["run", "--", "/nowhere/program"], 2, "cannot run /nowhere/program"),
        (
            ["run", "--machine", "nope", "--", "true"],
            2,
            "name a file, or one of apu, cpu, gfx1100, ",
        ),
        (["run", "--refuse", "mmap", "--", "true"], 2, "write CALL:ERRNO, CALL:ERRNO:N or CALL:"),
        (["run", "--refuse", "mmap:ENOMEM:0", "--", "true"], 2, "write CALL:ERRNO, CALL:ERRNO:N"),
        (["run", "--refuse", "MMAP:ENOMEM", "--", "true"], 2, "no call 'MMAP' can be refused; "),
        (["run", "--refuse", "mmap:EACCES", "--", "true"], 2, "it is with ENOMEM, EAGAIN"),
        (["build", "--out", "/proc/nowhere"], 2, "name a folder that can be written"),
    ],
    ids=[
        "no program",
        "unknown program",
        "unknown machine",
        "refusal without an errno",
        "refusal of no call",
        "refusal of an unknown call",
        "errno that the call never gives",
        "no folder",
    ],
)
def test_wrong_use_is_refused(
    program: Command, words: list[str], status: int, message: str
) -> None:
    """The message says what to do."""
    done = program("hsa-conformance", "virtual-kfd", *words)
    assert status == done.status
    assert message in done.err


@pytest.mark.parametrize(
    ("words", "variables", "message"),
    [
        (
            ["--machine", "gfx1201"],
            {},
            "kernels of gfx90a, gfx942 and gfx1100, and none of gfx1201",
        ),
        ([], {"HSA_DEVICE_LLVM": "/nowhere/libLLVM-15.so"}, "/nowhere/libLLVM-15.so"),
    ],
    ids=["another processor", "no LLVM"],
)
def test_a_device_that_cannot_be_had_is_told(
    program: Command,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    variables: dict[str, str],
    message: str,
) -> None:
    """Nothing is run, and a line says what is missing."""
    pytest.importorskip("numpy")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    given = ("virtual-kfd", "run", "--device", *words, "--", "echo", "run")
    done = program("hsa-conformance", *given)
    assert (3, "") == (done.status, done.out)
    assert "hsa-conformance: the device does not start: " in done.err
    assert message in done.err


def test_without_a_compiler_it_says_what_to_install(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The library is compiled where it is used."""
    monkeypatch.setenv("CC", "no-such-compiler")
    done = command("virtual-kfd", "build", "--out", tmp_path / "machine")
    assert 3 == done.status
    assert "install one (Debian and Ubuntu: gcc and libc6-dev)" in done.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "m.yaml:2: not YAML"),
        ("host_memory: 1 GiB", "m.yaml:1: host_memory is now memory of the item of cpus"),
    ],
    ids=["no YAML", "older"],
)
def test_a_malformed_machine_is_refused(
    command: Command, tmp_path: Path, text: str, message: str
) -> None:
    """The message names the file and the rule."""
    (tmp_path / "m.yaml").write_text(text)
    done = command("virtual-kfd", "run", "--machine", tmp_path / "m.yaml", "--", "true")
    assert 3 == done.status
    assert message in done.err
