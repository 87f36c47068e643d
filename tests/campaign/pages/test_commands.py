"""Each command of this project that a document shows does what it should.

What judges a library is asked what it would do (`--dry-run`): names, files and options have to be
right, and nothing is judged here. The rest is carried out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hsa_conformance.cli import main
from tests.campaign.pages.documented_commands import Command, commands

CLAUSE = "hsa_amd_vmem_address_free/in-use"

#: What is carried out nowhere here, and why.
NOT_RUN: Mapping[str, str] = {
    r"--host |hosts create|\$HOST": "it needs a release of ROCr that is downloaded",
    r"--device": "tests/rocr/real/test_kernels.py does it, with a program and an LLVM",
    r"spec coverage --reference": "it judges the whole reference, for minutes",
    r"spec lint --ambiguities": "it takes half a minute, and has tests of its own",
    r"spec verify-headers": "it needs headers of ROCm, and has tests of its own",
    r"\{\}/3": "GNU parallel writes the number between the braces",
}
#: Words that a reader replaces, or that name places of another machine, and what is here instead.
STAND_INS: Mapping[str, str] = {
    "RUN...": "shard1 shard2 shard3",
    "RUN": "runs/mine",
    "CLAUSE": CLAUSE,
    "hsa_amd_vmem_address_reserve/va-null": CLAUSE,
    "DIR": "made",
    "FILE": "made.txt",
    "/tmp/reference": "reference",
    "/opt/rocm/": "opt/rocm/",
    "/usr/lib/libmine.so": "libmine.so",
    "/opt/musl/bin/python3": "python3",
}
LIBRARIES = (
    *("PATH", "LIB", "libmine.so", "libhsa-runtime64.so.1"),
    *(
        f"{folder}/libhsa-runtime64.so.1"
        for folder in ("old-build/lib", "new-build/lib", "prefix/lib", "base", "head")
    ),
    "opt/rocm/lib/libhsa-runtime64.so.1",
)
RUNS = (
    *("old", "new", "conformance", "rocm-5.2", "rocm-6.1", "rocm-6.4", "rocm-7.2"),
    *("rocr", "mine", "emulator"),
)


def reason(command: Command) -> str | None:
    """Return why a command is not carried out here, None where it is."""
    return next((why for what, why in NOT_RUN.items() if re.search(what, command.text)), None)


def conformance(folder: Path, *words: str, status: int = 0) -> None:
    program = Path(sys.executable).with_name("hsa-conformance")
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, check=False)
    assert status == done.returncode, done.stderr


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, fake: Callable[..., Path]) -> Path:
    """Return a folder with all that the commands name: libraries, runs, shards, and files."""
    folder = tmp_path_factory.mktemp("prepared")
    broken = folder / "build" / "lib" / "libhsa-runtime64.so.1"
    for library in [broken, *(folder / name for name in LIBRARIES)]:
        library.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(fake("wrong_status" if library == broken else "honest"), library)
    judged = ("--claim", "exported", "--select", CLAUSE, "--out", "runs/mine")
    conformance(folder, "run", "--library", str(broken), *judged, status=1)
    for name in RUNS:
        shutil.copytree(folder / "runs" / "mine", folder / name)
    for number in (1, 2, 3):
        shard = (
            "--select",
            "hsa_signal_create",
            "--shard",
            f"{number}/3",
            "--out",
            f"shard{number}",
        )
        conformance(folder, "run", *shard)
        shutil.copytree(folder / f"shard{number}", folder / "shards" / str(number))
    conformance(folder, "baseline", "create", "runs/mine", "-o", "known.yaml")
    (folder / "claim.yaml").write_text("implementation: mine\nfunctions: [hsa_init]\n")
    (folder / "my-machine.yaml").write_text(
        "{summary: mine, cpus: [{memory: 16 GiB}], gpus: [{target: gfx90a, memory: 64 GiB}]}\n"
    )
    for program in ("rocminfo", "client", "reproduce"):
        shutil.copy("/bin/true", folder / program)
    return folder


def test_the_commands_are_found() -> None:
    found = commands()
    assert len(found) > 90
    assert len([command for command in found if reason(command)]) < 15


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize(
    "command",
    {c.text: c for c in commands() if not reason(c)}.values(),
    ids=lambda command: command.text.partition(" ")[2],
)
def test_a_documented_command_works(
    command: Command, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "here"
    shutil.copytree(prepared, folder, symlinks=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    text = command.text
    for named, here in STAND_INS.items():
        text = re.sub(rf"(?<![\w/]){re.escape(named)}(?![\w.])", here, text)
    words = Command(command.page, text).words
    if words[:2] == ["baseline", "create"]:
        Path("known.yaml").unlink()
    if words[0] == "run":
        words.append("--dry-run")
    assert 0 == main(words)
