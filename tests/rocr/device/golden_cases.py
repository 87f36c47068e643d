"""Golden cases: what is given, an instruction, and what has to be there afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from hsa_device import Memory, Range
from hsa_device.model.waves import Waves
from hsa_device.targets import Family
from tests.rocr.device.device_waves import Numbers, give, new_waves, take

Case = Mapping[str, Any]
#: Where the memory of a case begins, and where its LDS lies for flat addresses.
_MEMORY, _LOCAL = 0x10000, 0x20000
_SIZE = 1024  # bytes of each


def read_cases(folder: Path, family: Family, width: int) -> Sequence[Case]:
    """Return the cases of all files in a folder, one for each instruction.

    Args:
        folder: that the files are in.
        family: whose instructions they are of.
        width: work-items of a wave, where a case does not say it.

    """
    texts = (path.read_text("utf-8") for path in sorted(folder.glob("*.yaml")))
    entries = (entry for text in texts for entry in yaml.safe_load(text))
    return [
        {"family": family, "width": width, **case} for each in entries for case in _expanded(each)
    ]


def _expanded(entry: Case) -> Iterator[Case]:
    if "each" not in entry:
        yield entry
        return
    shared = {key: value for key, value in entry.items() if key != "each"}
    for name, expect in entry["each"].items():
        yield {**shared, "do": entry["do"].replace("{}", name), "expect": expect}


class Machine:
    """A wave with the registers that a case gives, and the memory and LDS that it reaches."""

    def __init__(self, case: Case) -> None:
        given = {"scc": 0, **case.get("given", {})}
        self._places = {name: _words(given.pop(name, {})) for name in ("memory", "lds")}
        memory, lds = (words.view(np.uint8) for words in self._places.values())
        ranges = [Range(_MEMORY, memory), Range(_LOCAL, lds)]
        self.waves: Waves = new_waves(1, Memory(lambda: ranges), _SIZE, case["width"])
        self.waves.local, self.waves.local_address = lds, _LOCAL
        give(self.waves, given)
        self._interrupts: list[int] = []
        self.waves.interrupt = self._interrupts.append

    def take(self, name: str) -> Numbers:
        """Return what registers, memory or LDS hold, the state of the wave, or its interrupts."""
        if name == "interrupts":
            return self._interrupts
        if name == "state":
            return int(self.waves.state[0])
        if name in self._places:
            found: list[int] = self._places[name].tolist()
            return found
        return take(self.waves, name)

    def content(self) -> Sequence[bytes]:
        """Return all that vector registers, memory and LDS hold."""
        return [each.tobytes() for each in (self.waves.vector, *self._places.values())]


def expected(case: Case) -> Mapping[str, Numbers]:
    """Return all that has to be there: of each lane, and each word of memory."""
    return {name: _whole(case, name, value) for name, value in case["expect"].items()}


def _whole(case: Case, name: str, value: Any) -> Numbers:
    if isinstance(value, int) or name == "interrupts":
        return value
    if isinstance(value, Mapping):
        words: list[int] = _words({**case.get("given", {}).get(name, {}), **value}).tolist()
        return words
    return [value[lane % len(value)] for lane in range(case["width"])]


def _words(changes: Mapping[int, int]) -> NDArray[np.uint32]:
    """Return memory of which each byte is its offset, and how many 256 lie below that."""
    offsets = np.arange(_SIZE, dtype=np.uint64)
    doubles: NDArray[np.uint64] = np.zeros(_SIZE // 8, np.uint64)  # begin at a multiple of 8
    doubles.view(np.uint8)[:] = (offsets + offsets // 256).astype(np.uint8)
    words = doubles.view(np.uint32)
    for offset, word in changes.items():
        words[offset // 4] = word
    return words
