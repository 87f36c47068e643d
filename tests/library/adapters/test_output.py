"""The output of a library: the last words are kept, whatever it prints."""

from __future__ import annotations

import os
from pathlib import Path

from hsa_adapters.worker.supervision.serve import tail, trim


def test_output_without_end_takes_bounded_room(tmp_path: Path) -> None:
    """The writer goes on as if nothing had happened, and its last words can be read."""
    path = tmp_path / "output"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    for _ in range(40):
        os.write(descriptor, b"x" * (1 << 16))
        trim(descriptor, 1 << 18)
        assert path.stat().st_blocks * 512 <= 1 << 18
    os.write(descriptor, b"last words")

    assert 40 << 16 < path.stat().st_size
    assert "last words" == tail(descriptor, 10)
    os.close(descriptor)


def test_output_that_fits_is_kept(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path / "output", os.O_RDWR | os.O_CREAT)
    os.write(descriptor, b"first words")
    trim(descriptor, 1 << 18)

    assert "first words" == tail(descriptor, 100)
    os.close(descriptor)
