"""Starting workers: other Pythons, other commands, preloaded libraries, and what can go wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import AdapterError, LibraryAdapter, Outcome

PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13")


def interpreter(version: str) -> str | None:
    """Return an interpreter of this version: on the path, or beside the others of pyenv."""
    found = shutil.which(f"python{version}")
    candidates = [found] if found else []
    candidates += map(str, (Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python3"))
    for candidate in candidates:
        done = subprocess.run([candidate, "-V"], capture_output=True, text=True, check=False)
        if done.stdout.startswith(f"Python {version}."):
            return candidate
    return None


def works(adapter: LibraryAdapter, call: Callable[..., Any]) -> bool:
    """Start an adapter and make a call, a crash and a call."""
    adapter.start()
    process = adapter.process()
    return process.call(call("fx_add", 20, 22)) == Outcome(42)


def failure(adapter: LibraryAdapter) -> str:
    with pytest.raises(AdapterError) as caught:
        adapter.start()
    return str(caught.value)


def test_the_library_is_described(make: Callable[..., Any], library: Path) -> None:
    """Path, build id and the functions that it has of the registry's."""
    subject = make().start()
    assert (subject.path, subject.build_id) == (str(library.resolve()), "c0ffee")
    assert "fx_add" in subject.exports
    assert "fx_absent" not in subject.exports
    assert {"system", "processor", "c_library", "python"} == set(subject.host)


def test_a_symbolic_link_is_followed(
    make: Callable[..., Any], library: Path, tmp_path: Path
) -> None:
    """The report names the real file."""
    link = tmp_path / "libhsa-runtime64.so.1"
    link.symlink_to(library)
    assert make(link).start().path == str(library.resolve())


def test_a_bare_name_is_left_to_the_dynamic_loader(make: Callable[..., Any]) -> None:
    """The report names what it found."""
    path = make("libc.so.6").start().path
    assert path is not None
    assert path.startswith("/")


@pytest.mark.parametrize("version", PYTHONS)
def test_the_worker_runs_under_other_pythons(
    make: Callable[..., Any], call: Callable[..., Any], version: str
) -> None:
    """Any Python from 3.9 up will do on the other side."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"needs Python {version}")
    adapter = make(via=f"{python} {{args}}")
    assert adapter.start().host["python"].startswith(version)
    process = adapter.process()
    peer = process.peer()
    number = process.open_file(1)
    assert peer.descriptors() == {}
    assert process.send_descriptor(number) in peer.descriptors()
    assert peer.call(call("fx_add", 20, 22)) == Outcome(42)


def test_a_python_that_is_too_old_is_named(make: Callable[..., Any]) -> None:
    """The message says which version is there and which is needed."""
    python = interpreter("3.8")
    if python is None:
        pytest.skip("needs Python 3.8")
    assert "Python 3.9 or newer is needed, this is 3.8" in failure(make(via=f"{python} {{args}}"))


@pytest.mark.parametrize(
    "via",
    [
        "sh -c {quoted}",
        "sh -c 'exec \"$@\"' sh {argv}",
        "env -i PATH={path} {argv}",
        "sh -c 'echo Welcome to this machine; exec sh -c \"$0\"' {quoted}",
    ],
)
def test_the_worker_runs_through_other_commands(
    make: Callable[..., Any], call: Callable[..., Any], via: str
) -> None:
    """Words, one quoted word, an empty environment, and a shell that greets."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    assert works(make(via=via.replace("{path}", path)), call)


def test_a_template_without_a_placeholder_is_refused(make: Callable[..., Any]) -> None:
    """The message names the placeholders."""
    with pytest.raises(AdapterError, match=r"has no placeholder.*\{argv\}, \{args\} or \{quoted\}"):
        make(via="ssh node")


def test_a_template_with_an_open_quote_is_refused(make: Callable[..., Any]) -> None:
    """The message says what is wrong with it."""
    with pytest.raises(AdapterError, match="not in shell quoting: No closing quotation"):
        make(via="sh -c '{quoted}")


def test_a_command_that_fails_shows_its_words(make: Callable[..., Any]) -> None:
    """Exit status and standard error of the command are in the message."""
    message = failure(make(via="sh -c 'echo no route to node >&2; exit 7' {quoted}"))
    assert "does not run Python (sh: exit status 7)" in message
    assert "no route to node" in message


def test_a_command_that_is_not_there_is_named(make: Callable[..., Any]) -> None:
    """The message names the command and the option."""
    message = failure(make(via="no-such-command {argv}"))
    assert "cannot run no-such-command: No such file or directory" in message
    assert "--via" in message


def test_a_machine_without_python_is_told(make: Callable[..., Any]) -> None:
    """The message says what to install."""
    via = "/bin/sh -c 'PATH=/nowhere; eval \"$0\"' {quoted}"
    assert "install Python 3.9 or newer" in failure(make(via=via))


def test_a_missing_library_is_named(make: Callable[..., Any], tmp_path: Path) -> None:
    """The message names the path."""
    path = tmp_path / "libnone.so"
    assert f"{path} does not exist" in failure(make(path))


def test_a_file_that_is_not_elf_is_named(make: Callable[..., Any], tmp_path: Path) -> None:
    """A linker script is not a library."""
    path = tmp_path / "libscript.so"
    path.write_text("INPUT(libother.so)")
    assert f"{path} is not an ELF file" in failure(make(path))


def test_a_library_for_another_machine_is_named(
    make: Callable[..., Any], library: Path, tmp_path: Path
) -> None:
    """The message names both machines."""
    data = bytearray(library.read_bytes())
    data[18] = 183
    path = tmp_path / "libother.so"
    path.write_bytes(data)
    message = failure(make(path))
    assert f"{path} is for AArch64, but this Python is for " in message


def test_a_library_of_32_bits_is_named(
    make: Callable[..., Any], library: Path, tmp_path: Path
) -> None:
    """The message tells it apart from one of 64 bits for the same processor."""
    data = bytearray(library.read_bytes())
    data[4] = 1
    path = tmp_path / "libshort.so"
    path.write_bytes(data)
    assert ", 32 bits, but this Python is for " in failure(make(path))


@pytest.mark.parametrize("path", ["/dev/zero", "/"])
def test_what_is_no_file_is_not_read(make: Callable[..., Any], path: str) -> None:
    """Reading a device might never end."""
    assert f"{path} is not an ordinary file: give the shared library itself" in failure(make(path))


def test_an_object_file_is_no_library(
    make: Callable[..., Any], library: Path, tmp_path: Path
) -> None:
    """Only shared libraries can be loaded."""
    data = bytearray(library.read_bytes())
    data[16] = 1
    path = tmp_path / "object.o"
    path.write_bytes(data)
    message = f"{path} cannot be loaded: it is an ELF file but not a shared library"
    assert message in failure(make(path))


def test_a_library_that_the_loader_refuses_shows_its_message(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    """A missing dependency is named by the loader."""
    source = tmp_path / "needs.c"
    source.write_text("extern int missing_symbol(void); int f(void) { return missing_symbol(); }")
    path = tmp_path / "libneeds.so"
    options = ["-shared", "-fPIC", "-Wl,-z,now"]
    subprocess.run(["cc", *options, "-o", path, source], check=True)
    message = failure(make(path))
    assert f"{path} cannot be loaded" in message
    assert "missing_symbol" in message


def test_a_library_that_crashes_while_it_is_loaded_is_told(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    """There is no process to blame yet, so the adapter cannot start."""
    source = tmp_path / "crash.c"
    source.write_text(
        "#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { abort(); }"
    )
    path = tmp_path / "libcrash.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", path, source], check=True)
    assert "signal 6" in failure(make(path))


@pytest.fixture(scope="module")
def loaded_first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library that answers for rand() what a variable says."""
    folder = tmp_path_factory.mktemp("preload")
    source = folder / "preload.c"
    source.write_text('#include <stdlib.h>\nint rand(void) { return atoi(getenv("FX_ANSWER")); }\n')
    path = folder / "libpreload.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", path, source], check=True)
    return path


@pytest.mark.parametrize("via", [None, "sh -c {quoted}"])
def test_a_library_can_be_preloaded(
    make: Callable[..., Any], call: Callable[..., Any], loaded_first: Path, via: str | None
) -> None:
    """It comes before the C library, with the variables that it needs, in the worker alone."""
    adapter = make(environment={"LD_PRELOAD": str(loaded_first), "FX_ANSWER": "4711"}, via=via)
    adapter.start()
    assert adapter.process().call(call("fx_random")) == Outcome(4711)
    assert "FX_ANSWER" not in os.environ


def test_a_library_that_cannot_be_preloaded_is_named(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    """The dynamic loader would go on without it; a run must not."""
    path = tmp_path / "libnone.so"
    assert f"{path} could not be preloaded" in failure(make(environment={"LD_PRELOAD": str(path)}))


def test_a_fault_of_the_adapter_gives_the_cores_back(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    """Sharing a core ends with the adapter, also when it cannot start."""
    cores = os.sched_getaffinity(0)
    failure(make(tmp_path / "libnone.so"))
    assert os.sched_getaffinity(0) == cores
    adapter = make()
    adapter.start()
    assert len(os.sched_getaffinity(0)) == 1
    adapter.close()
    assert os.sched_getaffinity(0) == cores
