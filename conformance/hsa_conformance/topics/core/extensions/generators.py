"""Extensions that the library has, and versions of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures, Unsuitable
from hsa_conformance.engine.generation.generators import Generators, known_values
from hsa_conformance.engine.session.extensions import has_bit
from hsa_conformance.topics.core.extensions.state import Extension

#: The versions that are asked for; no extension has others so far.
MAJORS = range(3)
MINORS = range(6)

MAJOR = "hsa_system_major_extension_supported"

ROOM = 1024  # bytes for a table, more than any takes
POINTER = 8


def discover(fixtures: Fixtures) -> None:
    """Ask once what the library says of every extension."""
    session = fixtures.session
    if session.model.live("extension"):
        return
    with session.learning():
        mask = session.set_up(
            "hsa_system_get_info",
            attribute=session.registry.constants["HSA_SYSTEM_INFO_EXTENSIONS"],
            value=Out(),
        ).outputs["value"]
        for number in known(fixtures):
            session.model.add(
                "extension",
                number,
                thing=Extension(
                    number,
                    has_bit(mask or b"", number),
                    {major: newest_minor(fixtures, number, major) for major in MAJORS},
                    {version: alone(fixtures, number, *version) for version in _versions()},
                ),
            )


def known(fixtures: Fixtures) -> list[int]:
    """Return the numbers of extensions that the release under test knows."""
    return known_values(fixtures.session, "hsa_extension_t")


def _versions() -> Iterator[tuple[int, int]]:
    return ((major, minor) for major in MAJORS for minor in MINORS)


def newest_minor(fixtures: Fixtures, number: int, major: int) -> int | None:
    """Ask for the newest minor version of a major one; None where there is none."""
    if not fixtures.session.offers(MAJOR):
        found = [minor for minor in MINORS if alone(fixtures, number, major, minor)]
        return found[-1] if found else None
    answer = fixtures.session.set_up(
        MAJOR,
        extension=number,
        version_major=major,
        version_minor=Out(),
        result=Out(),
    )
    return answer.number("version_minor") if answer.number("result") else None


def alone(fixtures: Fixtures, number: int, major: int, minor: int) -> bool:
    """Ask whether one version is supported."""
    answer = fixtures.session.set_up(
        "hsa_system_extension_supported",
        extension=number,
        version_major=major,
        version_minor=minor,
        result=Out(),
    )
    return answer.number("result") != 0


def extensions(fixtures: Fixtures) -> list[Extension]:
    """Return what the library says of the extensions."""
    discover(fixtures)
    found: list[Extension] = fixtures.session.model.live("extension")
    return found


def _put(b: Builder, names: tuple[str, ...], options: Sequence[tuple[int, ...]], what: str) -> None:
    kept = {at: b.values[name] for at, name in enumerate(names) if name in b.values.fixed}
    fitting = [o for o in options if all(o[at] == value for at, value in kept.items())]
    if options and not fitting:
        raise Unsuitable(f"no {what} has the values that are given")
    for name, value in zip(names, b.available(fitting, what), strict=True):
        b.values[name] = value
    if "table_length" in b.values:
        b.values["table_length"] = POINTER * b.draw(drawing.integers(1, ROOM // POINTER))


def _offered(b: Builder, x: str) -> None:
    _put(b, (x,), [(e.number,) for e in extensions(b) if e.offered], "extension")


def _not_offered(b: Builder, x: str) -> None:
    options = [(e.number,) for e in extensions(b) if not e.offered]
    _put(b, (x,), options, "lack of an extension")


def _with_major(b: Builder, *, wanted: bool) -> list[tuple[int, ...]]:
    return [(e.number, m) for e in extensions(b) for m in MAJORS if e.has_major(m) is wanted]


def _major(b: Builder, x: str, major: str) -> None:
    _put(b, (x, major), _with_major(b, wanted=True), "extension with a table")


def _no_major(b: Builder, x: str, major: str) -> None:
    _put(b, (x, major), _with_major(b, wanted=False), "major version that it lacks")


def _with_version(b: Builder, *, wanted: bool) -> list[tuple[int, ...]]:
    return [(e.number, *v) for e in extensions(b) for v in _versions() if e.has(*v) is wanted]


def _version(b: Builder, x: str, major: str, minor: str) -> None:
    _put(b, (x, major, minor), _with_version(b, wanted=True), "extension with a table")


def _no_version(b: Builder, x: str, major: str, minor: str) -> None:
    _put(b, (x, major, minor), _with_version(b, wanted=False), "version that it lacks")


GENERATORS: Mapping[str, Generators] = {
    "extension_offered": Generators(_offered, _not_offered),
    "major_extension_supported": Generators(_major, _no_major),
    "extension_supported": Generators(_version, _no_version),
}
