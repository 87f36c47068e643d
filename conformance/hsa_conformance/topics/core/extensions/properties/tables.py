"""The tables of functions of extensions."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.core.extensions.generators import POINTER, extensions
from hsa_reports import Verdict

proves = Proofs()

EXACT = "hsa_system_get_extension_table"
MAJOR = "hsa_system_get_major_extension_table"

#: Of the usual number of examples, where each asks for many tables.
_FEW = 0.2

#: The most bytes that a table is asked for, which may be more than a version's has.
_LONGEST = 128

#: Questions to functions of tables, which change nothing.
_QUESTIONS: Mapping[str, Mapping[str, Value]] = {
    "hsa_ven_amd_aqlprofile_version_major": {},
    "hsa_ven_amd_loader_query_host_address": {"device_address": 0, "host_address": Out()},
}

#: How the names of an extension's tables begin.
STEMS = {
    "HSA_EXTENSION_FINALIZER": "hsa_ext_finalizer",
    "HSA_EXTENSION_IMAGES": "hsa_ext_images",
    "HSA_EXTENSION_AMD_LOADER": "hsa_ven_amd_loader",
    "HSA_EXTENSION_AMD_AQLPROFILE": "hsa_ven_amd_aqlprofile",
    "HSA_EXTENSION_AMD_PC_SAMPLING": "hsa_ven_amd_pc_sampling",
}


class Version:
    """A version of an extension that is supported, and whose table the headers have.

    Attributes:
        number: of the extension.
        major: major version.
        minor: minor version.
        members: the names of the functions in the table.

    """

    def __init__(self, number: int, major: int, minor: int, members: list[str]) -> None:
        self.number = number
        self.major = major
        self.minor = minor
        self.members = members

    @property
    def size(self) -> int:
        """The size of the table, in bytes."""
        return POINTER * len(self.members)


def _members(scene: Scene, number: int, major: int, minor: int) -> list[str]:
    registry, release = scene.session.registry, scene.session.release
    stem = next((s for name, s in STEMS.items() if registry.constants[name] == number), "")
    table = registry.tables.get(f"{stem}_{major}_{minor:02}_pfn_t")
    members = table.members if table else ()
    return [m.name for m in members if release.has(m.versions) is True]


def _versions(scene: Scene) -> list[Version]:
    """Return the versions that the library reports."""
    found = []
    for extension in extensions(scene):
        for major, newest in extension.minors.items():
            for minor in range((-1 if newest is None else newest) + 1):
                if members := _members(scene, extension.number, major, minor):
                    found.append(Version(extension.number, major, minor, members))
    return found


def _version(scene: Scene) -> Version:
    return scene.available(_versions(scene), "extension with a table")


def _fill(scene: Scene, version: Version, room: int, table: Value | None = None) -> Answer:
    """Ask for the functions of a version, with room for a table, at an address if one is given.

    Raises:
        CannotMake: the library refuses, which other clauses are about.

    """
    values: dict[str, Value] = {"extension": version.number, "version_major": version.major}
    if scene.clause.function == EXACT:
        values["version_minor"] = version.minor
    else:
        values["table_length"] = room
    values["table"] = Out(room) if table is None else table
    answer = scene.call(scene.clause.function, **values)
    if not answer.ok:
        raise CannotMake(f"the table of extension {version.number:#x} is refused")
    return answer


def _functions(answer: Answer) -> list[int]:
    table = answer.outputs["table"] or b""
    whole = len(table) // POINTER * POINTER
    return [int.from_bytes(table[i : i + POINTER], "little") for i in range(0, whole, POINTER)]


@proves("hsa_system_get_extension_table/filled")
@proves("hsa_system_get_major_extension_table/filled")
def every_member_is_a_function(scene: Scene) -> None:
    """Each member of an extension's table within the length is the address of a function."""
    version = _version(scene)
    room = version.size
    if scene.clause.function == MAJOR:
        room += scene.draw(drawing.integers(0, 8 * POINTER))
    functions = _functions(_fill(scene, version, room))
    members = dict(zip(version.members, functions, strict=False))
    for name in scene.parts("member", {name: name for name in members}):
        address = members[name]
        scene.require(
            scene.session.exported_beside(address) is not None,
            f"the member {name} is not the address of a function",
            "an address without code" if address else "NULL",
        )


@proves("hsa_system_get_extension_table/named", examples=_FEW)
@proves("hsa_system_get_major_extension_table/named", examples=_FEW)
def no_member_is_the_function_of_another(scene: Scene) -> None:
    """No member of an extension's table is the function of another member's name.

    This shows where the functions that the table leads to have symbols.
    """
    # Only one of the two functions is told the length; the other one fills the whole table.
    asks_first = scene.clause.function == MAJOR
    symbols = [v for v in _versions(scene) if _told(scene, v, POINTER if asks_first else v.size)]
    if not symbols:
        raise Unavailable(Verdict.UNTESTED, "the functions in the tables have no symbols")
    version = scene.choose(symbols)
    told = _told(scene, version, version.size)
    for name in scene.parts("member", {name: name for name in told}):
        _require_own(scene, name, *told[name])
    if scene.clause.function == MAJOR:
        room = POINTER * scene.draw(drawing.integers(1, len(version.members)))
        for name, found in _told(scene, version, room).items():
            _require_own(scene, name, *found)


def _require_own(scene: Scene, name: str, address: int, symbols: Mapping[str, int]) -> None:
    scene.require(
        address == symbols[name],
        f"the member {name} is the function of another name",
        " or ".join(other for other, at in symbols.items() if at == address),
    )


@proves("hsa_system_get_extension_table/table-not-kept", examples=_FEW)
@proves("hsa_system_get_major_extension_table/table-not-kept", examples=_FEW)
def functions_outlive_the_table(scene: Scene) -> None:
    """A function of an extension's table answers the same once the table was overwritten."""
    session = scene.session
    asked = [name for name in _QUESTIONS if session.offers(name)]
    options = [(v, name) for v in _versions(scene) for name in asked if name in v.members]
    version, function = scene.available(options, "table with a function that can be asked")
    table = session.place(bytes(version.size), "table")
    _fill(scene, version, version.size, table)
    address = session.read_number(table + POINTER * version.members.index(function), function)
    if session.exported_beside(address) is None:
        raise CannotMake(f"{function} is not a function")
    answers = []
    for _ in range(2):
        with session.reached(function, address):
            answers.append(scene.call(function, **_QUESTIONS[function]))
        session.write(table, b"\xa5" * version.size)
    before, after = answers
    scene.require(
        (before.status, before.outputs) == (after.status, after.outputs),
        f"{function} answers otherwise once its table was overwritten",
        f"{after.name}, not {before.name}",
    )


def _told(scene: Scene, version: Version, room: int) -> dict[str, tuple[int, Mapping[str, int]]]:
    """Return the members whose address a symbol has, each with the symbols of its library.

    A library that has no symbol of a member's own name may have the function under another one.
    """
    try:
        functions = _functions(_fill(scene, version, room))
    except CannotMake:
        return {}
    beside = scene.session.exported_beside
    members = dict(zip(version.members, functions[: room // POINTER], strict=False))
    found = {name: (address, beside(address) or {}) for name, address in members.items()}
    return {
        name: (address, symbols)
        for name, (address, symbols) in found.items()
        if name in symbols and address in symbols.values()
    }


@proves("hsa_system_get_extension_table/not-beyond-version")
@proves("hsa_system_get_major_extension_table/not-beyond-length")
def nothing_is_written_behind_the_table(scene: Scene) -> None:
    """The bytes behind the length given for an extension's table stay as they were.

    Where any length can be given, each one is.
    """
    version = _version(scene)
    # A library may know later versions, with longer tables, than the one that it reports.
    most = max(version.size, _LONGEST)
    lengths = range(1, most + 1) if scene.clause.function == MAJOR else [version.size]
    for length in scene.shuffled(lengths):
        with scene.session.scratch.lent():
            answer = _fill(scene, version, length)
        scene.require(
            answer.overrun() is None,
            f"bytes behind a table of {length} bytes were written",
            (answer.guards["table"] or b"").hex(" "),
        )
