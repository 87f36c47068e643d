"""Extensions that the library has, and versions of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hypothesis import strategies as st

from hsa_conformance.calls import Out
from hsa_conformance.model.core.extensions import Extension
from hsa_conformance.strategies.builder import Builder, Stock
from hsa_conformance.strategies.makers import Makers, known_values

#: The versions that are asked for; no extension has others so far.
MAJORS = range(3)
MINORS = range(6)

ROOM = 1024  # bytes for a table, more than any takes
POINTER = 8


def survey(stock: Stock) -> None:
    """Ask once what the library says of every extension."""
    session = stock.session
    if session.model.kept("extension"):
        return
    before = len(session.trace)
    mask = session.must(
        "hsa_system_get_info",
        attribute=session.registry.constants["HSA_SYSTEM_INFO_EXTENSIONS"],
        value=Out(128),
    ).outputs["value"]
    for number in known(stock):
        session.model.keep(
            "extension",
            number,
            thing=Extension(
                number,
                has_bit(mask or b"", number),
                {major: newest_minor(stock, number, major) for major in MAJORS},
                {version: alone(stock, number, *version) for version in _versions()},
            ),
        )
    # Nothing later needs these answers to be repeated, and they are many.
    del session.trace[before:]


def known(stock: Stock) -> list[int]:
    """Return the numbers of extensions that the release under test knows."""
    return known_values(stock.session, "hsa_extension_t")


def has_bit(mask: bytes, number: int) -> bool:
    """Tell whether the bit of an extension is set in a mask."""
    return number // 8 < len(mask) and bool(mask[number // 8] >> number % 8 & 1)


def _versions() -> Iterator[tuple[int, int]]:
    return ((major, minor) for major in MAJORS for minor in MINORS)


def newest_minor(stock: Stock, number: int, major: int) -> int | None:
    """Ask for the newest minor version of a major one; None where there is none."""
    answer = stock.session.must(
        "hsa_system_major_extension_supported",
        extension=number,
        version_major=major,
        version_minor=Out(),
        result=Out(),
    )
    return answer.number("version_minor") if answer.number("result") else None


def alone(stock: Stock, number: int, major: int, minor: int) -> bool:
    """Ask whether one version is supported."""
    answer = stock.session.must(
        "hsa_system_extension_supported",
        extension=number,
        version_major=major,
        version_minor=minor,
        result=Out(),
    )
    return answer.number("result") != 0


def extensions(stock: Stock) -> list[Extension]:
    """Return what the library says of the extensions."""
    survey(stock)
    found: list[Extension] = stock.session.model.kept("extension")
    return found


def _put(b: Builder, names: tuple[str, ...], options: Sequence[tuple[int, ...]], what: str) -> None:
    for name, value in zip(names, b.available(options, what), strict=True):
        b.values[name] = value
    if "table_length" in b.values:
        b.values["table_length"] = POINTER * b.draw(st.integers(1, ROOM // POINTER))


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


MAKERS: Mapping[str, Makers] = {
    "extension_offered": Makers(_offered, _not_offered),
    "major_extension_supported": Makers(_major, _no_major),
    "extension_supported": Makers(_version, _no_version),
}
