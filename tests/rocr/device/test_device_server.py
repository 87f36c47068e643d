"""What a device and drivers say to each other, and how accesses become spans of memory."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hsa_device import wire
from hsa_device.server.spans import PAGE, portions, spans

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

_ADDRESSES = st.lists(st.integers(0, 4 * PAGE), min_size=1, max_size=40)
_SIZES = st.sampled_from([1, 2, 4, 8])


@given(_ADDRESSES, _SIZES, st.sampled_from([0, 8, PAGE]))
def test_each_access_lies_in_its_span(addresses: list[int], size: int, gap: int) -> None:
    """The bytes of all spans, one after the other, have those of each access at its offset."""
    memory = np.random.default_rng(1).integers(0, 256, 5 * PAGE, np.uint8)
    found = spans(np.array(addresses, np.uint64), size, gap)
    starts, sizes = found.starts.tolist(), found.sizes.tolist()
    content = np.concatenate([memory[s : s + n] for s, n in zip(starts, sizes, strict=True)])
    for address, offset in zip(addresses, found.offsets.tolist(), strict=True):
        assert memory[address : address + size].tolist() == content[offset : offset + size].tolist()


@given(_ADDRESSES, _SIZES)
def test_spans_hold_what_is_accessed_and_nothing_else(addresses: list[int], size: int) -> None:
    """Without a gap, each byte of a span is one of an access; spans do not touch."""
    found = spans(np.array(addresses, np.uint64), size)
    starts, sizes = found.starts.tolist(), found.sizes.tolist()
    covered = {s + n for s, length in zip(starts, sizes, strict=True) for n in range(length)}
    assert {a + n for a in addresses for n in range(size)} == covered
    assert all(s + n < after for s, n, after in zip(starts, sizes, starts[1:], strict=False))


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=20))
def test_portions_fit_in_messages_and_hold_everything_once(sizes: list[int]) -> None:
    most, each = 4096, 16
    found = list(portions(np.array(sizes, np.uint64), most, each))
    assert all(sum(size + each for *_, size in portion) <= most for portion in found)
    parts = [(number, start + n) for p in found for number, start, size in p for n in range(size)]
    assert [(number, n) for number, size in enumerate(sizes) for n in range(size)] == parts


def test_the_wire_needs_nothing_that_is_not_python() -> None:
    """Drivers are built where no device could run."""
    code = "import sys; from hsa_device import wire; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False\n" == done.stdout


@needs_compiler
def test_the_header_says_what_the_module_says(tmp_path: Path) -> None:
    """Sizes of structures, and each number, are those of Python."""
    pairs = {
        "head": wire.HEAD,
        "wire_dispatch": wire.DISPATCH,
        "span": wire.SPAN,
        "change": wire.CHANGE,
    }
    checks = [f"sizeof(struct {name}) == {form.size}" for name, form in pairs.items()]
    for kinds in (wire.Message, wire.Where, wire.Outcome):
        checks += [f"{kinds.__name__.upper()}_{each.name} == {each.value}" for each in kinds]
    (tmp_path / "wire.h").write_text(wire.c_header())
    source = tmp_path / "checks.c"
    asserts = "".join(f'_Static_assert({check}, "{check}");\n' for check in checks)
    source.write_text(f'#include "wire.h"\n{asserts}')
    subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", source], check=True)
