"""From checked documents to the registry's own classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hsa_spec.conditions.syntax import Vocabulary, parse
from hsa_spec.documents import Document
from hsa_spec.errors import ConditionError
from hsa_spec.model import (
    CallbackType,
    Change,
    Clause,
    DecidedBy,
    Enum,
    Enumerator,
    Extension,
    Field,
    Function,
    Kind,
    Macro,
    Member,
    Parameter,
    Registry,
    Retired,
    Source,
    Strength,
    Struct,
    Table,
    Typedef,
    Versions,
)


class Builder:
    """Builds a registry; documents of enumerations are read before those that name them.

    Args:
        root: the folder of the registry.
        digest: the hash of its contents.

    """

    def __init__(self, root: Path, digest: str) -> None:
        self.root = root
        self.digest = digest
        self.constants: dict[str, int] = {}
        self.enums: dict[str, Enum] = {}
        self.structs: dict[str, Struct] = {}
        self.callbacks: dict[str, CallbackType] = {}
        self.functions: dict[str, Function] = {}
        self.macros: dict[str, Macro] = {}
        self.tables: dict[str, Table] = {}
        self.typedefs: dict[str, Typedef] = {}
        self.retired: dict[str, Retired] = {}
        self.ids: set[str] = set()

    def build(self, documents: Sequence[Document]) -> Registry:
        """Return the registry that documents describe.

        Raises:
            RegistryError: something is named twice, or names what there is not.

        """
        for document in documents:
            if "enum" in document.data:
                self._add_enum(document)
        for document in documents:
            if "struct" in document.data or "handle" in document.data:
                self._add_struct(document)
            elif "callback" in document.data:
                self._add_callback(document)
            elif "macro" in document.data:
                self._add_macro(document)
            elif "typedef" in document.data:
                self._add_typedef(document)
            elif "retired" in document.data:
                self._add_retired(document)
            elif "table" in document.data:
                self._add_table(document)
            elif "function" in document.data:
                self._add_function(document)
        return Registry(
            self.functions,
            self.enums,
            self.structs,
            self.callbacks,
            self.root,
            self.digest,
            self.macros,
            self.tables,
            self.typedefs,
            self.retired,
        )

    def _topic(self, document: Document) -> str:
        return str(document.path.relative_to(self.root).with_suffix(""))

    def _add_enum(self, document: Document) -> None:
        data = document.data
        enumerators = tuple(
            Enumerator(
                e["name"],
                e["value"],
                e["summary"],
                e.get("value_type"),
                _versions(e),
                tuple(e.get("answered_by", ())),
                e.get("deprecated"),
                _changes(e),
            )
            for e in data["enumerators"]
        )
        for index, enumerator in enumerate(enumerators):
            if enumerator.name in self.constants:
                raise document.error(["enumerators", index], f"{enumerator.name} is defined twice")
            self.constants[enumerator.name] = enumerator.value
        self.enums[self._unique(document, "enum", self.enums)] = Enum(
            data["enum"], data["header"], self._topic(document), data["summary"], enumerators
        )

    def _add_struct(self, document: Document) -> None:
        data = document.data
        if "handle" in data:
            fields: tuple[Field, ...] = (Field("handle", "uint64_t", 0, 8),)
            name = self._unique(document, "handle", self.structs)
            size = alignment = 8
        else:
            fields = tuple(
                Field(
                    f["name"],
                    f["type"],
                    f["offset"],
                    f["size"],
                    f.get("summary", ""),
                    _versions(f),
                    f.get("reserved", False),
                )
                for f in data["fields"]
            )
            name = self._unique(document, "struct", self.structs)
            size, alignment = data["size"], data["alignment"]
        self.structs[name] = Struct(
            name,
            data["header"],
            self._topic(document),
            data["summary"],
            size,
            alignment,
            fields,
            handle="handle" in data,
            union=data.get("union", False),
            versions=_versions(data),
            changes=_changes(data),
        )

    def _add_callback(self, document: Document) -> None:
        data = document.data
        name = self._unique(document, "callback", self.callbacks)
        self.callbacks[name] = CallbackType(
            name,
            data["header"],
            self._topic(document),
            data["summary"],
            data["result"],
            tuple(_parameter(p) for p in data["params"]),
            tuple(data.get("contract", ())),
            _versions(data),
        )

    def _add_macro(self, document: Document) -> None:
        data = document.data
        name = self._unique(document, "macro", self.macros)
        self.macros[name] = Macro(
            name,
            data["header"],
            self._topic(document),
            data["summary"],
            data.get("value"),
            _versions(data),
            _changes(data),
        )

    def _add_typedef(self, document: Document) -> None:
        data = document.data
        name = self._unique(document, "typedef", self.typedefs)
        self.typedefs[name] = Typedef(
            name,
            data["header"],
            self._topic(document),
            data["summary"],
            data["type"],
            _versions(data),
        )

    def _add_retired(self, document: Document) -> None:
        data = document.data
        name = self._unique(document, "retired", self.retired)
        self.retired[name] = Retired(
            name, data["header"], self._topic(document), data["summary"], _versions(data)
        )

    def _add_table(self, document: Document) -> None:
        data = document.data
        name = self._unique(document, "table", self.tables)
        self.tables[name] = Table(
            name,
            data["header"],
            self._topic(document),
            data["summary"],
            tuple(Member(m["name"], m["function"], _versions(m)) for m in data["members"]),
            data.get("version", False),
            _versions(data),
            _changes(data),
            self._extension(document),
        )

    def _extension(self, document: Document) -> Extension | None:
        data = document.data.get("extension")
        if data is None:
            return None
        known = self.enums.get("hsa_extension_t")
        if known is None or data["name"] not in {e.name for e in known.enumerators}:
            raise document.error(
                ["extension", "name"], f"{data['name']} is not in hsa_extension_t of this registry"
            )
        return Extension(data["name"], data["major"], data.get("minor"))

    def _add_function(self, document: Document) -> None:
        data = document.data
        name = self._unique(document, "function", self.functions)
        params = tuple(_parameter(p) for p in data["params"])
        vocabulary = Vocabulary(
            {p.name for p in params},
            self.constants,
            {e.name: e.values for e in self.enums.values()},
        )
        for index, status in enumerate(data["documented"]):
            self._check_status(document, ["documented", index], status)
        clauses = []
        if data["export"] == "linker":
            clauses.append(_export_clause(name, data["header"]))
            self.ids.add(clauses[0].id)
        clauses += [
            self._clause(document, index, vocabulary) for index in range(len(data["clauses"]))
        ]
        self.functions[name] = Function(
            name,
            data["header"],
            self._topic(document),
            data["export"],
            data["summary"],
            data.get("result", "hsa_status_t"),
            params,
            tuple(data["documented"]),
            tuple(clauses),
            _versions(data),
            data.get("deprecated"),
            _changes(data),
            {row["status"]: _versions(row) for row in data.get("dropped", ())},
        )

    def _clause(self, document: Document, index: int, vocabulary: Vocabulary) -> Clause:
        data = document.data["clauses"][index]
        place: list[str | int] = ["clauses", index]
        function = document.data["function"]
        if data["id"].split("/")[0] != function:
            raise document.error([*place, "id"], f"{data['id']!r} does not start with {function}/")
        if data["id"] in self.ids:
            raise document.error([*place, "id"], f"{data['id']!r} is used twice")
        self.ids.add(data["id"])
        atoms = []
        for position, text in enumerate(data.get("when", ())):
            try:
                atoms.append(parse(text, vocabulary))
            except ConditionError as error:
                raise document.error([*place, "when", position], str(error)) from None
        statuses = data.get("status", ())
        statuses = (statuses,) if isinstance(statuses, str) else tuple(statuses)
        for status in statuses:
            self._check_status(document, [*place, "status"], status)
        return Clause(
            id=data["id"],
            function=function,
            kind=Kind(data.get("kind", "status")),
            strength=Strength(data["strength"]),
            decided_by=DecidedBy(data.get("decided_by", "runtime")),
            when=tuple(atoms),
            status=statuses,
            states=data.get("states", ""),
            source=_source(data["source"], function),
            contested=data.get("contested"),
            untestable=data.get("untestable"),
            needs=tuple(data.get("needs", ())),
            versions=_versions(data),
        )

    def _check_status(self, document: Document, place: Sequence[str | int], status: str) -> None:
        if status not in self.constants:
            raise document.error(place, f"{status} is not a status code of this registry")

    def _unique(self, document: Document, key: str, table: dict[str, Any]) -> str:
        name: str = document.data[key]
        if name in table:
            raise document.error([key], f"{name} is described twice")
        return name


def _export_clause(function: str, header: str) -> Clause:
    return Clause(
        id=f"{function}/exported",
        function=function,
        kind=Kind.EXPORT,
        strength=Strength.MUST,
        decided_by=DecidedBy.RUNTIME,
        when=(),
        status=(),
        states=f"The library exports {function}.",
        source=Source(header, f"{function}, declaration"),
    )


def _versions(data: dict[str, Any]) -> Versions:
    since, until = data.get("since", {}), data.get("until", {})
    return Versions(
        since.get("amd_interface"), since.get("rocm"), until.get("rocm"), until.get("amd_interface")
    )


def _changes(data: dict[str, Any]) -> tuple[Change, ...]:
    return tuple(
        Change(_versions(c), c["states"], c.get("before")) for c in data.get("changes", ())
    )


def _parameter(data: dict[str, Any]) -> Parameter:
    plain = {k: v for k, v in data.items() if k not in ("since", "reserved")}
    return Parameter(**plain, reserved=tuple(data.get("reserved", ())), versions=_versions(data))


def _source(data: dict[str, Any], function: str) -> Source:
    subject = data.get("function", function)
    match data:
        case {"retval": status}:
            section = f"{subject}, @retval {status}"
        case {"param": name}:
            section = f"{subject}, @param {name}"
        case {"enumerator": name}:
            section = str(name)
        case {"field": name}:
            section = str(name)
        case _:
            section = f"{subject}, {data['text']}"
    return Source(data["header"], section, data.get("note"))
