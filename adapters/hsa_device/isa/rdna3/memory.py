"""RDNA3 ISA, "LDS" and "MUBUF": what means something else than in MI200."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_device.isa.memory import ds, exchanges
from hsa_device.model.compiled import Compile, Section, nothing

_REACH = 32  # lanes that may name each other, of waves of 64 as well


_INSTRUCTIONS: Mapping[str, Compile] = {
    "ds_bpermute_b32": exchanges.pull(_REACH),
    "ds_permute_b32": exchanges.push(_REACH),
    # Caches: each access is made at once, in the memory that all share.
    **dict.fromkeys(("buffer_gl0_inv", "buffer_gl1_inv"), nothing),
    **{
        f"ds_cmpstore{rtn}_b{8 * size}": ds.atomic(
            "cmpswap", size, returns=bool(rtn), compare_last=True
        )
        for size in (4, 8)
        for rtn in ("", "_rtn")
    },
}

SECTION = Section("Memory", _INSTRUCTIONS, {})
