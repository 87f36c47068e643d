"""Draws well-defined C functions, which compute the same whatever compiles and executes them.

Numbers wrap around, shifts and divisors are in range, floating-point numbers are converted where
they fit, and a NaN is one NaN. `-ffp-contract=off` and `-fwrapv` are expected of compilers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

INPUTS = 4  # of each work-item, 64 bits each
OUTPUTS = 4

#: What programs begin with, for the host and for a GPU.
COMMON = """
typedef unsigned char u8; typedef signed char i8; typedef unsigned short u16; typedef short i16;
typedef unsigned int u32; typedef int i32; typedef unsigned long u64; typedef long i64;
typedef float f32; typedef double f64;
static inline u32 bits_f32(f32 v)
{ union { f32 f; u32 u; } x = { v }; return v != v ? 0x7fc00000u : x.u; }
static inline u64 bits_f64(f64 v)
{ union { f64 f; u64 u; } x = { v }; return v != v ? 0x7ff8000000000000ul : x.u; }
static inline f32 f32_of(u32 v) { union { u32 u; f32 f; } x = { v }; return x.f; }
static inline f64 f64_of(u64 v) { union { u64 u; f64 f; } x = { v }; return x.f; }
#ifdef __AMDGCN__
#define REGISTER "+v"
#else
#define REGISTER "+r"
#endif
/* Volatile: else LLVM 15 moves it behind a loop that lanes leave at different times, and takes the
   last lane's counter for all of them. */
static inline u32 opaque_u32(u32 v) { __asm__ volatile("" : REGISTER(v)); return v; }
static inline u64 opaque_u64(u64 v) { __asm__ volatile("" : REGISTER(v)); return v; }
static inline f32 opaque_f32(f32 v) { __asm__ volatile("" : REGISTER(v)); return v; }
static inline f64 opaque_f64(f64 v) { __asm__ volatile("" : REGISTER(v)); return v; }
static inline f32 sign_f32(f32 a, f32 b) { return __builtin_copysignf(a, b != b ? 1.0f : b); }
static inline f64 sign_f64(f64 a, f64 b) { return __builtin_copysign(a, b != b ? 1.0 : b); }
static inline i64 to_i64(f64 v) { return v > -1e18 && v < 1e18 ? (i64)v : 7; }
static inline i32 to_i32(f64 v) { return v > -2e9 && v < 2e9 ? (i32)v : 7; }
static inline u32 to_u32(f64 v) { return v > -0.5 && v < 4e9 ? (u32)v : 7; }
static inline u64 to_u64(f64 v) { return v > -0.5 && v < 1e19 ? (u64)v : 7; }
"""
_INTEGERS = ("u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64")
_FLOATS = ("f32", "f64")
_WIDE = ("u32", "i32", "u64", "i64", "f32", "f64")


@dataclass
class _Drawing:
    """A function that is being drawn."""

    chance: random.Random
    helpers: Sequence[str]
    variables: list[tuple[str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    loops: int = 0
    table: bool = True

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def variable(self, wanted: str) -> str | None:
        """Return a variable of a type, None where there is none."""
        found = [name for name, kind in self.variables if kind == wanted]
        return self.chance.choice(found) if found else None


def draw(seed: int, count: int = 1) -> Sequence[str]:
    """Return C functions `void program_N(const u64 *in, u64 *out)` with what they call.

    Args:
        seed: the same gives the same functions.
        count: how many.

    """
    chance = random.Random(seed)
    return [_function(chance, number) for number in range(count)]


def _function(chance: random.Random, number: int) -> str:
    helper = f"helper_{number}"
    drawing = _Drawing(chance, [helper] if chance.random() < 0.3 else [])
    for place in range(INPUTS):
        drawing.variables.append((f"a{place}", "u64"))
        drawing.write(f"u64 a{place} = in[{place}];")
    for place, kind in enumerate(_WIDE):
        source = f"a{place % INPUTS}"
        start = f"{kind}_of(({'u32' if kind == 'f32' else 'u64'}){source})"
        drawing.write(f"{kind} v{place} = {start if kind in _FLOATS else f'({kind}){source}'};")
        drawing.variables.append((f"v{place}", kind))
    drawing.write(f"u32 t[8] = {{ {', '.join(f'(u32)a{n % INPUTS} + {n}u' for n in range(8))} }};")
    for _ in range(chance.randint(4, 9)):
        _statement(drawing, 2)
    outputs = [chance.choice(drawing.variables) for _ in range(OUTPUTS - 1)]
    for place, (name, kind) in enumerate(outputs):
        value = f"bits_{kind}({name})" if kind in _FLOATS else f"(u64){name}"
        drawing.write(f"out[{place}] = {value};")
    total = " ^ ".join(f"t[{n}]" for n in range(8))
    drawing.write(f"out[{OUTPUTS - 1}] = {total};")
    body = "\n".join(drawing.lines)
    return f"{_helper(chance, helper) if drawing.helpers else ''}" + (
        f"DEVICE void program_{number}(IN in, OUT out)\n{{\n{body}\n}}\n"
    )


def _helper(chance: random.Random, name: str) -> str:
    drawing = _Drawing(chance, [], table=False)
    drawing.variables = [("x", "u32"), ("y", "u64")]
    return (
        f"DEVICE __attribute__((noinline)) u32 {name}(u32 x, u64 y)\n"
        f"{{\n    return {_expression(drawing, 'u32', 2)};\n}}\n"
    )


def _statement(drawing: _Drawing, depth: int) -> None:
    chance = drawing.chance
    choice = chance.random()
    if depth and choice < 0.2:
        _branch(drawing, depth)
    elif depth and choice < 0.35 and drawing.loops < 2:
        _loop(drawing, depth)
    elif depth and choice < 0.4:
        _switch(drawing, depth)
    elif choice < 0.55:
        place = _expression(drawing, "u32", 1)
        drawing.write(
            f"t[({place}) & 7] {chance.choice(['', '+', '^'])}= {_expression(drawing, 'u32', 2)};"
        )
    else:
        name, kind = chance.choice([v for v in drawing.variables if v[0][0] == "v"])
        drawing.write(f"{name} = {_expression(drawing, kind, 3)};")


def _branch(drawing: _Drawing, depth: int) -> None:
    drawing.write(f"if ({_condition(drawing)}) {{")
    _nested(drawing, depth)
    if drawing.chance.random() < 0.5:
        drawing.write("} else {")
        _nested(drawing, depth)
    drawing.write("}")


def _loop(drawing: _Drawing, depth: int) -> None:
    drawing.loops += 1
    name = f"n{len(drawing.lines)}"
    bound = drawing.chance.choice(["3u", f"(({_expression(drawing, 'u32', 1)}) & 7)"])
    drawing.write(f"for (u32 {name} = 0, end_{name} = {bound}; {name} < end_{name}; {name}++) {{")
    drawing.variables.append((name, "u32"))
    _nested(drawing, depth)
    if drawing.chance.random() < 0.3:
        drawing.depth += 1
        drawing.write(f"if ({_condition(drawing)}) {drawing.chance.choice(['break', 'continue'])};")
        drawing.depth -= 1
    drawing.variables.remove((name, "u32"))
    drawing.write("}")
    drawing.loops -= 1


def _switch(drawing: _Drawing, depth: int) -> None:
    drawing.write(f"switch (({_expression(drawing, 'u32', 1)}) & 3) {{")
    for case in range(3):
        drawing.write(f"case {case}:")
        _nested(drawing, depth)
        if drawing.chance.random() < 0.7:
            drawing.write("    break;")
    drawing.write("default: break;")
    drawing.write("}")


def _nested(drawing: _Drawing, depth: int) -> None:
    drawing.depth += 1
    for _ in range(drawing.chance.randint(1, 3)):
        _statement(drawing, depth - 1)
    drawing.depth -= 1


def _condition(drawing: _Drawing) -> str:
    kind = drawing.chance.choice(_WIDE)
    comparison = drawing.chance.choice(["<", ">", "<=", ">=", "==", "!="])
    return f"{_expression(drawing, kind, 1)} {comparison} {_expression(drawing, kind, 1)}"


def _expression(drawing: _Drawing, kind: str, depth: int) -> str:
    chance = drawing.chance
    if not depth or chance.random() < 0.15:
        return _leaf(drawing, kind)
    if chance.random() < 0.25:
        return _converted(drawing, kind, depth)
    if chance.random() < 0.08:
        return (
            f"({_condition(drawing)} ? {_expression(drawing, kind, depth - 1)} : "
            f"{_expression(drawing, kind, depth - 1)})"
        )
    one, other = (_expression(drawing, kind, depth - 1) for _ in range(2))
    if kind in _FLOATS:
        return _of_floats(chance, kind, one, other)
    return f"({kind}){_of_integers(drawing, kind, one, other)}"


def _of_floats(chance: random.Random, kind: str, one: str, other: str) -> str:
    suffix = "f" if kind == "f32" else ""
    return chance.choice(
        [
            f"({one} + {other})",
            # LLVM 19 makes -x of 0 - x, which has the other sign where x is 0.
            f"(opaque_{kind}({one}) - {other})",
            *(f"({one} {operator} {other})" for operator in ("*", "+", "*", "/")),
            f"(- {one})",
            f"__builtin_fabs{suffix}({one})",
            f"__builtin_fma{suffix}({one}, {other}, {one})",
            f"__builtin_floor{suffix}({one})",
            f"__builtin_trunc{suffix}({one})",
            f"sign_{kind}({one}, {other})",
        ]
    )


def _of_integers(drawing: _Drawing, kind: str, one: str, other: str) -> str:
    bits = int(kind[1:])
    unsigned = f"u{max(bits, 32)}"
    wide = f"u{max(bits, 32)}"
    most = bits - 1
    # Where LLVM knows the upper bits of a dividend it divides by floating-point numbers of 24 bits,
    # and wrongly for AMD GPUs: those of 64 bits that have 25 to 32 (LLVM 15), and unsigned ones
    # whose upper bits are copies of a sign (15 and 19).
    dividend = f"({kind})opaque_{unsigned}({one})"
    high = "l" if bits == 64 else ""
    choices: list[Callable[[], str]] = [
        *(
            (lambda o=operator: f"(({unsigned}){one} {o} ({unsigned}){other})")
            for operator in ("+", "-", "*", "&", "|", "^")
        ),
        lambda: f"(~{one})",
        lambda: f"(({unsigned}){one} << ({other} & {most}))",
        lambda: f"({one} >> ({other} & {most}))",
        lambda: f"({dividend} / (({kind})({other} & 0x3f) + 1))",
        lambda: f"({dividend} % (({kind})({other} & 0x3f) + 1))",
        lambda: f"({one} < {other} ? {one} : {other})",
        lambda: f"__builtin_popcount{high}(({wide}){one})",
        lambda: f"__builtin_clz{high}(({wide}){one} | 1)",
        lambda: f"__builtin_ctz{high}(({wide}){one} | (({wide})1 << {bits - 1}))",
        lambda: f"__builtin_bswap{max(bits, 32)}({one})",
        lambda: f"(({one} >> 5) & 0x1f)",
    ]
    if bits == 64:
        choices.append(lambda: f"((u64)(u32){one} * (u32){other})")
        choices.append(lambda: f"((i64)(i32){one} * (i32){other})")
    if bits == 32 and drawing.helpers:
        helper = drawing.helpers[0]
        choices.extend([lambda: f"{helper}({one}, {other})"] * 3)
    return drawing.chance.choice(choices)()


def _converted(drawing: _Drawing, kind: str, depth: int) -> str:
    chance = drawing.chance
    source = chance.choice([*_INTEGERS, *_FLOATS])
    inner = _expression(drawing, source, depth - 1)
    if source in _FLOATS and kind not in _FLOATS:
        sizes = {"u": "to_u64" if kind == "u64" else "to_u32", "i": "to_i64"}
        function = "to_i32" if kind == "i32" else sizes[kind[0]]
        return f"({kind}){function}({inner})"
    return f"({kind})({inner})"


def _leaf(drawing: _Drawing, kind: str) -> str:
    chance = drawing.chance
    found = drawing.variable(kind)
    if found and chance.random() < 0.75:
        return found
    if kind in _FLOATS:
        suffix = "f" if kind == "f32" else ""
        return (
            f"{chance.choice(['0.0', '1.0', '-0.5', '3.25', '1e-3', '123456.789', '-2.0'])}{suffix}"
        )
    if kind == "u32" and drawing.table and chance.random() < 0.3:
        other = chance.choice([n for n, k in drawing.variables if k in ("u64", "u32")])
        return f"t[{other} & 7]"
    if chance.random() < 0.5 and kind not in ("u64", "i64"):
        wide, _ = chance.choice([v for v in drawing.variables if v[1] == "u64"] or [("0", "")])
        return f"({kind}){wide}"
    number = chance.choice([0, 1, 2, 7, 63, 64, 100, 255, 1000, 0x7FFF, 0x12345678, 0x7FFFFFFF])
    return f"({kind}){number}"
