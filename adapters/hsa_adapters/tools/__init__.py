"""A library of tools that a runtime may load: it writes down the tables that it is given.

Its record is four numbers of eight bytes: the address of the tables, the major version that came
with them, how often it was loaded, and how often unloaded.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from hsa_spec.compiler import compile_c

#: Names the libraries of tools to a runtime, and the record to this one.
TOOLS: Final = "HSA_TOOLS_LIB"
RECORD: Final = "HSA_CONFORMANCE_RECORD"
RECORD_SIZE: Final = 32

_SOURCE: Final = Path(__file__).with_name("recorder.c")


@cache
def recorder() -> bytes:
    """Return the library as a file of this machine's architecture.

    Raises:
        CompilerError: there is no C compiler (`cc`, or what the environment variable CC names), or
            it cannot compile the library.

    """
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "recorder.so"
        options = ("-std=gnu11", "-Os", "-s", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra")
        compile_c([*options, "-shared", "-o", str(made), str(_SOURCE)], "a library of tools")
        return made.read_bytes()
