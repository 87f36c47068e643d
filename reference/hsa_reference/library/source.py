"""From the registry to the C source of the library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from hsa_reference.checking.watching import PLACES, PROBES, STORES
from hsa_reference.library.errors import LibraryError
from hsa_reference.library.interpreter import Interpreter
from hsa_reference.native import ATOMICS, Direct
from hsa_reference.runtime import CHECK_VARIABLE
from hsa_reference.topics import at_once, direct
from hsa_spec import Function, Registry
from hsa_spec.layout import resolved

HERE = Path(__file__).parent

SIGNED = {"int", "int8_t", "int16_t", "int32_t", "int64_t"}
UNSIGNED = {"bool", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t", "uintptr_t"}
# How wide a function's own answer is; negative where it has a sign.
ANSWERS = {"void": 0, "uint32_t": 32, "uint64_t": 64, "int64_t": -64}


_PROFILER = "hsa_ven_amd_aqlprofile_1_00_pfn_t"
#: What ROCr calls in a tool.
HOOKS = ("OnLoad", "OnUnload")
#: What a tester calls before it forks; see the worker of hsa_adapters.
BEFORE_FORK = "hsa_conformance_before_fork"
#: The last code that the reference's library runs when it starts.
_ATTACH = ("from hsa_reference.outside import abandon, attach\n", "attach(border)\n")


_REGISTER = 8  # bytes


@dataclass(frozen=True)
class Argument:
    """One parameter as C passes it.

    Attributes:
        type: an integer type, `void *`, or a structure that is passed by value.
        make: the function of Python's C interface that makes an object of it.
        words: how many 32-bit words the structure has, whose address makes the object.

    """

    type: str
    make: str
    words: int = 0


@dataclass(frozen=True)
class Export:
    """One function of the library.

    Attributes:
        name: its name.
        result: the C type of its answer.
        width: bits of its answer, negative where it has a sign, 0 where it has none.
        status: whether the answer is an hsa_status_t, so that failure can be told.
        exported: whether linkers find it; else only tables of functions lead to it.
        arguments: its parameters in order.
        direct: the operation that it is, if C can answer it alone.
        at_once: what it answers where it cannot wait, in C.

    """

    name: str
    result: str
    width: int
    status: bool
    exported: bool
    arguments: tuple[Argument, ...]
    direct: Direct | None
    at_once: str | None


def exports(registry: Registry) -> list[Export]:
    """Return the functions that a library offers, to the linker or in tables.

    Raises:
        LibraryError: a type has no known place in the calling convention.

    """
    return [_export(f, registry) for f in registry.functions.values() if f.export != "inline"]


def render(registry: Registry, python: Interpreter) -> str:
    """Return the C source of the library for this Python.

    Raises:
        LibraryError: a type has no known place in the calling convention.

    """
    functions = exports(registry)
    return _template("library.c.j2").render(
        functions=functions,
        structures=_structures(functions),
        atomics=ATOMICS.read_text(encoding="utf-8"),
        before_fork=BEFORE_FORK,
        check_variable=CHECK_VARIABLE,
        python=python,
        start=[
            *_start(python, [f.name for f in functions], ("hsa_reference", "Runtime"), "entries"),
            *_ATTACH,
        ],
        error=registry.status("HSA_STATUS_ERROR"),
        fatal=registry.status("HSA_STATUS_ERROR_FATAL"),
    )


def render_profiler(registry: Registry) -> str | None:
    """Return the C source of the profiler's own library, None where its functions are not there.

    Raises:
        LibraryError: a type has no known place in the calling convention.

    """
    table = registry.tables.get(_PROFILER)
    if table is None or table.extension is None:
        return None
    if any(member.function not in registry.functions for member in table.members):
        return None
    functions = [_export(registry.functions[m.function], registry) for m in table.members]
    return _template("profiler.c.j2").render(
        functions=functions,
        structures=_structures(functions),
        extension=registry.constants[table.extension.name],
        major=table.extension.major,
        fatal=registry.status("HSA_STATUS_ERROR_FATAL"),
    )


def render_checks(python: Interpreter) -> str:
    """Return the C source of the checks, as a tools library, for this Python."""
    return _template("tool.c.j2").render(
        functions=[{"name": name, "status": True} for name in HOOKS],
        stores=STORES,
        places=PLACES,
        probes=PROBES,
        python=python,
        start=_start(python, HOOKS, ("hsa_reference.checking.tool", "Tool")),
    )


def _start(
    python: Interpreter, names: Sequence[str], owner: tuple[str, str], *more: str
) -> list[str]:
    """Return the first code that a library runs in Python, by lines."""
    code = (HERE / "bootstrap.py").read_text(encoding="utf-8")
    code += (
        f"\n\nfunctions = load(\n    {str(python.prefix)!r},\n"
        f"    {[str(p) for p in python.search_path]!r},\n"
        f"    {list(names)!r},\n    {owner!r},\n    {', '.join(more)}\n)\n"
    )
    return code.splitlines(keepends=True)


def version_script(names: Iterable[str]) -> str:
    """Return the linker's version script: these symbols in ROCr's node, and a hook in our own."""
    symbols = "".join(f"    {name};\n" for name in names)
    api = f"ROCR_1 {{\n  global:\n{symbols}  local:\n    *;\n}};\n"
    return f"{api}HSA_CONFORMANCE_1 {{\n  global:\n    {BEFORE_FORK};\n}};\n"


def literal(text: object) -> str:
    r"""Return text or a path as a C string literal, without a line break or `\x` in it."""
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _template(name: str) -> Template:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["c"] = literal
    return environment.get_template(name)


def _structures(functions: Iterable[Export]) -> list[int]:
    """Return the sizes in words of the structures that are passed by value."""
    return sorted({a.words for f in functions for a in f.arguments if a.words})


def _export(function: Function, registry: Registry) -> Export:
    arguments = tuple(
        _argument(p.type, registry, f"parameter {p.name} of {function.name}")
        for p in function.params
    )
    result = function.result
    if result != "void":
        result = _argument(result, registry, f"the answer of {function.name}").type
    if result not in ANSWERS:
        raise LibraryError(
            f"{function.name} answers {function.result}, which the library cannot pass on: "
            "describe it in hsa_reference/library/source.py"
        )
    status = function.result == "hsa_status_t"
    alone = direct().get(function.name)
    early = at_once().get(function.name)
    exported = function.export == "linker"
    width = ANSWERS[result]
    return Export(function.name, result, width, status, exported, arguments, alone, early)


def _argument(declared: str, registry: Registry, where: str) -> Argument:
    name = re.sub(r"\b(const|volatile|struct|enum)\b", "", declared).strip()
    name = resolved(name, registry)
    struct = registry.structs.get(name)
    if "*" in name or name.startswith("callback:"):
        return Argument("void *", "PyLong_FromVoidPtr")
    if struct and struct.size <= _REGISTER:
        # A small structure is passed as a number is, here and by adapters.
        name = "uint64_t"
    elif name in registry.enums:
        name = "uint32_t"
    if name in UNSIGNED:
        return Argument(name, "PyLong_FromUnsignedLongLong")
    if name in SIGNED:
        return Argument(name, "PyLong_FromLongLong")
    if struct:
        words = struct.size // 4
        return Argument(f"struct words_{words}", "PyLong_FromVoidPtr", words)
    raise LibraryError(
        f"the type {declared!r} of {where} is not known: describe it in the registry"
    )
