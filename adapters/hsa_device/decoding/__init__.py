"""From bytes to instructions and their operands."""

from hsa_device.decoding.decoder import LONGEST, Decoder, decoder
from hsa_device.decoding.instructions import Instruction, read_instruction
from hsa_device.decoding.operands import Kind, Operand, bits_of, read_operand

__all__ = [
    "LONGEST",
    "Decoder",
    "Instruction",
    "Kind",
    "Operand",
    "bits_of",
    "decoder",
    "read_instruction",
    "read_operand",
]
