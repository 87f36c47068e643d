"""Loads and stores of typed elements, once it is known which ones each lane accesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from hsa_device.decoding import Operand
from hsa_device.isa.memory import transfers
from hsa_device.isa.memory.texels import Texel
from hsa_device.model.compilation import Run
from hsa_device.model.waves import Doubles, Lanes, Waves


class Access(Protocol):
    """What an instruction accesses."""

    @property
    def data(self) -> Operand:
        """Return the first register of the data."""
        ...

    @property
    def components(self) -> Sequence[int]:
        """Return which of X, Y, Z and W the registers of the data are, one after the other."""
        ...

    def elements(self, waves: Waves) -> tuple[Texel, Doubles, Lanes] | None:
        """Return what elements are, the addresses of those of the active lanes, and which exist.

        None is returned where no lane is active.
        """
        ...


def load(access: Access) -> Run:
    """Return what loads elements into registers."""

    def run(waves: Waves) -> None:
        elements = access.elements(waves)
        if elements is None:
            return
        texel, addresses, inside = elements
        found = texel.load(waves.memory, addresses, inside)
        for place, component in enumerate(access.components):
            waves.put_packed(transfers.register(waves, access.data, place), found[component])

    return run


def store(access: Access) -> Run:
    """Return what stores registers into elements; components that no register has are 0."""

    def run(waves: Waves) -> None:
        elements = access.elements(waves)
        if elements is None:
            return
        texel, addresses, inside = elements
        words = [np.zeros(np.count_nonzero(inside), np.uint32)] * 4
        for place, component in enumerate(access.components):
            words[component] = waves.packed(transfers.register(waves, access.data, place))[inside]
        texel.store(waves.memory, addresses[inside], words)

    return run
