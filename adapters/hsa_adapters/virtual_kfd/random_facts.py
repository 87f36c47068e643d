"""Facts of an imitated machine that its file leaves open: drawn, and different for each part.

What is one number for all parts, or 0, cannot show that a runtime mixes two of them up.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from hsa_spec.machines import Machine


@dataclass(frozen=True)
class GpuFacts:
    """What the driver tells of a GPU, beside what its architecture fixes.

    Attributes:
        clock: the highest clock of its compute units, in MHz.
        address: its place on its PCI bus: 8 bits of bus, 5 of device, 3 of function.
        domain: the PCI domain of that bus.
        firmware: the version of its packet processors' firmware.
        copy_firmware: the version of its copy engines' firmware.
        unique: the number that no other device has.
        revision: of the chip.
        counter: what its timestamps count a second, in kHz.
        width: of its memory's bus, in bits.
        memory_clock: the highest clock of its memory, in MHz.

    """

    clock: int
    address: int
    domain: int
    firmware: int
    copy_firmware: int
    unique: int
    revision: int
    counter: int
    width: int
    memory_clock: int


@dataclass(frozen=True)
class CpuFacts:
    """What the driver tells of a CPU; `width` and `memory_clock` as for a GPU."""

    cores: int
    width: int
    memory_clock: int


@dataclass(frozen=True)
class LinkFacts:
    """What the driver tells of a link: nanoseconds, MB a second, and flags of what it lacks."""

    min_latency: int
    max_latency: int
    min_bandwidth: int
    max_bandwidth: int
    lacks: int


class RandomFacts:
    """The facts of a machine.

    Args:
        machine: what is imitated.
        seed: the same gives the same facts.

    """

    def __init__(self, machine: Machine, seed: int = 0) -> None:
        self._start = f"{machine.name} {seed}"
        gpus, cpus = len(machine.gpus), len(machine.cpus)
        widths = self._different("width", range(64, 8193, 64), gpus + cpus)
        memory_clocks = self._different("memory clock", range(800, 2600), gpus + cpus)
        self.cpus = [
            CpuFacts(*numbers)
            for numbers in zip(
                self._different("cores", range(4, 129, 4), cpus),
                widths,
                memory_clocks,
                strict=False,
            )
        ]
        self.gpus = [
            GpuFacts(*numbers)
            for numbers in zip(
                self._different("clock", range(1400, 2600, 5), gpus),
                self._different("address", range(1 << 8, 1 << 16), gpus),
                self._different("domain", range(1, 1 << 16), gpus),
                self._firmware(machine),
                self._different("copy firmware", range(8, 40), gpus),
                # Those that do not fill 16 hexadecimal digits are there, too.
                self._different("unique", range(1 << 52, 1 << 60), gpus),
                [*self._different("revision", range(1, 16), min(gpus, 15)), 0],
                self._different("counter", range(25_000, 100_001, 1000), gpus),
                widths[cpus:],
                memory_clocks[cpus:],
                strict=False,
            )
        ]
        (self.hive,) = self._different("hive", range(1 << 52, 1 << 63), 1)
        (self.host_clock,) = self._different("host clock", range(2000, 4500, 50), 1)
        self.system = self._different("system", range(1, 1 << 40), 3)

    def link(
        self, one: int, other: int, least: int, most: int, may_lack: Sequence[int]
    ) -> LinkFacts:
        """Return the facts of the link between two nodes, the same in both directions.

        Args:
            one: the number of a node.
            other: that of another.
            least: the least bandwidth that a link of this kind has, in MB a second.
            most: the largest.
            may_lack: flags, each of which the link has or has not.

        """
        name = f"link {min(one, other)} {max(one, other)}"
        lacks = random.Random(f"{self._start} {name} lacks")
        low, high = sorted(self._different(f"{name} latency", range(50, 2000), 2))
        slow, fast = sorted(self._different(f"{name} bandwidth", range(least, most), 2))
        lacked = sum(flag for flag in may_lack if lacks.randrange(2))
        return LinkFacts(low, high, slow, fast, lacked)

    def association(self, cache: str) -> int:
        """Return of how many ways a cache is."""
        return random.Random(f"{self._start} {cache}").choice([4, 8, 16, 32])

    def _firmware(self, machine: Machine) -> list[int]:
        """Return versions of which the newer ones alone let scratch be taken back."""
        older, newer = (
            iter(self._different(f"{age}firmware", numbers, len(machine.gpus)))
            for age, numbers in (("", range(40, 170)), ("newer ", range(200, 900)))
        )
        return [next(newer if gpu.reclaims else older) for gpu in machine.gpus]

    def _different(self, what: str, numbers: Sequence[int], count: int) -> list[int]:
        return random.Random(f"{self._start} {what}").sample(numbers, count)
