"""What the runtime hands to libraries of tools: tables of functions, with their versions."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.library.tool_tables import loads, prepare
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.init.fixtures import discover
from hsa_spec import Registry
from hsa_spec.layout import unqualified
from hsa_spec.releases import Release

proves = Proofs()

_ROOT: Final = "HsaApiTable"
_VERSION, _POINTER = 16, 8
#: What the names of a table's numbers begin with, by the member of the root that points to it.
_NUMBERS: Final[Mapping[str, str]] = {
    "": "HSA_API_TABLE",
    "core_": "HSA_CORE_API_TABLE",
    "amd_ext_": "HSA_AMD_EXT_API_TABLE",
    "finalizer_ext_": "HSA_FINALIZER_API_TABLE",
    "image_ext_": "HSA_IMAGE_API_TABLE",
    "tools_": "HSA_TOOLS_API_TABLE",
    "pc_sampling_ext_": "HSA_PC_SAMPLING_API_TABLE",
}
#: What every runtime with such tables has; the others belong to extensions that may be missing.
_ALWAYS: Final = ("", "core_", "amd_ext_", "tools_")


@dataclass(frozen=True)
class Table:
    """A table that was handed over: its type, its place, and what its version says."""

    name: str
    place: str
    address: Symbol
    major: int
    size: int
    step: int

    @property
    def version(self) -> str:
        """What its version says, for reports."""
        return f"major {self.major}, minor {self.size}, step {self.step}"


def _start(scene: Scene) -> Symbol:
    """Initialise the runtime with a library of tools, and return the address of its record.

    Raises:
        Unavailable: there is no compiler to make that library with, or nobody loads it.

    """
    record = prepare(scene.session)
    scene.set_up("hsa_init")
    loads(scene.session, record)
    return record


def _tables(scene: Scene, record: Symbol) -> Iterator[Table]:
    """Yield the tables that were handed over, the root first, and no more than its size covers.

    The version of one that has to be there and is not is made of zeros.
    """
    root = _table(scene, _ROOT, "", scene.session.read_number(record, "tables"))
    yield root
    for field in scene.session.registry.structs[_ROOT].fields:
        if field.name in _NUMBERS and field.offset + _POINTER <= root.size:
            address = scene.session.read_number(root.address + field.offset, field.name)
            if address or field.name in _ALWAYS:
                yield _table(scene, unqualified(field.type).rstrip("*"), field.name, address)


def _table(scene: Scene, name: str, place: str, address: Symbol) -> Table:
    version = (scene.session.read(address, 12) if address else None) or bytes(12)
    return Table(name, place, address, *struct.unpack("<III", version))


def _there(table: Table) -> bool:
    """Return whether a table has to be one of something: an extension that is missing says 0."""
    return table.place in _ALWAYS or bool(table.major)


def _named(scene: Scene, record: Symbol) -> dict[str, Table]:
    """Return the tables that have to be some, by their names."""
    return {table.name: table for table in _tables(scene, record) if _there(table)}


@proves("tools/table-versions", initialised=False, fresh=True, examples=0.2)
def each_table_has_the_numbers_of_the_header(scene: Scene) -> None:
    """A library of tools is handed tables with the major and step numbers of the header."""
    record = _start(scene)
    for table in scene.parts("table", _named(scene, record)):
        for part, found in (("MAJOR", table.major), ("STEP", table.step)):
            wanted = _constant(scene.session.registry, scene.session.release, table, part)
            scene.require(
                found > 0 if wanted is None and part == "MAJOR" else wanted in (None, found),
                f"{table.name} has another {part.lower()} number than "
                f"{'one above 0' if wanted is None else wanted}",
                table.version,
            )


def _constant(registry: Registry, release: Release, table: Table, part: str) -> int | None:
    """Return a number that the header of a release names for a table; None where it is unknown."""
    macro = registry.macros[f"{_NUMBERS[table.place]}_{part}_VERSION"]
    value = release.value_of(macro)
    return value if isinstance(value, int) and release.highest else None


@proves("tools/table-sizes", initialised=False, fresh=True, examples=0.2)
def each_table_says_how_large_it_is(scene: Scene) -> None:
    """A library of tools is handed tables whose minor number has room for all their members."""
    record = _start(scene)
    for table in scene.parts("table", _named(scene, record)):
        least = _size(scene.session.registry, scene.session.release, table)
        scene.require(
            table.size >= least and table.size % _POINTER == 0,
            f"the minor number of {table.name} is no size of its {least} bytes",
            table.version,
        )


def _size(registry: Registry, release: Release, table: Table) -> int:
    """Return how many bytes of a table a release is known to have."""
    if table.name == _ROOT:
        fields = [f for f in registry.structs[_ROOT].fields if release.has(f.versions)]
        return max(f.offset + f.size for f in fields)
    members = [m for m in registry.tables[table.name].members if release.has(m.versions)]
    return _VERSION + _POINTER * len(members)


@proves("tools/tables-every-time", initialised=False, fresh=True, examples=0.2)
def tables_are_the_same_when_the_runtime_starts_again(scene: Scene) -> None:
    """After hsa_shut_down and hsa_init, the tables have the versions that they had before."""
    record = _start(scene)
    before = {t.place: t.version for t in _tables(scene, record)}
    for _ in range(scene.one_of([1, 2])):
        before_it = loads(scene.session, record)
        scene.set_up("hsa_shut_down")
        scene.set_up("hsa_init")
        again = loads(scene.session, record) > before_it
        scene.require(again, "the library of tools is not loaded again", before_it)
    after = {t.place: t.version for t in _tables(scene, record)}
    scene.require(after == before, "the tables have other versions", f"{after}, not {before}")


@proves("tools/table-entries", initialised=False, fresh=True)
def an_entry_answers_what_its_function_answers(scene: Scene) -> None:
    """A question to an entry of a table is answered as one to the function of its name.

    Each entry of a function that the release has can be read, and is not NULL.
    """
    session = scene.session
    record = _start(scene)
    tables = {t.name: t for t in _tables(scene, record)}
    places = _places(session.registry, session.release, tables)
    for function in scene.parts("entry", {name: name for name in places}):
        table, offset = places[function]
        entry = session.process.read(int(table.address) + offset, _POINTER)
        there = entry not in (None, bytes(_POINTER))
        summary = f"the entry of {function} is NULL, or cannot be read"
        scene.require(there, summary, "NULL" if entry else "no access")
    discover(scene)
    questions = {n: q for n, q in _questions(scene).items() if n in places and session.offers(n)}
    function = scene.each("function", {name: name for name in questions})
    table, offset = places[function]
    exported = scene.call(function, **questions[function])
    address = session.read_number(table.address + offset, function)
    with session.reached(function, address):
        through = scene.call(function, **questions[function])
    scene.require(
        _said(through) == _said(exported),
        f"the entry of {function} answers something else than the function",
        f"{through.name}, not {exported.name}",
    )


def _said(answer: Answer) -> tuple[object, ...]:
    return answer.status, answer.outputs, len(answer.callbacks)


def _places(
    registry: Registry, release: Release, tables: Mapping[str, Table]
) -> dict[str, tuple[Table, int]]:
    """Return where the entry of each function is, as far as it is known which come before it."""
    found = {}
    for name in ("CoreApiTable", "AmdExtTable"):
        offset = _VERSION
        for member in registry.tables[name].members:
            has = release.has(member.versions)
            if has is None or name not in tables or offset >= tables[name].size:
                break
            if has:
                found[member.function] = (tables[name], offset)
                offset += _POINTER
    return found


def _questions(scene: Scene) -> Mapping[str, Mapping[str, Value]]:
    """Return questions that change nothing, and whose answers stay, by function."""
    number = scene.session.registry.constants.__getitem__
    agent = known_agents(scene)[-1].handle
    return {
        "hsa_system_get_info": {
            "attribute": number("HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY"),
            "value": Out(),
        },
        "hsa_agent_get_info": {
            "agent": agent,
            "attribute": number("HSA_AGENT_INFO_DEVICE"),
            "value": Out(),
        },
        "hsa_iterate_agents": {"callback": Callback("hsa_agent_callback"), "data": 0},
        "hsa_system_major_extension_supported": {
            "extension": 0,
            "version_major": 1,
            "version_minor": Out(),
            "result": Out(),
        },
        "hsa_agent_iterate_isas": {
            "agent": agent,
            "callback": Callback("hsa_isa_callback"),
            "data": 0,
        },
        "hsa_amd_coherency_get_type": {"agent": agent, "type": Out()},
        "hsa_amd_agent_iterate_memory_pools": {
            "agent": agent,
            "callback": Callback("hsa_memory_pool_callback"),
            "data": 0,
        },
    }
