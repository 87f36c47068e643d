"""The headers of C that HSA's include, reduced to what these use.

libclang's package has no headers of its own, and those of the machine would make the result depend
on what is installed there.
"""

from __future__ import annotations

_INTEGERS = {
    "int8_t": "signed char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long",
    "intptr_t": "long",
    "uint8_t": "unsigned char",
    "uint16_t": "unsigned short",
    "uint32_t": "unsigned int",
    "uint64_t": "unsigned long",
    "uintptr_t": "unsigned long",
}
_LIMITS = {
    "INT32_MAX": "0x7fffffff",
    "UINT32_MAX": "0xffffffffu",
    "UINT64_MAX": "0xfffffffffffffffful",
}


def _guarded(name: str, *lines: str) -> str:
    return "\n".join((f"#ifndef HSA_SPEC_{name}", f"#define HSA_SPEC_{name}", *lines, "#endif\n"))


#: The text of each header by its name; the sizes are those of a 64-bit Linux.
BUILTINS = {
    "stddef.h": _guarded(
        "STDDEF",
        "typedef unsigned long size_t;",
        "typedef long ptrdiff_t;",
        "#define NULL ((void*)0)",
        "#define offsetof(type, member) __builtin_offsetof(type, member)",
    ),
    "stdint.h": _guarded(
        "STDINT",
        *(f"typedef {ctype} {name};" for name, ctype in _INTEGERS.items()),
        *(f"#define {name} {value}" for name, value in _LIMITS.items()),
    ),
    "stdbool.h": _guarded("STDBOOL", "#define bool _Bool", "#define true 1", "#define false 0"),
    "string.h": "void *memcpy(void *, const void *, unsigned long);\n",
    "assert.h": "#define assert(condition) ((void)0)\n",
}
