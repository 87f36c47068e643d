"""Programs of HIP, compiled by Debian's hipcc, compute the same on AMD's library and the device."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rocr.device.device_kernels import lacking

FOLDER = Path(__file__).parent / "hip"
#: What a program needs beside hipcc: a header, its package, libraries; and how many tries it makes.
_NEEDS = {
    "vectors": ("hip/hip_runtime.h", "libamdhip64-dev", (), 18),
    "printed": ("hip/hip_runtime.h", "libamdhip64-dev", (), 6),
    "rocprim": ("rocprim/rocprim.hpp", "librocprim-dev", (), 54),
    "philox": ("rocrand/rocrand.h", "librocrand-dev", ("-lrocrand",), 13),
}
pytestmark = pytest.mark.skipif(bool(lacking("gfx90a")), reason=lacking("gfx90a") or "-")


@pytest.mark.parametrize("program", _NEEDS)
def test_a_program_of_hip_computes_what_the_host_does(program: str, tmp_path: Path) -> None:
    header, package, libraries, tries = _NEEDS[program]
    if shutil.which("hipcc") is None or not (Path("/usr/include") / header).is_file():
        pytest.skip(f"needs hipcc and {header} (Debian: apt install hipcc {package})")
    made, source = tmp_path / program, FOLDER / f"{program}.hip"
    options = ("--offload-arch=gfx90a", "-std=c++17", "-O2", "-ffp-contract=off")
    # Where a compiler of NVIDIA's is found hipcc takes that.
    variables = {**os.environ, "HIP_PLATFORM": "amd"}
    command: list[str | Path] = ["hipcc", *options, "-o", made, source, *libraries]
    subprocess.run(command, env=variables, check=True)
    ours = Path(sys.executable).with_name("hsa-conformance")
    done = subprocess.run(
        [ours, "virtual-kfd", "run", "--device", "--", made],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    lines = done.stdout.splitlines()
    wrong = [line for line in lines if line.endswith(": WRONG")]
    right = [line for line in lines if line.endswith(": right")]
    assert (0, [], tries, "") == (done.returncode, wrong, len(right), done.stderr)
