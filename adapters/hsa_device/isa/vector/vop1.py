"""MI200 ISA, 12.8 VOP1: vector instructions with one source."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction, Kind
from hsa_device.isa import bits
from hsa_device.isa.scalar import operands as scalar
from hsa_device.isa.vector import floats, rounding
from hsa_device.isa.vector.lanes import vectors
from hsa_device.isa.vector.operands import read_word
from hsa_device.model.compilation import Run, Section, lacking, nothing
from hsa_device.model.operations import Operation, op
from hsa_device.model.types import TYPES
from hsa_device.model.waves import Values, Waves

_FLOATS = ("f16", "f32", "f64")
_TURN = 2 * np.pi
_AT_QUARTERS = np.array([0.0, 1.0, 0.0, -1.0])  # of a sine


def _move(value: Values) -> Values:
    return value


def _byte(place: int) -> Callable[[Values], Values]:
    return lambda v: (v >> np.uint32(8 * place) & np.uint32(0xFF)).astype(np.float32)


def _nearest_up(values: Values) -> Values:
    return np.floor(values + 0.5)


def _inverse_root(values: Values) -> Values:
    return 1 / np.sqrt(values)


def _wave(function: Callable[[Values], Values], shift: int) -> Callable[[Values], Values]:
    """Return a function of parts of a turn; at quarters of a turn it is 0, 1 or -1.

    Args:
        function: of an angle.
        shift: how many quarters of a turn a sine is behind it.

    """

    def computed(values: Values) -> Values:
        quarters = 4 * np.fmod(values, 1.0)
        place = np.where(np.isfinite(quarters), quarters, 0.0).astype(np.int64) + shift
        return np.where(
            quarters == np.rint(quarters), _AT_QUARTERS[place % 4], function(values * _TURN)
        )

    return computed


def _whole(name: str, function: Callable[..., Values]) -> dict[str, Operation]:
    return {f"v_{name}_{t}": op(f"{t}: {t}", function, exactly=rounding.unrounded) for t in _FLOATS}


def _sine(values: Values) -> Values:
    return np.where(values == 0, values, _wave(np.sin, 0)(values))  # that of -0 is -0


def _approximate(
    name: str, function: Callable[..., Values], *, normal: bool = True
) -> dict[str, Operation]:
    """Return an approximation of 16 and of 32 bits.

    Args:
        name: of the instructions.
        function: what they compute.
        normal: whether denormal sources and results of 32 bits are 0, whatever MODE says: the ISA
            documents of CDNA4 (12.8) and RDNA3 (16.8) say so, and compilers scale for gfx90a, too.

    """
    found = floats.in_double(function)
    single = (lambda v: floats.flushed(found(floats.flushed(v)))) if normal else found
    return {
        f"v_{name}_f16": op("f16: f16", found, rounds=True, exact=False),
        f"v_{name}_f32": op("f32: f32", single, rounds=True, exact=False),
    }


OPERATIONS: Mapping[str, Operation] = {
    "v_mov_b32": op("b32: b32", _move),
    "v_mov_b64": op("b64: b64", _move),
    "v_accvgpr_mov_b32": op("b32: b32", _move),
    **{
        f"v_cvt_{to}_{source}": op(f"{to}: {source}", _move, exactly=rounding.same)
        for to, source in (
            *(("f64", "i32"), ("f64", "u32"), ("f32", "i32"), ("f32", "u32")),
            *(("f16", "u16"), ("f16", "i16")),
        )
    },
    **{
        f"v_cvt_{to}_{source}": op(f"{to}: {source}", floats.quiet, exactly=rounding.same)
        for to, source in (("f32", "f64"), ("f64", "f32"), ("f16", "f32"), ("f32", "f16"))
    },
    **{
        f"v_cvt_{t}{n}_{source}": op(f"{t}{n}: {source}", floats.integer(f"{t}{n // 8}"))
        for t in "iu"
        for n, source in ((32, "f64"), (32, "f32"), (16, "f16"))
    },
    "v_cvt_rpi_i32_f32": op("i32: f32", floats.integer("i4", _nearest_up)),
    "v_cvt_flr_i32_f32": op("i32: f32", floats.integer("i4", np.floor)),
    **{f"v_cvt_f32_ubyte{n}": op("f32: u32", _byte(n)) for n in range(4)},
    **_whole("trunc", np.trunc),
    **_whole("ceil", np.ceil),
    **_whole("rndne", np.rint),
    **_whole("floor", np.floor),
    **{f"v_fract_{t}": op(f"{t}: {t}", floats.fraction, rounds=True) for t in _FLOATS},
    **{
        f"v_frexp_mant_{t}": op(
            f"{t}: {t}",
            floats.mantissa,
            exactly=rounding.unrounded,
            without_ieee=floats.mantissa,
        )
        for t in _FLOATS
    },
    "v_frexp_exp_i32_f64": op("i32: f64", floats.exponent),
    "v_frexp_exp_i32_f32": op("i32: f32", floats.exponent),
    "v_frexp_exp_i16_f16": op("i16: f16", floats.exponent),
    **_approximate("exp", np.exp2),
    **_approximate("log", np.log2),
    **_approximate("rcp", floats.reciprocal),
    **_approximate("rsq", _inverse_root),
    **_approximate("sqrt", np.sqrt),
    **_approximate("sin", _sine, normal=False),
    **_approximate("cos", _wave(np.cos, 1), normal=False),
    "v_rcp_iflag_f32": op("f32: f32", floats.reciprocal, rounds=True, exact=False),
    "v_rcp_f64": op("f64: f64", floats.reciprocal, rounds=True, exact=False),
    "v_rsq_f64": op("f64: f64", _inverse_root, rounds=True, exact=False),
    "v_sqrt_f64": op("f64: f64", np.sqrt, rounds=True, exact=False),
    "v_not_b32": op("b32: b32", np.invert),
    "v_bfrev_b32": op("b32: b32", bits.reverse),
    "v_ffbh_u32": op("i32: u32", bits.leading_zeros),
    "v_ffbl_b32": op("i32: b32", bits.first_one),
    "v_ffbh_i32": op("i32: i32", bits.leading_signs),
}


def _first_lane(instruction: Instruction) -> Run:
    """Read the first active lane, or lane 0 where none is."""
    put = scalar.write(instruction, instruction.operands[0], TYPES["u32"])
    source = instruction.operands[1]
    if source.kind not in (Kind.VECTOR, Kind.ACCUMULATOR):
        raise lacking(instruction, "a source that is no vector register")
    read = read_word(instruction, source)

    def run(waves: Waves) -> None:
        words = read(waves)
        first = waves.active.argmax(axis=1)
        put(waves, words[np.arange(len(words)), first])

    return run


def _swapped(instruction: Instruction) -> Run:
    first, second = (operand.number for operand in instruction.operands)

    def run(waves: Waves) -> None:
        one, other = waves.row(first).copy(), waves.row(second).copy()
        waves.put(first, other)
        waves.put(second, one)

    return run


_OTHERS = {
    "v_nop": nothing,
    "v_clrexcp": nothing,
    "v_readfirstlane_b32": _first_lane,
    "v_swap_b32": _swapped,
}
_APPROXIMATE = frozenset(name for name, each in OPERATIONS.items() if not each.exact)

SECTION = Section("VOP1", {**vectors(OPERATIONS), **_OTHERS}, {}, _APPROXIMATE)
