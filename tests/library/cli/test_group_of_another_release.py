"""A group of which the release has nothing: since when there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.library.cli.commands import Command

TWO = "int hsa_init(void) { return 0; } int hsa_shut_down(void) { return 0; }"


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_group_that_the_release_lacks_says_since_when_there_is_one(
    command: Command, tmp_path: Path
) -> None:
    source, library = tmp_path / "two.c", tmp_path / "libhsa-runtime64.so.1"
    source.write_text(TWO)
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
    done = command("check", "vmem", "--library", library, "--release", "5.2.3")
    lines = done.out.splitlines()
    assert [
        "hsa_amd_vmem_address_reserve and 11 more: since interface 1.4 (ROCm 6.0)",
        "hsa_amd_vmem_address_reserve_align: since interface 1.6 (ROCm 6.2)",
    ] == sorted(lines[-2:]), done.err
    assert "not part of this release (ROCm 5.2.3): since interface 1.4 (ROCm 6.0)" in " ".join(
        done.out.split()
    )
