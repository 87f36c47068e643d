"""HSA versions, ROCm releases, extension interfaces: which of them a bound is tested against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from hsa_spec.model import Enum, Enumerator, Macro, Versions

#: The extension interface version that ROCm releases declare in hsa_ext_amd.h: the first and the
#: last release that were read, and what they declare. Between two spans nothing was read.
INTERFACES = (
    ("5.0", "5.5", "1.0"),
    ("5.6", "5.6", "1.1"),
    ("5.7", "5.7", "1.3"),
    ("6.0", "6.1", "1.4"),
    ("6.2", "6.3", "1.6"),
    ("6.4", "6.4", "1.7"),
    ("7.2", "7.2", "1.15"),
)

#: The interface version of a library that does not have AMD's extension.
NO_INTERFACE: Final = "0"

#: The published versions of the HSA runtime specification, the oldest first.
HSA_VERSIONS: Final = ("1.0", "1.0.1", "1.1", "1.2")

#: The HSA version whose declarations the hsa.h of every recorded ROCm release has. The libraries
#: themselves answer 1.1.
HSA_OF_ROCM: Final = "1.2"


@cache
def numbers(version: str) -> tuple[int, ...]:
    """Return a dotted version as numbers that compare.

    Raises:
        ValueError: it is not made of numbers and dots.

    """
    parts = version.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{version!r} is not a version such as 6.1 or 6.1.2")
    return tuple(int(part) for part in parts)


def newest(versions: Iterable[str | None]) -> str | None:
    """Return the newest of some dotted versions, None where there is none."""
    return max((v for v in versions if v), key=numbers, default=None)


def interface_of(release: str) -> str | None:
    """Return the interface version that a ROCm release declares, as far as it is recorded."""
    lowest, highest = at_least(release), at_most(release)
    return lowest if lowest == highest else None


def at_least(release: str) -> str | None:
    """Return an interface version that a ROCm release has or exceeds: that of an older one."""
    found = [i for first, _, i in INTERFACES if numbers(first) <= numbers(release)]
    return found[-1] if found else None


def at_most(release: str) -> str | None:
    """Return an interface version that a ROCm release does not exceed: that of a newer one."""
    return next((i for _, last, i in INTERFACES if numbers(release)[:2] <= numbers(last)), None)


def oldest(interface: str) -> str | None:
    """Return a recorded release whose interface an implementation with this version includes."""
    found = [first for first, _, i in INTERFACES if numbers(i) <= numbers(interface)]
    return found[-1] if found else None


def meet(first: Versions, second: Versions) -> bool:
    """Return whether a release may have both of two things.

    Args:
        first: the releases that have one of them.
        second: those that have the other.

    """
    spans = (
        (first.amd_interface, second.until_interface),
        (second.amd_interface, first.until_interface),
        (first.rocm, second.until_rocm),
        (second.rocm, first.until_rocm),
        (first.hsa, second.until_hsa),
        (second.hsa, first.until_hsa),
    )
    return not any(begin and end and numbers(end) <= numbers(begin) for begin, end in spans)


def follows(later: Versions, earlier: Versions) -> bool:
    """Return whether one thing begins with the version that another one ends with."""
    bounds = (
        (later.rocm, earlier.until_rocm),
        (later.amd_interface, earlier.until_interface),
        (later.hsa, earlier.until_hsa),
    )
    return any(begin and begin == end for begin, end in bounds)


@dataclass(frozen=True)
class Release:
    """What is known of the version of an implementation.

    Args:
        lowest: the first ROCm release that it may be, or None for no lower bound.
        highest: the last one that it may be, or None for no upper bound.
        interface: the extension interface version that it claims, NO_INTERFACE where it has no such
            extension, or None when unknown.
        hsa: the HSA version that it is judged by, such as "1.1", or None when unknown.

    """

    lowest: str | None = None
    highest: str | None = None
    interface: str | None = None
    hsa: str | None = None

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
        if not (first or last):
            raise ValueError(f"{text!r} names no release such as 6.1.2 or 6.1..")
        if first and last and first > last:
            raise ValueError(f"the range {text!r} ends before it begins")
        return cls(bounds[0] or None, bounds[1] or None, interface)

    def has(self, versions: Versions) -> bool | None:
        """Return whether something with these bounds exists in this release; None: unknown."""
        answers = [self._has_begun(versions), self._goes_on(versions)]
        if versions.hsa:
            answers.append(self._conforms_to(versions.hsa))
        if versions.never_rocm:
            answers.append(False if self.is_rocm else None)
        if False in answers:
            return False
        return None if None in answers else True

    def not_known(self, enum: Enum) -> frozenset[int]:
        """Return the values of enumerators that this release is not known to have.

        A value with a second name that it does have is one of them: what marks the end of an
        enumeration in one release is an enumerator in the next. Who has an extension that nobody
        needs to have, has its own enumerations whole.
        """
        if all(e.versions.never_rocm for e in enum.enumerators):
            return frozenset()
        return frozenset(e.value for e in enum.enumerators if self.has(e.versions) is not True)

    def value_of(self, constant: Enumerator | Macro) -> int | str | None:
        """Return the value that a constant has in this release; None: unknown, or no constant."""
        for change in constant.changes:
            if change.before is not None and self.has(change.versions) is not True:
                return change.before if self.has(change.versions) is False else None
        return constant.value

    def _has_begun(self, versions: Versions) -> bool | None:
        if versions.amd_interface is None and versions.rocm is None:
            return True
        if self.interface == NO_INTERFACE:
            return False
        # Where a ROCm release is named as well, it is surer than an interface derived from one.
        if versions.amd_interface and (self.interface or not versions.rocm):
            return self._includes(versions.amd_interface)
        return self._reaches(versions.rocm) if versions.rocm else None

    def _includes(self, interface: str) -> bool | None:
        """Return whether it has this interface version, by its own or its bounds as a release."""
        if self.interface:
            return numbers(self.interface) >= numbers(interface)
        least = at_least(self.lowest) if self.lowest else None
        if least and numbers(least) >= numbers(interface):
            return True
        most = at_most(self.highest) if self.highest else None
        return False if most and numbers(most) < numbers(interface) else None

    def _goes_on(self, versions: Versions) -> bool | None:
        ends = []
        if versions.until_hsa:
            ends.append(self._conforms_to(versions.until_hsa))
        if versions.until_rocm:
            ends.append(self._reaches(versions.until_rocm))
        if versions.until_interface:
            ends.append(self._includes(versions.until_interface))
        return False if True in ends else None if None in ends else True

    def _conforms_to(self, bound: str) -> bool | None:
        """Return whether it is of this HSA version or a later one."""
        declared = HSA_OF_ROCM if self.is_rocm or self.extended else None
        known = self.hsa or declared
        return numbers(known) >= numbers(bound) if known else None

    @property
    def is_rocm(self) -> bool:
        """Return whether it is known to be a release of ROCm."""
        return bool(self.lowest or self.highest)

    @property
    def extended(self) -> bool:
        """Return whether it is known to have AMD's extension."""
        return self.interface not in (None, NO_INTERFACE)

    def _reaches(self, bound: str) -> bool | None:
        """Return whether the ROCm release is this one or a later one."""
        # Whoever declares an interface version does at least what its release did.
        declared = oldest(self.interface) if self.interface else None
        if any(r and numbers(r) >= numbers(bound) for r in (self.lowest, declared)):
            return True
        if self.highest and numbers(self.highest) < numbers(bound):
            return False
        least = at_least(bound)
        if least and self.interface and numbers(self.interface) < numbers(least):
            return False
        return None

    def __str__(self) -> str:
        """Return the release in words."""
        parts = [f"HSA {self.hsa}"] if self.hsa else []
        if self.is_rocm:
            one = self.lowest == self.highest
            parts.append(f"ROCm {self.lowest if one else f'{self.lowest}..{self.highest}'}")
        if self.extended:
            parts.append(f"interface {self.interface}")
        return ", ".join(parts).replace("None", "") or "unknown release"
