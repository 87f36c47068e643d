"""RDNA3 ISA, "LDS", "FLAT" and "MUBUF": what means something else than in MI200."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_device.isa.memory import ds, exchanges, flat
from hsa_device.model.compilation import Compile, Section, nothing

_REACH = 32  # lanes that may name each other, of waves of 64 as well
#: Operations of numbers, by what MODE says of denormal ones: 1 for sources, 2 for results.
_BY_MODE: Mapping[str, Mapping[int, str]] = {
    "add": {0: "fadd_both", 1: "fadd_out", 2: "fadd_in", 3: "fadd"},
    **{
        name: {0: f"f{name}_in", 1: f"f{name}", 2: f"f{name}_in", 3: f"f{name}"}
        for name in ("min", "max")
    },
}

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
    # Of several words all are 0 where one lies beyond LDS.
    **{f"ds_load_{name}": ds.read(ds.LOADS[name], whole=True) for name in ("b64", "b96", "b128")},
    **{
        f"ds_{name}{rtn}_f{8 * size}": ds.atomic(
            f"f{name}", size, returns=bool(rtn), flushed=flushed
        )
        for name, flushed in _BY_MODE.items()
        for size in ((4,) if name == "add" else (4, 8))
        for rtn in ("", "_rtn")
    },
    **{
        f"{prefix}_atomic_{name}_f32": flat.atomic(prefix, (f"f{name}", 4), _BY_MODE[name])
        for prefix in ("flat", "global")
        for name in ("min", "max")
    },
    # Denormal sources of sums in memory are 0, whatever MODE says.
    **{f"{p}_atomic_add_f32": flat.atomic(p, ("fadd_in", 4)) for p in ("flat", "global")},
}

SECTION = Section("Memory", _INSTRUCTIONS, {})
