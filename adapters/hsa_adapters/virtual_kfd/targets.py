"""What the architecture of a GPU fixes, as the driver's topology tells it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """One architecture.

    Attributes:
        name: such as "gfx90a".
        version: its number in the topology: major times 10000, minor times 100, stepping.
        device: PCI device id of one product.
        family: family id in the driver's user interface.
        wavefront: lanes of a wavefront.
        compute_units: how many, over all dies.
        dies: compute dies that act as one device.
        simds: vector units of a compute unit.
        waves: wavefronts of a vector unit.
        engines: shader engines of a die.
        sdma: copy engines, then those for links between GPUs.

    """

    name: str
    version: int
    device: int
    family: int
    wavefront: int
    compute_units: int
    dies: int
    simds: int
    waves: int
    engines: int
    sdma: tuple[int, int]


TARGETS = {
    target.name: target
    for target in (
        Target("gfx908", 90008, 0x738C, 141, 64, 120, 1, 4, 10, 8, (2, 6)),
        Target("gfx90a", 90010, 0x740F, 141, 64, 104, 1, 4, 8, 8, (2, 3)),
        Target("gfx942", 90402, 0x74A1, 141, 64, 304, 8, 4, 8, 4, (2, 14)),
        Target("gfx1100", 110000, 0x744C, 145, 32, 96, 1, 2, 16, 6, (2, 0)),
        Target("gfx1201", 120001, 0x7550, 152, 32, 64, 1, 2, 16, 4, (2, 0)),
    )
}
