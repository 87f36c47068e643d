"""Checks that terms suit the handles they are applied to, and enumerations the parameters."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec.conditions.syntax import Apply, Argument, Compare, Constant, Member, Node, walk
from hsa_spec.lint.finding import Finding, about_clause
from hsa_spec.model import Function, Registry

#: The handles that terms take, by what the term calls them. What is called `handle` goes by the
#: name of the term: `is_agent(handle)`.
_HANDLES = {
    "agent": ("hsa_agent_t",),
    "cache": ("hsa_cache_t",),
    "code": ("hsa_code_object_t", "hsa_code_object_reader_t"),
    "code_object": ("hsa_code_object_t",),
    "code_object_writer": ("hsa_ext_code_object_writer_t",),
    "context": ("hsa_ext_perf_counter_session_ctx_t",),
    "counter_session": ("hsa_ext_perf_counter_session_ctx_t",),
    "code_object_reader": ("hsa_code_object_reader_t",),
    "code_symbol": ("hsa_code_symbol_t",),
    "destination": ("hsa_agent_t",),
    "executable": ("hsa_executable_t",),
    "executable_symbol": ("hsa_executable_symbol_t",),
    "external_semaphore": ("hsa_amd_external_semaphore_t",),
    "image": ("hsa_ext_image_t",),
    "isa": ("hsa_isa_t",),
    "loaded_code_object": ("hsa_loaded_code_object_t",),
    "memory_handle": ("hsa_amd_vmem_alloc_handle_t",),
    "object": ("hsa_code_object_t",),
    "pool": ("hsa_amd_memory_pool_t",),
    "program": ("hsa_ext_program_t",),
    "reader": ("hsa_code_object_reader_t",),
    "region": ("hsa_region_t",),
    "sampler": ("hsa_ext_sampler_t",),
    "sampling_session": ("hsa_ven_amd_pcs_t",),
    "semaphore": ("hsa_amd_external_semaphore_t",),
    "session": ("hsa_ven_amd_pcs_t",),
    "signal": ("hsa_signal_t",),
    "signal_group": ("hsa_signal_group_t",),
    "source": ("hsa_agent_t",),
    "symbol": ("hsa_code_symbol_t", "hsa_executable_symbol_t"),
    "wavefront": ("hsa_wavefront_t",),
}
#: Enumerations of extensions, whose values a parameter of another one's type takes as well.
_EXTENDED = {
    "hsa_agent_info_t": {"hsa_amd_agent_info_t", "hsa_ext_agent_info_t"},
    "hsa_region_info_t": {"hsa_amd_region_info_t"},
}


def check(registry: Registry) -> Iterator[Finding]:
    """Yield the terms and enumerations that do not suit the parameters they are applied to."""
    enum_of = {n.name: e.name for e in registry.enums.values() for n in e.enumerators}
    for clause in registry.clauses.values():
        function = registry.functions[clause.function]
        for atom in clause.when:
            for node in walk(atom.node):
                for message in (
                    *_handles(registry, function, node),
                    *_enumerations(registry, function, node, enum_of),
                ):
                    yield about_clause(registry, clause, "kind", message)


def _handles(registry: Registry, function: Function, node: Node) -> Iterator[str]:
    if not isinstance(node, Apply):
        return
    for name, argument in zip(node.term.params, node.args, strict=True):
        if not isinstance(argument, Argument):
            continue
        wanted = _HANDLES.get(node.term.name.removeprefix("is_") if name == "handle" else name)
        ctype = function.parameter[argument.name].type
        struct = registry.structs.get(ctype)
        if wanted and struct and struct.handle and ctype not in wanted:
            yield f"{node.term.name} is about {' or '.join(wanted)}, and {argument.name} is {ctype}"


def _enumerations(
    registry: Registry, function: Function, node: Node, enum_of: dict[str, str]
) -> Iterator[str]:
    match node:
        case Member(Argument(name), enum):
            found = enum
        case Compare(_, Argument(name), Constant(constant)) if constant in enum_of:
            found = enum_of[constant]
        case _:
            return
    own = function.parameter[name].type.replace("32_t", "_t")
    if own in registry.enums and found != own and found not in _EXTENDED.get(own, ()):
        yield f"{name} is of {own}, not of {found}"
