"""Prints how many seconds the first hsa_init of the ROCr that the loader finds takes."""

import ctypes
import time

library = ctypes.CDLL("libhsa-runtime64.so.1")
started = time.perf_counter()
status = library.hsa_init()
taken = time.perf_counter() - started
if status:
    raise SystemExit(f"hsa_init answered {status:#x}")
print(taken)
