"""List a code object."""

from __future__ import annotations

import sys
from pathlib import Path

from hsa_device.code import read_code_object
from hsa_device.errors import DeviceError
from hsa_device.listing import lines


def main(arguments: list[str]) -> int:
    """Print the listing of the code object that a path names; return the exit status."""
    if len(arguments) != 1:
        print("usage: python -m hsa_device CODE_OBJECT", file=sys.stderr)
        return 2
    try:
        for line in lines(read_code_object(Path(arguments[0]).read_bytes())):
            print(line)
    except (OSError, DeviceError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
