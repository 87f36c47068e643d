"""The releases in which something exists, and what changed with one."""

from __future__ import annotations

from dataclasses import dataclass

#: The headers of AMD's extension, whose interface has versions of its own.
AMD_HEADERS = frozenset({"hsa_ext_amd.h", "hsa_ext_amd_aie.h", "hsa_amd_tool.h"})
#: The HSA Foundation's own header of its extensions, of which releases of ROCm have none.
FOUNDATION_HEADER = "hsa_ext.h"
#: What documents write for the release of ROCm that has such a thing.
NEVER = "never"


@dataclass(frozen=True)
class Versions:
    """The releases in which something exists, by HSA version, extension interface and ROCm release.

    Each bound is a dotted version or None for "no bound"; `until` is the first release without it.
    `never_rocm` is for an extension that no release of ROCm has, and that others may have.
    """

    amd_interface: str | None = None
    rocm: str | None = None
    until_rocm: str | None = None
    until_interface: str | None = None
    hsa: str | None = None
    until_hsa: str | None = None
    never_rocm: bool = False

    def __str__(self) -> str:
        """Return the bounds in words, or nothing where there are none."""
        interface = f"interface {self.amd_interface}" if self.amd_interface else ""
        rocm = f"ROCm {self.rocm}" if self.rocm else ""
        amd = f"{interface} ({rocm})" if interface and rocm else interface or rocm
        hsa = f"HSA {self.hsa}" if self.hsa else ""
        never = "in no release of ROCm" if self.never_rocm else ""
        begin = ", ".join(filter(None, (hsa, amd, never)))
        ends = (
            f"before HSA {self.until_hsa}" if self.until_hsa else "",
            f"before ROCm {self.until_rocm}" if self.until_rocm else "",
            f"before interface {self.until_interface}" if self.until_interface else "",
        )
        return ", ".join(part for part in (f"since {begin}" if begin else "", *ends) if part)


@dataclass(frozen=True)
class Change:
    """What something means from a release on, where that differs from before.

    `before` is the value that a constant had until then, where that is what changed.
    """

    versions: Versions
    states: str
    before: int | str | None = None
