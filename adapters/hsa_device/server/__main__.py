"""`python -m hsa_device.server [--ask] [--quiet] FOLDER PROCESSOR:UNITS...`: a machine's device.

It prints "ready", or a line that says what is missing, and ends with its standard input. With --ask
it reaches into no other process: it asks drivers for what is in memory of theirs. With --quiet it
says nothing of kernels that end before their time as they would on hardware.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str]) -> int:
    """Be the device that the arguments say; return the exit status."""
    parser = ArgumentParser(prog="python -m hsa_device.server")
    parser.add_argument("--ask", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("folder", type=Path)
    parser.add_argument("gpus", nargs="*")
    options = parser.parse_args(arguments)
    try:
        from hsa_device.server.serving import serve
    except ImportError as error:
        print(f"{error}: pip install 'hsa-conformance[device]'", flush=True)
        return 3
    return serve(options.folder, options.gpus, direct=not options.ask, quiet=options.quiet)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
