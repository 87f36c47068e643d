"""What LLVM makes of instructions' intrinsics, and of plain operations, on constants.

Operations are written in LLVM's language: `{0}` is the first source, and `name = ` before an
operation names its result for those that follow.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

#: Types of sources and results by their kind; of two halves p is of integers, h of numbers.
_TYPES = {"u1": "i1", "u16": "i16", "u32": "i32", "u64": "i64", "p32": "<2 x i16>"}
_TYPES |= {"f16": "half", "f32": "float", "f64": "double", "h32": "<2 x half>"}
_CALL = re.compile(r"call (.+?) (@[\w.]+)\((.*)\)")
_SUNK = re.compile(r"call void @sink\(i64 (?:noundef )?(%?-?[\w.]+)\)")
_COMPILERS = ("clang-19", "clang-15")


@dataclass(frozen=True)
class ReferenceOperation:
    """What an instruction is compared with.

    Args:
        result: its kind.
        sources: their kinds.
        code: the operations, the last of which is the result.

    """

    result: str
    sources: Sequence[str]
    code: str


def _entry(signature: str, code: str) -> ReferenceOperation:
    result, _, sources = signature.partition(": ")
    return ReferenceOperation(result, sources.split(), code)


#: By mnemonic, and a modifier behind it.
FOLDED: dict[str, ReferenceOperation] = {}
_NUMBERS = {"16": "half", "32": "float", "64": "double"}
for _n, _t in _NUMBERS.items():
    _f = f"f{_n}"
    for _name, _code in {
        "fract": f"call {_t} @llvm.amdgcn.fract.{_f}({_t} {{0}})",
        "frexp_mant": f"call {_t} @llvm.amdgcn.frexp.mant.{_f}({_t} {{0}})",
        "rcp": f"call {_t} @llvm.amdgcn.rcp.{_f}({_t} {{0}})",
        "trunc": f"call {_t} @llvm.trunc.{_f}({_t} {{0}})",
        "floor": f"call {_t} @llvm.floor.{_f}({_t} {{0}})",
        "ceil": f"call {_t} @llvm.ceil.{_f}({_t} {{0}})",
        "rndne": f"call {_t} @llvm.roundeven.{_f}({_t} {{0}})",
    }.items():
        FOLDED[f"v_{_name}_{_f}"] = _entry(f"{_f}: {_f}", _code)
    for _name in ("add", "sub", "mul"):
        if (_name, _n) != ("sub", "64"):
            FOLDED[f"v_{_name}_{_f}"] = _entry(f"{_f}: {_f} {_f}", f"f{_name} {_t} {{0}}, {{1}}")
    for _name in ("min", "max"):
        _code = f"call {_t} @llvm.{_name}num.{_f}({_t} {{0}}, {_t} {{1}})"
        FOLDED[f"v_{_name}_{_f}"] = _entry(f"{_f}: {_f} {_f}", _code)
    FOLDED[f"v_fma_{_f}"] = _entry(
        f"{_f}: {_f} {_f} {_f}", f"call {_t} @llvm.fma.{_f}({_t} {{0}}, {_t} {{1}}, {_t} {{2}})"
    )
    FOLDED[f"v_cmp_class_{_f}"] = _entry(
        f"u1: {_f} u32", f"call i1 @llvm.amdgcn.class.{_f}({_t} {{0}}, i32 {{1}})"
    )
    for _name, _predicate in (
        *(("lt", "olt"), ("eq", "oeq"), ("le", "ole"), ("gt", "ogt"), ("lg", "one")),
        *(("ge", "oge"), ("o", "ord"), ("u", "uno"), ("nge", "ult"), ("nlg", "ueq")),
        *(("ngt", "ule"), ("nle", "ugt"), ("neq", "une"), ("nlt", "uge"), ("tru", "true")),
        ("f", "false"),
    ):
        FOLDED[f"v_cmp_{_name}_{_f}"] = _entry(
            f"u1: {_f} {_f}", f"fcmp {_predicate} {_t} {{0}}, {{1}}"
        )
    for _sign, _convert in (("i", "si"), ("u", "ui")):
        _whole = 16 if _n == "16" else 32
        FOLDED[f"v_cvt_{_sign}{_whole}_{_f}"] = _entry(
            f"u{_whole}: {_f}",
            f"call i{_whole} @llvm.fpto{_convert}.sat.i{_whole}.{_f}({_t} {{0}})",
        )
        FOLDED[f"v_cvt_{_f}_{_sign}{_whole}"] = _entry(
            f"{_f}: u{_whole}", f"{_convert}tofp i{_whole} {{0}} to {_t}"
        )
for _n, _t in (("32", "float"), ("64", "double")):
    FOLDED[f"v_frexp_exp_i32_f{_n}"] = _entry(
        f"u32: f{_n}", f"call i32 @llvm.amdgcn.frexp.exp.i32.f{_n}({_t} {{0}})"
    )
    FOLDED[f"v_ldexp_f{_n}"] = _entry(
        f"f{_n}: f{_n} u32", f"call {_t} @llvm.amdgcn.ldexp.f{_n}({_t} {{0}}, i32 {{1}})"
    )
for _code, _kinds, _name in (
    *(("fptrunc double {0} to float", "f32: f64", "v_cvt_f32_f64"),),
    *(("fptrunc float {0} to half", "f16: f32", "v_cvt_f16_f32"),),
    *(("fpext float {0} to double", "f64: f32", "v_cvt_f64_f32"),),
    *(("fpext half {0} to float", "f32: f16", "v_cvt_f32_f16"),),
    *(("call i16 @llvm.amdgcn.frexp.exp.i16.f16(half {0})", "u16: f16", "v_frexp_exp_i16_f16"),),
):
    FOLDED[_name] = _entry(_kinds, _code)
for _name in ("sin", "cos"):
    FOLDED[f"v_{_name}_f32"] = _entry(
        "f32: f32", f"call float @llvm.amdgcn.{_name}.f32(float {{0}})"
    )
for _name in ("cubeid", "cubesc", "cubetc", "cubema"):
    FOLDED[f"v_{_name}_f32"] = _entry(
        "f32: f32 f32 f32",
        f"call float @llvm.amdgcn.{_name}(float {{0}}, float {{1}}, float {{2}})",
    )
FOLDED["v_trig_preop_f64"] = _entry(
    "f64: f64 u32", "call double @llvm.amdgcn.trig.preop.f64(double {0}, i32 {1})"
)
_THREE = "{0}, i32 {1}, i32 {2}"
FOLDED |= {
    "v_mul_legacy_f32": _entry(
        "f32: f32 f32", "call float @llvm.amdgcn.fmul.legacy(float {0}, float {1})"
    ),
    "v_med3_f32": _entry(
        "f32: f32 f32 f32",
        "call float @llvm.amdgcn.fmed3.f32(float {0}, float {1}, float {2})",
    ),
    "v_cvt_pkrtz_f16_f32": _entry(
        "h32: f32 f32", "call <2 x half> @llvm.amdgcn.cvt.pkrtz(float {0}, float {1})"
    ),
    "v_perm_b32": _entry("u32: u32 u32 u32", f"call i32 @llvm.amdgcn.perm(i32 {_THREE})"),
    "v_bfe_u32": _entry("u32: u32 u32 u32", f"call i32 @llvm.amdgcn.ubfe.i32(i32 {_THREE})"),
    "v_bfe_i32": _entry("u32: u32 u32 u32", f"call i32 @llvm.amdgcn.sbfe.i32(i32 {_THREE})"),
    "v_alignbit_b32": _entry("u32: u32 u32 u32", f"call i32 @llvm.fshr.i32(i32 {_THREE})"),
    "v_bfrev_b32": _entry("u32: u32", "call i32 @llvm.bitreverse.i32(i32 {0})"),
    "v_bcnt_u32_b32": _entry(
        "u32: u32 u32", "n = call i32 @llvm.ctpop.i32(i32 {0}); add i32 {n}, {1}"
    ),
    "v_lshlrev_b32": _entry("u32: u32 u32", "n = and i32 {0}, 31; shl i32 {1}, {n}"),
    "v_lshrrev_b32": _entry("u32: u32 u32", "n = and i32 {0}, 31; lshr i32 {1}, {n}"),
    "v_ashrrev_i32": _entry("u32: u32 u32", "n = and i32 {0}, 31; ashr i32 {1}, {n}"),
}
for _sign, _letter, _extend in (("s", "i", "sext"), ("u", "u", "zext")):
    for _name, _saturates, _clamp in (
        *(("min", "", ""), ("max", "", "")),
        *(("add", ".sat", " clamp"), ("sub", ".sat", " clamp")),
    ):
        _code = f"{_sign}{_name}{_saturates}"
        FOLDED[f"v_{_name}_{_letter}32{_clamp}"] = _entry(
            "u32: u32 u32", f"call i32 @llvm.{_code}.i32(i32 {{0}}, i32 {{1}})"
        )
        FOLDED[f"v_pk_{_name}_{_letter}16{_clamp}"] = _entry(
            "p32: p32 p32",
            f"call <2 x i16> @llvm.{_code}.v2i16(<2 x i16> {{0}}, <2 x i16> {{1}})",
        )
    FOLDED[f"v_mul_hi_{_letter}32"] = _entry(
        "u32: u32 u32",
        f"a = {_extend} i32 {{0}} to i64; b = {_extend} i32 {{1}} to i64; "
        "p = mul i64 {a}, {b}; h = lshr i64 {p}, 32; trunc i64 {h} to i32",
    )
for _name in ("add", "mul"):
    FOLDED[f"v_pk_{_name}_f16"] = _entry("h32: h32 h32", f"f{_name} <2 x half> {{0}}, {{1}}")
FOLDED["v_pk_fma_f16"] = _entry(
    "h32: h32 h32 h32",
    "call <2 x half> @llvm.fma.v2f16(<2 x half> {0}, <2 x half> {1}, <2 x half> {2})",
)
for _name, _code in (("lshlrev_b16", "shl"), ("lshrrev_b16", "lshr"), ("ashrrev_i16", "ashr")):
    FOLDED[f"v_pk_{_name}"] = _entry(
        "p32: p32 p32",
        f"n = and <2 x i16> {{0}}, <i16 15, i16 15>; {_code} <2 x i16> {{1}}, {{n}}",
    )


def compiler() -> str | None:
    """Return a compiler that folds for AMD's processors, None where there is none."""
    return next(filter(shutil.which, _COMPILERS), None)


def folded(asked: Sequence[tuple[ReferenceOperation, Sequence[int]]]) -> Sequence[int | None]:
    """Return the bits of each result, None where the compiler leaves it to the processor.

    Args:
        asked: operations, and the bits of their sources.

    """
    lines = [line for n, (each, bits) in enumerate(asked) for line in _lines(n, each, bits)]
    declared = {_declaration(*found) for found in _CALL.findall("\n".join(lines))}
    body = ["define void @all() {", *lines, "ret void", "}"]
    text = "\n".join([*sorted(declared), *body])
    command = [str(compiler()), "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib"]
    command += ["-O1", "-S", "-emit-llvm", "-w", "-x", "ir", "-", "-o", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    results = _SUNK.findall(done.stdout)
    assert len(asked) == len(results)
    return [None if found[0] == "%" else int(found) & 2**64 - 1 for found in results]


def _lines(number: int, each: ReferenceOperation, bits: Sequence[int]) -> Iterator[str]:
    names = {}
    for place, (kind, value) in enumerate(zip(each.sources, bits, strict=True)):
        names[str(place)] = f"%s{number}.{place}"
        yield f"{names[str(place)]} = bitcast i{kind[1:]} {value} to {_TYPES[kind]}"
    *before, last = each.code.split("; ")
    for step in before:
        name, _, operation = step.partition(" = ")
        names[name] = f"%n{number}.{name}"
        yield f"{names[name]} = {_filled(operation, names)}"
    yield f"%r{number} = {_filled(last, names)}"
    width = each.result[1:]
    yield f"%b{number} = bitcast {_TYPES[each.result]} %r{number} to i{width}"
    if width == "64":
        yield f"call void @sink(i64 %b{number})"
        return
    yield f"%w{number} = zext i{width} %b{number} to i64"
    yield f"call void @sink(i64 %w{number})"


def _filled(operation: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: names[found[1]], operation)


def _declaration(result: str, name: str, arguments: str) -> str:
    types = ", ".join(argument.rpartition(" ")[0] for argument in arguments.split(", "))
    return f"declare {result} {name}({types})"
