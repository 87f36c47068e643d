"""LLVM's disassembler, through its C interface (llvm-c/Disassembler.h)."""

from __future__ import annotations

import ctypes
import threading
from pathlib import Path

_TRIPLE = b"amdgcn-amd-amdhsa"
_ROOM = 256  # bytes of text; the longest is a third of it


class Disassembler:
    """Turns the bytes of one instruction into text.

    LLVM aborts the process for a processor that it does not know: see `choosing`.

    Args:
        library: the file of the library.
        processor: such as "gfx90a".
        wave: work-items of a wave: 32, or 64.

    Raises:
        OSError: the library cannot be loaded, or has no AMD GPUs.

    """

    def __init__(self, library: Path, processor: str, wave: int = 64) -> None:
        loaded = ctypes.CDLL(str(library))
        try:
            for part in ("TargetInfo", "TargetMC", "Disassembler"):
                getattr(loaded, f"LLVMInitializeAMDGPU{part}")()
        except AttributeError as error:
            raise OSError(f"{library} knows no AMD GPUs") from error
        create = loaded.LLVMCreateDisasmCPUFeatures
        create.restype = ctypes.c_void_p
        create.argtypes = (*[ctypes.c_char_p] * 3, ctypes.c_void_p, ctypes.c_int)
        create.argtypes += (ctypes.c_void_p, ctypes.c_void_p)
        features = f"+wavefrontsize{wave},-wavefrontsize{96 - wave}".encode()
        self._context = create(_TRIPLE, processor.encode(), features, None, 0, None, None)
        if not self._context:
            raise OSError(f"{library} makes no disassembler for {processor}")
        self._decode = loaded.LLVMDisasmInstruction
        self._decode.restype = ctypes.c_size_t
        self._decode.argtypes = (ctypes.c_void_p, ctypes.c_char_p, *[ctypes.c_uint64] * 2)
        self._decode.argtypes += (ctypes.c_char_p, ctypes.c_size_t)
        self._text = ctypes.create_string_buffer(_ROOM)
        self._lock = threading.Lock()

    def decode(self, content: bytes) -> tuple[int, str]:
        """Return how many bytes the first instruction has, and its text; 0 and "" for none.

        Args:
            content: at least the bytes of the instruction.

        """
        with self._lock:
            size = self._decode(self._context, content, len(content), 0, self._text, _ROOM)
            return size, self._text.value.decode("ascii").strip() if size else ""
