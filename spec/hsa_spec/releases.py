"""ROCm releases, extension interface versions, and which of the two a bound is tested against."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_spec.model import Versions

#: The extension interface version that each ROCm release declares in hsa_ext_amd.h, by the first
#: release that declares it.
INTERFACE_SINCE = (
    ("5.0", "1.0"),
    ("5.6", "1.1"),
    ("5.7", "1.3"),
    ("6.0", "1.4"),
    ("6.2", "1.6"),
)


def numbers(version: str) -> tuple[int, ...]:
    """Return a dotted version as numbers that compare.

    Raises:
        ValueError: it is not made of numbers and dots.

    """
    return tuple(int(part) for part in version.split("."))


def interface_of(release: str) -> str | None:
    """Return the interface version that a ROCm release declares, as far as it is recorded."""
    newest = INTERFACE_SINCE[-1][0]
    if numbers(release)[:2] > numbers(newest):
        return None
    found = [i for since, i in INTERFACE_SINCE if numbers(since) <= numbers(release)]
    return found[-1] if found else None


@dataclass(frozen=True)
class Release:
    """What is known of the version of an implementation.

    Args:
        lowest: the first ROCm release that it may be, or None for no lower bound.
        highest: the last one that it may be, or None for no upper bound.
        interface: the extension interface version that it claims, or None when unknown.

    """

    lowest: str | None = None
    highest: str | None = None
    interface: str | None = None

    @classmethod
    def parse(cls, text: str | None, interface: str | None = None) -> Release:
        """Return the release that a text such as "6.1.2", "6.0..6.1" or "6.2.." stands for.

        Raises:
            ValueError: it is none of these.

        """
        if not text:
            return cls(interface=interface)
        lowest, dots, highest = text.partition("..")
        bounds = (lowest, highest) if dots else (lowest, lowest)
        for bound in filter(None, bounds):
            numbers(bound)
        return cls(bounds[0] or None, bounds[1] or None, interface)

    def has(self, versions: Versions) -> bool | None:
        """Tell whether something with these bounds exists in this release; None: unknown."""
        until = versions.until_rocm
        if until and self.lowest and numbers(self.lowest) >= numbers(until):
            return False
        if versions.amd_interface is None and versions.rocm is None:
            return True
        if versions.amd_interface:
            claimed = self.interface or _same(self.lowest, self.highest)
            if claimed:
                return numbers(claimed) >= numbers(versions.amd_interface)
        if versions.rocm:
            if self.lowest and numbers(self.lowest) >= numbers(versions.rocm):
                return True
            if self.highest and numbers(self.highest) < numbers(versions.rocm):
                return False
        return None

    def __str__(self) -> str:
        """Return the release in words."""
        parts = []
        if self.lowest or self.highest:
            one = self.lowest == self.highest
            parts.append(f"ROCm {self.lowest if one else f'{self.lowest}..{self.highest}'}")
        if self.interface:
            parts.append(f"interface {self.interface}")
        return ", ".join(parts).replace("None", "") or "unknown release"


def _same(lowest: str | None, highest: str | None) -> str | None:
    """Return the interface version that all releases of a range declare, if it is the same."""
    if lowest is None or highest is None:
        return None
    first, last = interface_of(lowest), interface_of(highest)
    return first if first == last else None
