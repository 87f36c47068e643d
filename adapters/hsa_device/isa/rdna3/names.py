"""What RDNA3 calls instructions that MI200 has under another name, and that mean the same.

RDNA3 ISA, chapter "Instructions", beside the sections of the MI200 ISA that `isa` has.
"""

from __future__ import annotations

from collections.abc import Mapping

from hsa_device.isa.memory import ds, formats

_BITS = {4: "b32", 8: "b64"}
#: Numbers of bits by how many words MI200 says.
_WORDS = {"": 32, "x2": 64, "x3": 96, "x4": 128, "x8": 256, "x16": 512}
#: What memory instructions load and store, beside whole words.
_PARTS: Mapping[str, str] = {
    "ubyte": "u8",
    "sbyte": "i8",
    "ushort": "u16",
    "sshort": "i16",
    "ubyte_d16": "d16_u8",
    "ubyte_d16_hi": "d16_hi_u8",
    "sbyte_d16": "d16_i8",
    "sbyte_d16_hi": "d16_hi_i8",
    "short_d16": "d16_b16",
    "short_d16_hi": "d16_hi_b16",
    "byte": "b8",
    "byte_d16_hi": "d16_hi_b8",
    "short": "b16",
}
#: How operations of `formats.ATOMICS` are called, and the letter of their type.
_ATOMICS: Mapping[str, tuple[str, str]] = {
    **{name: (name, "b") for name in ("swap", "cmpswap", "and", "or", "xor")},
    **{name: (name, "u") for name in ("add", "sub", "inc", "dec")},
    **{f"{letter}{name}": (name, letter) for letter in "su" for name in ("min", "max")},
}


def _moved(name: str) -> str:
    word, found = name.removeprefix("dword"), _PARTS.get(name)
    return found or f"b{_WORDS[word]}"


def _atomic(name: str) -> str:
    called, _, suffix = name.partition("_")
    if called not in _ATOMICS or suffix not in ("", "x2"):
        return name
    word, letter = _ATOMICS[called]
    return f"{word}_{'i' if letter == 's' else letter}{64 if suffix else 32}"


def _memory() -> dict[str, str]:
    found = {}
    for prefix in ("flat", "global", "scratch", "buffer"):
        for kind, table, rename in (
            ("load", formats.LOADS, _moved),
            ("store", formats.STORES, _moved),
            ("atomic", formats.ATOMICS, _atomic),
        ):
            found.update({f"{prefix}_{kind}_{n}": f"{prefix}_{kind}_{rename(n)}" for n in table})
    return found


def _shared() -> dict[str, str]:
    """LDS."""
    found = {}
    for name in ds.SECTION.instructions:
        renamed = name
        for before, after in (
            ("ds_read2st64", "ds_load_2addr_stride64"),
            ("ds_write2st64", "ds_store_2addr_stride64"),
            ("ds_read2", "ds_load_2addr"),
            ("ds_write2", "ds_store_2addr"),
            ("ds_read", "ds_load"),
            ("ds_write", "ds_store"),
            ("ds_wrxchg", "ds_storexchg"),
        ):
            if renamed.startswith(before):
                renamed = renamed.replace(before, after)
        found[name] = renamed
    return found


#: By the name that MI200 has.
NAMES: Mapping[str, str] = {
    **{f"s_load_dword{word}": f"s_load_b{bits}" for word, bits in _WORDS.items()},
    **{f"s_ff1_i32_b{n}": f"s_ctz_i32_b{n}" for n in (32, 64)},
    **{f"s_flbit_i32_b{n}": f"s_clz_i32_u{n}" for n in (32, 64)},
    "s_flbit_i32": "s_cls_i32",
    "s_flbit_i32_i64": "s_cls_i32_i64",
    **{f"s_{name}n2_b{n}": f"s_{name}_not1_b{n}" for name in ("and", "or") for n in (32, 64)},
    **{
        f"s_{name}n{place + 1}_saveexec_b64": f"s_{name}_not{place}_saveexec_b64"
        for name in ("and", "or")
        for place in (0, 1)
    },
    **{f"s_andn{place + 1}_wrexec_b64": f"s_and_not{place}_wrexec_b64" for place in (0, 1)},
    "v_ffbh_u32": "v_clz_i32_u32",
    "v_ffbh_i32": "v_cls_i32",
    "v_ffbl_b32": "v_ctz_i32_b32",
    "v_cvt_rpi_i32_f32": "v_cvt_nearest_i32_f32",
    "v_cvt_flr_i32_f32": "v_cvt_floor_i32_f32",
    **{
        f"v_{name}_{t}{n}": f"v_{name}_nc_{t}{n}"
        for name in ("add", "sub")
        for t in "iu"
        for n in (16, 32)
    },
    "v_subrev_u32": "v_subrev_nc_u32",
    "v_addc_co_u32": "v_add_co_ci_u32",
    "v_subb_co_u32": "v_sub_co_ci_u32",
    "v_subbrev_co_u32": "v_subrev_co_ci_u32",
    "v_mul_legacy_f32": "v_mul_dx9_zero_f32",
    "v_cvt_pkrtz_f16_f32": "v_cvt_pk_rtz_f16_f32",
    **{f"v_cmp_tru_f{n}": f"v_cmp_t_f{n}" for n in (16, 32, 64)},
    **_memory(),
    **_shared(),
}
