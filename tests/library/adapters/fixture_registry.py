"""The registry of the C library that the adapters are tested on."""

from __future__ import annotations

from pathlib import Path

from hsa_spec.model import (
    CallbackType,
    Enum,
    Enumerator,
    Function,
    Parameter,
    Registry,
    Struct,
    Typedef,
    Versions,
)

FUNCTIONS = {
    "fx_add": ("uint32_t", "uint32_t", "uint32_t"),
    "fx_minus": ("int32_t", "int32_t"),
    "fx_handle": ("hsa_agent_t", "hsa_agent_t"),
    "fx_mirror": ("uint64_t", "pair_t", "uint32_t"),
    "fx_not": ("bool", "bool"),
    "fx_nothing": ("void",),
    "fx_store": ("hsa_status_t", "uint64_t*", "uint64_t"),
    "fx_load": ("uint64_t", "const uint64_t*"),
    "fx_iterate": ("hsa_status_t", "uint32_t", "callback:visitor", "void*"),
    "fx_allocate": ("hsa_status_t", "size_t", "callback:allocator", "void**"),
    "fx_print": ("void", "const char*"),
    "fx_abort": ("void",),
    "fx_exit": ("void", "int"),
    "fx_hang": ("void",),
    "fx_spin": ("void",),
    "fx_limit": ("uint32_t",),
    "fx_forbid": ("void", "bool"),
    "fx_scribble": ("void",),
    "fx_start_threads": ("void", "uint32_t"),
    "fx_flood": ("void", "uint32_t"),
    "fx_close": ("void", "uint32_t", "uint32_t"),
    "fx_close_all": ("void",),
    "fx_close_range": ("void",),
    "fx_babble": ("void", "uint32_t", "uint32_t"),
    "fx_open_all": ("uint32_t",),
    "fx_terminate": ("void",),
    "fx_change": ("void",),
    "fx_hide": ("void",),
    "fx_ignore": ("void", "int"),
    "fx_change_environment": ("void",),
    "fx_set_variable": ("void", "bool"),
    "fx_strike": ("void", "int", "bool"),
    "fx_fork": ("uint32_t",),
    "fx_map": ("uint64_t",),
    "fx_share": ("uint32_t",),
    "fx_at_exit": ("uint32_t", "uint32_t"),
    "fx_sleep": ("uint32_t", "uint32_t"),
    "fx_parent": ("uint32_t",),
    "fx_random": ("uint32_t",),
    "fx_await": ("uint64_t", "const uint64_t*", "uint64_t"),
    "fx_add_to": ("void", "uint64_t*", "int64_t"),
    "fx_exchange": ("int64_t", "uint64_t*", "int64_t"),
    "fx_add_slowly": ("uint64_t", "uint64_t*", "uint64_t"),
    "fx_digits": ("uint64_t", *4 * ("uint32_t", "uint64_t"), "uint32_t", "int32_t"),
    "fx_table": ("hsa_status_t", "void*", "size_t"),
    "fx_absent": ("hsa_status_t",),
}
#: What `fx_table` gives the addresses of, in this order; the library exports none of it.
TABLE = {
    "fx_hidden_add": ("uint32_t", "uint32_t", "uint32_t"),
    "fx_hidden_mirror": ("uint64_t", "pair_t", "uint32_t"),
    "fx_hidden_iterate": ("hsa_status_t", "uint32_t", "callback:visitor", "void*"),
    "fx_hidden_exchange": ("int64_t", "uint64_t*", "int64_t"),
    "fx_hidden_await": ("uint64_t", "const uint64_t*", "uint64_t"),
    "fx_hidden_abort": ("void",),
    "fx_hidden_hang": ("void",),
}


def parameters(types: tuple[str, ...]) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"p{i}", c_type, "in") for i, c_type in enumerate(types))


def function(
    name: str,
    result: str,
    *types: str,
    versions: Versions | None = None,
    export: str = "linker",
) -> Function:
    return Function(
        name=name,
        header="fixture.h",
        topic="fixture",
        export=export,
        summary="A function of the fixture.",
        result=result,
        params=parameters(types),
        documented=(),
        clauses=(),
        versions=versions or Versions(),
    )


def make_registry(functions: list[Function]) -> Registry:
    def callback(name: str, result: str, *types: str) -> CallbackType:
        return CallbackType(name, "fixture.h", "fixture", "A callback.", result, parameters(types))

    enums = (
        Enum("hsa_status_t", "fixture.h", "fixture", "s", (Enumerator("OK", 0, "s"),)),
        Enum("signed_t", "fixture.h", "fixture", "s", (Enumerator("LOW", -1, "s"),)),
    )
    agent = Struct("hsa_agent_t", "fixture.h", "fixture", "An agent.", 8, 8, (), handle=True)
    pair = Struct("pair_t", "fixture.h", "fixture", "Three numbers.", 24, 8, ())
    return Registry(
        functions={f.name: f for f in functions},
        enums={e.name: e for e in enums},
        structs={"hsa_agent_t": agent, "pair_t": pair},
        callbacks={
            c.name: c
            for c in (
                callback("visitor", "hsa_status_t", "hsa_agent_t", "void*"),
                callback("allocator", "void*", "size_t"),
            )
        },
        root=Path(),
        digest="",
        typedefs={"number_t": Typedef("number_t", "fixture.h", "fixture", "A number.", "int64_t")},
    )
