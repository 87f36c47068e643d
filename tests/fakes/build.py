"""Builds the fakes: small libraries with one known fault each, and an honest one.

Each test names its fake and the clause that has to fail, so nothing here is drawn or counted.
"""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
LIBRARY = "libhsa-runtime64.so.1"
FAKES = (
    "honest",
    "succeeds",
    "wrong_status",
    "crashes",
    "aborts",
    "hangs",
    "prints",
    "leaks_descriptor",
    "keeps",
    "creates_on_failure",
    "lies_about_version",
    "signals",
    "loader",
    "profiler",
    "starts",
    "asks_driver",
    "greedy",
    "tools",
    "ends",
    "crowded",
    "races",
    "hostile",
)


def build(name: str, out_dir: Path, compiler: Sequence[str] = (), /, **defines: object) -> Path:
    """Compile a fake and return the path of the library.

    Args:
        name: one of FAKES.
        out_dir: a folder, made if it is absent; the library lies in a folder of the fake's name
            in it, so give each set of defines a folder of its own.
        compiler: a compiler and options for it; the system's, if none is given.
        **defines: macros of the fake, as its first lines name them, such as FAKE_CRASH_IN_CALL=3.

    Raises:
        ValueError: there is no such fake.
        RuntimeError: there is no C compiler, or it refused the source.

    """
    if name not in FAKES:
        raise ValueError(f"no fake {name!r}: use one of {', '.join(FAKES)}")
    library = out_dir / name / LIBRARY
    library.parent.mkdir(parents=True, exist_ok=True)
    command = [
        *(compiler or [os.environ.get("CC", "cc")]),
        *("-shared", "-fPIC", "-pthread", "-O1", "-g", "-std=c11", "-Wall", "-Wextra", "-Werror"),
        *(f"-Wl,-soname,{LIBRARY}", f"-Wl,--version-script={HERE / 'rocr.map'}", "-Wl,-z,defs"),
        *(f"-D{macro}={value}" for macro, value in defines.items()),
        *("-o", str(library), str(HERE / f"{name}.c")),
    ]
    try:
        done = subprocess.run(command, capture_output=True, check=False, text=True)
    except FileNotFoundError:
        raise RuntimeError(f"{command[0]} is not there: install a C compiler or set CC") from None
    if done.returncode:
        raise RuntimeError(f"{name}.c does not compile:\n{done.stderr}")
    return library
