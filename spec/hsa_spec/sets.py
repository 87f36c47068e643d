"""Named sets of functions, and the claims that are made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hsa_spec.documents import Document, check_documents, read_documents
from hsa_spec.errors import RegistryError
from hsa_spec.model import AMD_HEADERS, Registry
from hsa_spec.releases import NO_INTERFACE, Release, newest

SETS = Path(__file__).with_name("sets.yaml")
_SETS_SCHEMA = Path(__file__).with_name("sets.schema.json")
_CLAIM_SCHEMA = Path(__file__).with_name("claim.schema.json")


@dataclass(frozen=True)
class NamedSet:
    """Functions that belong together, so that "conformant to what?" has an answer.

    Attributes:
        name: what claims call it.
        summary: what it holds.
        functions: the names of its functions.
        hsa: the HSA version that it is of, if it is of one.
        interface: the version of AMD's extension that it is of, if it is of one.

    """

    name: str
    summary: str
    functions: frozenset[str]
    hsa: str | None = None
    interface: str | None = None


@dataclass(frozen=True)
class Claim:
    """What an implementation says that it offers.

    Attributes:
        implementation: what it calls itself.
        sets: the names of the sets that it claims.
        functions: all functions of these sets, and those that it claims one by one.
        named: those that it claims one by one.
        release: what it says of its version: the ROCm release if it is ROCr, its HSA version, and
            the version of AMD's extension; NO_INTERFACE where it claims nothing of that.
        agents: how many agents of a kind ("cpu", "gpu") it lists; None where it does not say.

    """

    implementation: str
    sets: tuple[str, ...]
    functions: frozenset[str]
    named: frozenset[str]
    release: Release
    agents: Mapping[str, int] | None = None


def named_sets(registry: Registry, path: Path = SETS) -> Mapping[str, NamedSet]:
    """Return the named sets by name; one of which a registry has no function is left out.

    Args:
        registry: where the functions are.
        path: the list of sets.

    Raises:
        RegistryError: the list is malformed.

    """
    found: dict[str, NamedSet] = {}
    for document in _lists(path):
        for index, row in enumerate(document.data["sets"]):
            functions = frozenset(_functions(registry, row))
            if row["set"] in found:
                raise document.error(["sets", index], f"{row['set']} is described twice")
            name, version = row["set"], row.get("interface")
            if functions:
                found[name] = NamedSet(name, row["summary"], functions, row.get("hsa"), version)
    return found


@cache
def _lists(path: Path) -> Sequence[Document]:
    """Return what a list of sets holds: reports of one run read it several times."""
    documents = list(read_documents(path))
    check_documents(documents, _SETS_SCHEMA)
    return documents


def read_claim(path: Path, registry: Registry) -> Claim:
    """Read a claim file: YAML with `implementation`, and `sets` or `functions` or both.

    It may say its HSA version (`hsa`), which release of ROCr it is (`rocm`), and how many agents
    it lists (`agents`).

    Args:
        path: the file.
        registry: where sets and functions are looked up.

    Raises:
        RegistryError: the file cannot be read, is malformed, or names what there is not.

    """
    try:
        documents = list(read_documents(path))
    except OSError as error:
        raise RegistryError(path, None, f"cannot be read: {error.strerror}") from None
    if len(documents) != 1:
        raise RegistryError(path, None, "expected one claim, a mapping with `implementation`")
    check_documents(documents, _CLAIM_SCHEMA)
    [document] = documents
    return _claim(document, registry)


def _claim(document: Document, registry: Registry) -> Claim:
    known = named_sets(registry)
    functions: set[str] = set()
    for index, name in enumerate(document.data.get("sets", ())):
        if name not in known:
            rule = f"there is no set {name!r}; the sets are {', '.join(known)}"
            raise document.error(["sets", index], rule)
        functions |= known[name].functions
    for index, name in enumerate(document.data.get("functions", ())):
        if name not in registry.functions:
            raise document.error(["functions", index], f"{name} is not in the registry")
        functions.add(name)
    sets = tuple(document.data.get("sets", ()))
    release = _release(document, [known[name] for name in sets], functions, registry)
    named = frozenset(document.data.get("functions", ()))
    agents = document.data.get("agents")
    return Claim(
        document.data["implementation"], sets, frozenset(functions), named, release, agents
    )


def _release(
    document: Document,
    sets: Sequence[NamedSet],
    functions: Collection[str],
    registry: Registry,
) -> Release:
    extended = any(registry.functions[name].header in AMD_HEADERS for name in functions)
    rocm = document.data.get("rocm")
    return Release(
        rocm,
        rocm,
        newest(s.interface for s in sets) if extended else NO_INTERFACE,
        document.data.get("hsa") or newest(s.hsa for s in sets),
    )


def _functions(registry: Registry, row: Mapping[str, Any]) -> Iterator[str]:
    if table := row.get("table"):
        # What AMD added to a table of somebody else's is no part of its published version.
        members = registry.tables[table].members if table in registry.tables else ()
        yield from (m.function for m in members if m.versions.amd_interface is None)
        return
    versioned = "hsa" in row or "interface" in row
    release = Release(interface=row.get("interface"), hsa=row.get("hsa"))
    for function in registry.functions.values():
        inside = function.topic in row.get("topics", ()) or function.header in row.get(
            "headers", ()
        )
        if inside and (not versioned or release.has(function.versions)):
            yield function.name
