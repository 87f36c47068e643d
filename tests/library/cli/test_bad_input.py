"""Every bad input gets one clear line on stderr, an exit status, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hsa_spec
from hsa_spec import RegistryError
from tests.library.cli.commands import Command, CommandResult


def refused(done: CommandResult, status: int, *words: str) -> None:
    """Assert that a command was refused with one line that holds some words."""
    assert status == done.status, done.err
    assert "Traceback" not in done.err
    [line] = [line for line in done.err.splitlines() if line.startswith("hsa-conformance")]
    for word in words:
        assert word in line
    assert "" == done.out


def nothing_written(folder: Path) -> None:
    assert [] == list(folder.iterdir())


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--library", "/nowhere/lib.so"], 2, "/nowhere/lib.so does not exist"),
        (["--library", "/"], 2, "is not an ordinary file: give the shared library itself"),
        (["--library", ""], 2, "the value is empty"),
        (["--adapter", ""], 2, "the value is empty"),
        (["--for", "10m"], 2, "--for says how long --profile soak takes"),
        *(
            (["--profile", "soak", "--for", text], 2, f"{text!r} is no time such as 90s")
            for text in ("0s", "0.0h", "90", "m", "1d", "inf", "1e9s", "")
        ),
        (["--host", ""], 2, "the value is empty"),
        (["--library", "libc.so.6"], 2, "has no function of the HSA runtime API"),
        (["--library", "libnowhere.so"], 2, "libnowhere.so cannot be loaded: libnowhere.so: "),
        (["--library", sys.executable], 2, "cannot be loaded"),
        (["--library", "/x.so", "--via", "nowhere {argv}"], 2, "cannot run nowhere"),
        (["--library", "/x.so", "--via", "cat"], 2, "has no placeholder"),
        (["--library", "/x.so", "--via", "'"], 2, "not in shell quoting"),
        (["--adapter", "nope"], 2, "unknown adapter 'nope'; installed are library, reference"),
        (["--adapter", "library"], 2, "needs --library PATH"),
        (["--adapter", "reference", "--library", "/x.so"], 2, "leave out --library"),
        (
            ["--claim", "/x.yaml"],
            2,
            "the reference claims what it has: --claim goes with --library",
        ),
        (["--emulated", "mirage"], 2, "--emulated goes with --library"),
        (["--library", "/x.so", "--emulated", ""], 2, "the value is empty"),
        (
            ["--library", "/x.so", "--emulated", "mirage", "--virtual-kfd"],
            2,
            "--virtual-kfd imitates the driver itself: leave out --emulated",
        ),
        (["--machine", "nope"], 2, "one of apu, cpu, gfx1100, gfx1100-kernels, gfx1201"),
        (["--host", "nope"], 2, "nope"),
        (["--library", "/x.so", "--claim", "/x.yaml"], 2, "--claim: there is no /x.yaml"),
        (["--baseline", "/"], 2, "--baseline: / is a folder; name a file, or one of rocr"),
        (["--machine", "/"], 2, "--machine: / is a folder; name a file, or one of apu"),
        (["--library", "/x.so", "--claim", "/"], 2, "--claim: / is a folder; name a file"),
        (["--library", "/x.so", "--virtual-kfd", "/"], 2, "--virtual-kfd: / is a folder; name a"),
        (["--machine", ""], 2, "the value is empty"),
        (["--select", ""], 2, "the value is empty"),
        (["--out", ""], 2, "the value is empty"),
        (["--baseline", "nope"], 2, "--baseline: there is no nope; name a file, or one of rocr"),
        (["--library", "/x.so", "--virtual-kfd", "nope"], 2, "there is no nope; name a file, or"),
        (["--host", "sid", "--library", "/x.so"], 2, "leave out --library and --via"),
        (["--select", "vmen"], 2, "did you mean vmem"),
        (["--select", "hsa_init/sucess"], 2, "did you mean hsa_init/success"),
        (["--release", "new"], 2, "'new' is no release such as 6.1.2"),
        (["--release", "0.0"], 2, "'0.0' is no release such as 6.1.2"),
        (["--release", "06.1"], 2, "'06.1' is no release such as 6.1.2"),
        (["--release", "6.1.2.3"], 2, "is no release such as 6.1.2"),
        (["--release", "\u0666.\u0661"], 2, "is no release such as 6.1.2"),
        (["--profile", "slow"], 2, "choose from"),
        (["--budget", "0"], 2, "'0' is no time such as 5 or 0.5"),
        (["--budget", "soon"], 2, "'soon' is no time"),
        (["--memory-budget", "-1"], 2, "'-1' is no number of MiB such as 1024"),
        (["-n", "-1"], 2, "'-1' is no number such as 4"),
        (["--threads", "x"], 2, "'x' is no number such as 4"),
        (["--memory", "0"], 2, "'0' is no limit such as 1024"),
        (["--output", "0.5"], 2, "'0.5' is no number of MiB such as 1024"),
        (["--seed", "x"], 2, "--seed"),
        (["--nonsense"], 2, "--nonsense"),
    ],
)
def test_wrong_options_of_run(
    command: Command, tmp_path: Path, words: list[str], status: int, message: str
) -> None:
    """What cannot be run is refused before anything is written."""
    refused(command("run", *words), status, message)
    nothing_written(tmp_path)


@pytest.mark.parametrize("kind", ["pipe", "device", "digits"])
@pytest.mark.parametrize(
    "words",
    [
        ("run", "--library", "/x.so", "--claim"),
        ("run", "--library", "/x.so", "--virtual-kfd"),
        ("run", "--machine"),
        ("run", "--baseline"),
        ("run", "--against"),
        ("run", "--library"),
        ("baseline", "check"),
        ("baseline", "create", "--out", "baseline.yaml"),
        ("compare",),
        ("merge", "--out", "merged"),
        ("report", "json"),
        ("spec", "verify-headers"),
    ],
    ids=" ".join,
)
def test_file_that_is_no_text(
    command: Command, tmp_path: Path, words: tuple[str, ...], kind: str
) -> None:
    """A pipe is not waited for, a device is not read without end, and no number is too long."""
    named = tmp_path / "named"
    if kind == "pipe":
        os.mkfifo(named)
    elif kind == "device":
        named.symlink_to("/dev/zero")
    else:
        named.write_text(f"implementation: {'9' * 5000}\n", "utf-8")
    refused(command(*words, "named", *(("named",) if words == ("compare",) else ())), 2)
    assert [named] == list(tmp_path.iterdir())


BOMB = "a0: &a0 [1]\n" + "".join(
    f"a{n}: &a{n} [{', '.join(10 * [f'*a{n - 1}'])}]\n" for n in range(1, 10)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "nested deeper than 50 levels"),
        ("- " * 100_000, "nested deeper than 50 levels"),
        (BOMB, "more than 200000 values, with aliases written out"),
        ("a: &a [*a]", "*a stands for nothing yet"),
        ("a: [", "expected"),
        ("\ufeff: \x00", ""),
    ],
    ids=["flow", "block", "aliases", "an alias of itself", "cut off", "control characters"],
)
@pytest.mark.parametrize(
    "words",
    [
        ["--baseline", "x.yaml"],
        ["--machine", "x.yaml"],
        ["--library", "/x.so", "--claim", "x.yaml"],
        ["--library", "/x.so", "--virtual-kfd", "x.yaml"],
    ],
    ids=["baseline", "machine", "claim", "virtual KFD"],
)
def test_broken_yaml_of_any_kind(
    command: Command, tmp_path: Path, words: list[str], text: str, message: str
) -> None:
    """It is refused with one line, before it can take memory, time or the process."""
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    refused(command("run", *words), 2, message)
    assert [tmp_path / "x.yaml"] == list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["[" * 100_000, BOMB])
def test_broken_registry(tmp_path: Path, text: str) -> None:
    (tmp_path / "core.yaml").write_text(text)
    with pytest.raises(RegistryError, match="not YAML: "):
        hsa_spec.load(tmp_path)


def test_damaged_host_is_named(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`hosts list` says which folder is no host any more, and what to do with it."""
    host = tmp_path / "hsa-conformance" / "hosts" / "sid"
    host.mkdir(parents=True)
    (host / "hsa-host.json").write_text("{}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    refused(command("hosts", "list"), 3, f"{host} is damaged", "delete it and create it again")


def test_unknown_group_of_check(command: Command, tmp_path: Path) -> None:
    """`check` wants a name that the registry knows."""
    refused(command("check", "pool"), 2, "'pool' is no group", "did you mean pools")
    nothing_written(tmp_path)


def test_reference_without_a_compiler(
    program: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was never compiled for this user needs a compiler, and the message says which."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CC", "no-such-compiler")
    done = program("hsa-conformance", "run", "--select", "hsa_init")
    assert 3 == done.status
    assert 1 == done.err.count("\n")
    wanted = "hsa-conformance: the reference needs atomic operations in C: there is no C compiler"
    assert done.err.startswith(f"{wanted} 'no-such-compiler': install one (Debian and Ubuntu: gcc")


def test_reference_with_kernels_that_are_not_there(
    program: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of kernels that cannot be read is one line."""
    monkeypatch.setenv("HSA_REFERENCE_KERNELS", "none.yaml")
    done = program("hsa-conformance", "run", "--select", "hsa_init")
    wanted = "hsa-conformance: none.yaml: No such file or directory; name a file of kernels\n"
    assert (3, wanted) == (done.status, done.err)


def test_file_that_is_no_library(command: Command, tmp_path: Path) -> None:
    """A file that is not ELF is refused by name, and no folder of a run is left."""
    text = tmp_path / "text.so"
    text.write_text("not a library\n")
    refused(command("run", "--library", text, "--out", tmp_path / "a" / "b"), 2, "not an ELF file")
    assert [text] == list(tmp_path.iterdir())


def test_library_of_another_machine(
    command: Command, fake: Callable[..., Path], tmp_path: Path
) -> None:
    """A library for another processor is refused with both names."""
    content = bytearray(fake("honest").read_bytes())
    content[18] = 40  # e_machine: ARM
    library = tmp_path / "arm.so"
    library.write_bytes(content)
    refused(command("run", "--library", library, "--out", tmp_path / "x"), 2, "is for ARM")
    assert [library] == list(tmp_path.iterdir())


def test_library_that_was_cut_off(
    command: Command, fake: Callable[..., Path], tmp_path: Path
) -> None:
    """Half a library does not take the suite with it."""
    library = tmp_path / "half.so"
    library.write_bytes(fake("honest").read_bytes()[:3000])
    refused(command("run", "--library", library, "--out", tmp_path / "x"), 3)
    assert [library] == list(tmp_path.iterdir())


def test_output_folder_that_cannot_be_made(command: Command, tmp_path: Path) -> None:
    """A folder below a file cannot be made, and another is asked for."""
    (tmp_path / "file").touch()
    done = command("run", "--select", "init", "--out", tmp_path / "file" / "run")
    refused(done, 2, "cannot write to", "choose another folder with --out")
    assert [tmp_path / "file"] == list(tmp_path.iterdir())


def test_output_folder_of_another_run(command: Command, run_folder: Path) -> None:
    """A run does not write over another."""
    before = (run_folder / "events.jsonl").read_bytes()
    refused(command("run", "--select", "init", "--out", run_folder), 2, "already holds a run")
    assert before == (run_folder / "events.jsonl").read_bytes()


def test_empty_folder_of_the_user_is_kept(command: Command, tmp_path: Path) -> None:
    """Only folders that the run itself made are taken away when it is not carried out."""
    mine = tmp_path / "mine"
    mine.mkdir()
    refused(command("run", "--adapter", "nope", "--out", mine / "x"), 2, "unknown adapter")
    assert [mine] == list(tmp_path.iterdir())
    nothing_written(mine)


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["spec", "show", "hsa_initt"], 2, "did you mean hsa_init"),
        (["spec", "coverage", "nope"], 2, "'nope' is no group"),
        (["report", "html", "nowhere"], 2, "nowhere: cannot read the event file"),
        (["report", "html", "."], 2, "events.jsonl: cannot read the event file"),
        (["report", "pdf", "."], 2, "'pdf'"),
        (["hosts", "create", "nope"], 2, "unknown suite 'nope'"),
        (["hosts", "create", "sid", "--out", "/dev/null"], 2, "Not a directory; choose another"),
        (["hosts", "create", "sid", "--out", "/dev/null/x"], 2, "choose another folder"),
        (["check", ""], 2, "the value is empty"),
        (["check", "smoke/agent"], 2, "the levels are smoke/initialise, smoke/agents, smoke/reg"),
        (["check", "smok"], 2, "did you mean smoke"),
        (["check", "vmem", "--status", "INVALID_SIGNL"], 2, "did you mean ERROR_INVALID_SIGNAL"),
        (["check", "vmem", "--status", "INVALID_CACHE"], 2, "no clause of vmem leads to HSA_STA"),
        (["check", "vmen", "--status", "INVALID_AGENT"], 2, "did you mean vmem"),
        (["check", "init", "--out", "/proc/nowhere"], 2, "choose another folder with --out"),
        (["compare", "nowhere", "nowhere"], 2, "nowhere: cannot read the event file"),
        (["compare", "."], 2, "needs two runs or more"),
        (["compare", ".", ".", "--sets", "-"], 2, "--sets needs the name of a file"),
        (["compare", ".", ".", "--sets", "x", "--html", "y"], 2, "leave out --html and --markdown"),
        (["report", "html", ".", "--set", "base"], 2, "--set goes with badge"),
        (["reproduce", "nowhere", "hsa_init/success"], 2, "nowhere: cannot read the event file"),
        (["findings", "show", "nope"], 2, "there is no finding nope"),
        (["findings", "show", "agent-names", "--out", "/"], 2, "cannot write /: Is a directory"),
        (["spec", "list", "nope"], 2, "'nope' is no topic"),
        (["spec", "where", "nope"], 2, "nothing is named 'nope'"),
        (["spec", "sets", "nope"], 2, "there is no set 'nope'"),
        (["spec", "diff", "x", "1.2"], 2, "'x' is not a version"),
        (["spec", "header", "--release", "x"], 2, "'x' is not a version"),
        (["spec", "pages", "--out", "/dev/null"], 2, "cannot write to /dev/null"),
        (["spec", "verify-headers", "/dev/null"], 2, "name the folder that holds hsa.h"),
        (["reference-library", "--out", "/dev/null"], 2, "name a folder that can be written"),
        (["virtual-kfd", "build", "--out", "/dev/null"], 2, "name a folder that can be written"),
        (["virtual-kfd", "run", "--machine", "/", "--", "true"], 2, "--machine: / is a folder"),
        (["virtual-kfd", "run"], 2, "say what to run"),
    ],
)
def test_wrong_words_of_other_commands(
    command: Command, tmp_path: Path, words: list[str], status: int, message: str
) -> None:
    """Every other command refuses in the same way."""
    refused(command(*words), status, message)
    nothing_written(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no run was written to it"),
        (b"garbage\n", "line 1: no JSON object"),
        (b"{}\n", "line 1: "),
        (b"\xff\xfe\x00\n", "line 1: no JSON object"),
    ],
)
def test_event_file_that_is_none(
    command: Command, tmp_path: Path, content: bytes, message: str
) -> None:
    """What is no event file is refused with the line."""
    (tmp_path / "e.jsonl").write_bytes(content)
    refused(command("report", "html", "e.jsonl", "--out", "r.html"), 2, "e.jsonl", message)
    assert not (tmp_path / "r.html").exists()


def test_event_file_that_was_cut_off(command: Command, run_folder: Path, tmp_path: Path) -> None:
    """The unfinished last line of a killed run is left out, and the report says so."""
    content = (run_folder / "events.jsonl").read_bytes()
    lines = content.splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[:2]) + lines[2][:20])
    done = command("report", "markdown", "cut.jsonl")
    assert 0 == done.status
    assert "Line 3 was cut off while it was written, and is left out." in done.out
    assert "The run was cut short" in done.out


def test_report_that_cannot_be_written(command: Command, run_folder: Path) -> None:
    """A place that does not exist is named."""
    done = command("report", "html", run_folder, "--out", "nowhere/report.html")
    refused(done, 2, "cannot write nowhere/report.html: No such file", "name another file")


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("function: [\n", 2, "not YAML"),
        ("- 1\n", 1, "expected a mapping such as 'function: hsa_init'"),
        ("enum: e\nheader: hsa.h\nsummary: s\nenumeratorz: []\n", 4, "unknown key 'enumeratorz'"),
        ("nonsense: 1\n", 1, "expected a key"),
        ("enum: e\nenum: f\n", 2, "the key 'enum' is given twice"),
    ],
)
def test_malformed_registry_names_file_line_and_rule(
    tmp_path: Path, text: str, line: int, expected: str
) -> None:
    """A file that breaks a rule is refused with its name, the line, and what was expected."""
    file = tmp_path / "core.yaml"
    file.write_text(text)
    with pytest.raises(RegistryError) as caught:
        hsa_spec.load(tmp_path)
    assert (file, line) == (caught.value.path, caught.value.line)
    assert expected in caught.value.rule
    assert str(caught.value).startswith(f"{file}:{line}: ")


def test_folder_without_a_registry(tmp_path: Path) -> None:
    """An empty folder is no registry."""
    with pytest.raises(RegistryError, match="no registry here"):
        hsa_spec.load(tmp_path)


def test_malformed_registry_ends_a_command(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command on a broken registry says so in one line."""

    def broken() -> None:
        raise RegistryError("core.yaml", 3, "unknown key 'x'")

    monkeypatch.setattr(hsa_spec, "load", broken)
    refused(command("spec", "list"), 3, "the registry is malformed: core.yaml:3: unknown key 'x'")
