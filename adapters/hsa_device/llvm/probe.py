"""Decode one instruction, in a process of its own: LLVM may end it, and that is the answer.

Run as a script with the path of a library and a processor; the exit status is 0 where it decodes.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from hsa_device.llvm.disassembler import Disassembler

    # s_endpgm (MI200 ISA and RDNA3 ISA, "SOPP").
    end_of_program = bytes.fromhex("000081bf"), bytes.fromhex("0000b0bf")
    made = Disassembler(Path(sys.argv[1]), sys.argv[2])
    texts = [made.decode(each)[1] for each in end_of_program]
    sys.exit("s_endpgm" not in texts)
