"""LLVM's disassembler for AMD GPUs: the libraries here, which of them to trust, and its calls."""

from hsa_device.llvm.choosing import decoder_library
from hsa_device.llvm.disassembler import Disassembler
from hsa_device.llvm.libraries import VARIABLE, Library, libraries

__all__ = ["VARIABLE", "Disassembler", "Library", "decoder_library", "libraries"]
