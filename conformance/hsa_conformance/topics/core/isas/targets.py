"""The targets that LLVM has for AMD's GPUs: processors, their features, and their wavefronts.

The table is that of "AMDGPU Processors" and "AMDGPU Target Features" in LLVM's guide
(`llvm/docs/AMDGPUUsage.rst`). `tests/rocr/tables/test_targets.py` reads it from the assembler.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

_PREFIX: Final = "amdgcn-amd-amdhsa--"
_BOTH: Final = ("sramecc", "xnack")


@dataclass(frozen=True)
class Target:
    """A processor, or a generic one that stands for several.

    Attributes:
        processor: such as "gfx90a".
        features: those that code can be built with, without, or for either, as names order them.
        wavefronts: the sizes of wavefronts that code can be built for.

    """

    processor: str
    features: tuple[str, ...]
    wavefronts: tuple[int, ...]

    @property
    def generic(self) -> bool:
        """Return whether it stands for several processors."""
        return self.processor.endswith("-generic")

    def names(self) -> list[str]:
        """Return the names of the target, with each of its features on, off and unspecified."""
        return self._with(("", "+", "-"))

    def settled_names(self) -> list[str]:
        """Return the names that say of every feature whether it is on."""
        return self._with(("-", "+"))

    def _with(self, signs: Iterable[str]) -> list[str]:
        return [
            f"{_PREFIX}{self.processor}"
            + "".join(f":{f}{s}" for f, s in zip(self.features, each, strict=True) if s)
            for each in product(signs, repeat=len(self.features))
        ]


def _targets(wavefronts: tuple[int, ...], rows: Mapping[tuple[str, ...], str]) -> Iterable[Target]:
    for features, processors in rows.items():
        for processor in processors.split():
            yield Target(processor, features, wavefronts)


TARGETS: Final = {
    target.processor: target
    for wavefronts, rows in (
        (
            (64,),
            {
                (): "gfx600 gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 gfx802 gfx803 "
                "gfx805",
                ("xnack",): "gfx801 gfx810 gfx900 gfx902 gfx904 gfx909 gfx90c gfx9-generic",
                _BOTH: "gfx906 gfx908 gfx90a gfx940 gfx941 gfx942 gfx950 gfx9-4-generic",
            },
        ),
        (
            (32, 64),
            {
                ("xnack",): "gfx1010 gfx1011 gfx1012 gfx1013 gfx10-1-generic",
                (): "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx10-3-generic "
                "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx11-generic "
                "gfx1200 gfx1201 gfx12-generic",
            },
        ),
    )
    for target in _targets(wavefronts, rows)
}
