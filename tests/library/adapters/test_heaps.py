"""What glibc reserves for threads is nothing that a call leaves behind."""

from __future__ import annotations

import subprocess
import sys

#: Allocates in threads at one time; prints by how much the counts and what is reserved have grown.
PROGRAM = """
import ctypes, mmap, threading
from hsa_adapters.worker.resources.descriptors import heaps_of_threads
from hsa_adapters.worker.resources.ledger import address_space

malloc = ctypes.CDLL(None).malloc
together = threading.Barrier(5)

def allocate():
    for _ in range(100):
        malloc(5000)
    together.wait()
    together.wait()

threading.stack_size(1 << 20)
before = address_space(), heaps_of_threads()
for _ in range(4):
    threading.Thread(target=allocate, daemon=True).start()
together.wait()
after = address_space(), heaps_of_threads()
print(*(now - then >> 20 for now, then in zip(after, before)))
ordinary = address_space()
kept = mmap.mmap(-1, 64 << 20)
print(address_space() - ordinary >> 20)
together.wait()
"""


def test_heaps_of_threads_are_no_addresses_that_were_taken() -> None:
    """Memory that is mapped in another way is counted, however large."""
    words = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    grown, kept = done.stdout.splitlines()
    taken, reserved = map(int, grown.split())
    assert reserved >= 64
    assert taken < 64
    assert int(kept) == 64
