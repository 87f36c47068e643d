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

#: The newest release whose interface version is recorded; later ones declare at least as much.
NEWEST = "6.3"


def numbers(version: str) -> tuple[int, ...]:
    """Return a dotted version as numbers that compare.

    Raises:
        ValueError: it is not made of numbers and dots.

    """
    parts = version.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{version!r} is not a version such as 6.1 or 6.1.2")
    return tuple(int(part) for part in parts)


def interface_of(release: str) -> str | None:
    """Return the interface version that a ROCm release declares, as far as it is recorded."""
    if numbers(release)[:2] > numbers(NEWEST):
        return None
    found = [i for since, i in INTERFACE_SINCE if numbers(since) <= numbers(release)]
    return found[-1] if found else None


def earliest(interface: str) -> str:
    """Return the first recorded release that declares this interface version, or the newest."""
    found = (r for r, declared in INTERFACE_SINCE if numbers(declared) >= numbers(interface))
    return next(found, NEWEST)


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
            ValueError: it is none of these, or a range that ends before it begins.

        """
        if not text:
            return cls(interface=interface)
        lowest, dots, highest = text.partition("..")
        bounds = (lowest, highest) if dots else (lowest, lowest)
        first, last = (numbers(bound) if bound else None for bound in bounds)
        if first and last and first > last:
            raise ValueError(f"the range {text!r} ends before it begins")
        return cls(bounds[0] or None, bounds[1] or None, interface)

    def has(self, versions: Versions) -> bool | None:
        """Tell whether something with these bounds exists in this release; None: unknown."""
        answers = (self._has_begun(versions), self._goes_on(versions))
        if False in answers:
            return False
        return None if None in answers else True

    def _has_begun(self, versions: Versions) -> bool | None:
        if versions.amd_interface is None and versions.rocm is None:
            return True
        if versions.amd_interface:
            # Where a ROCm release is named as well, it is surer than an interface derived from one.
            derived = None if versions.rocm else _same(self.lowest, self.highest)
            claimed = self.interface or derived
            if claimed:
                return numbers(claimed) >= numbers(versions.amd_interface)
        return self._reaches(versions.rocm) if versions.rocm else None

    def _goes_on(self, versions: Versions) -> bool | None:
        if versions.until_rocm is None:
            return True
        ended = self._reaches(versions.until_rocm)
        return None if ended is None else not ended

    def _reaches(self, bound: str) -> bool | None:
        """Tell whether the ROCm release is this one or a later one."""
        # Whoever declares an interface version does at least what its release did.
        declared = earliest(self.interface) if self.interface else None
        if any(r and numbers(r) >= numbers(bound) for r in (self.lowest, declared)):
            return True
        if self.highest and numbers(self.highest) < numbers(bound):
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
