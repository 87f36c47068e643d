"""A real host: trixie's ROCr loads and answers in the folder's own Python."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from hsa_adapters.hosts import create

PROBE = """
import ctypes, json, mmap, os, signal, socket, sys
library = ctypes.CDLL(sys.argv[1])
text = ctypes.c_char_p()
status = library.hsa_status_string(0x1001, ctypes.byref(text))
with open("/proc/self/maps") as maps:
    libc = {line.split()[-1] for line in maps if "/libc.so" in line or "/libc-" in line}
print(json.dumps([sys.executable, sorted(libc), status, text.value.decode()]))
"""


@pytest.mark.network
def test_trixies_rocr_runs_with_its_own_loader_c_library_and_python(tmp_path: Path) -> None:
    host = create("trixie", tmp_path / "trixie")
    arguments = shlex.join(["-c", PROBE, str(host.library)])
    command = shlex.split(host.via.replace("{args}", arguments))

    done = subprocess.run(command, capture_output=True, text=True, check=True)
    executable, libc, status, text = json.loads(done.stdout)

    assert executable.startswith(f"{host.root}/usr/bin/python3.")
    assert 1 == len(libc)
    assert libc[0].startswith(f"{host.root}/")
    assert 0 == status
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" in text
