"""From checked documents to the registry's own classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hsa_spec.attributes import built_attributes
from hsa_spec.clauses import built_clauses, source_of, versions
from hsa_spec.conditions.syntax import Vocabulary
from hsa_spec.documents import Document
from hsa_spec.model import (
    Attribute,
    CallbackType,
    Change,
    Enum,
    Enumerator,
    Extension,
    Field,
    Function,
    Macro,
    Member,
    Parameter,
    Registry,
    RetiredType,
    Rule,
    Struct,
    Table,
    Typedef,
)
from hsa_spec.places import kind_of
from hsa_spec.rules import built_rule


class Builder:
    """Builds a registry; enumerations are read first, then attributes: other documents name them.

    Args:
        root: the folder of the registry.

    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.constants: dict[str, int] = {}
        self.enums: dict[str, Enum] = {}
        self.structs: dict[str, Struct] = {}
        self.callbacks: dict[str, CallbackType] = {}
        self.functions: dict[str, Function] = {}
        self.macros: dict[str, Macro] = {}
        self.tables: dict[str, Table] = {}
        self.typedefs: dict[str, Typedef] = {}
        self.retired: dict[str, RetiredType] = {}
        self.attributes: dict[str, Attribute] = {}
        self.rules: dict[str, Rule] = {}

    def build(self, documents: Sequence[Document], digest: str = "") -> Registry:
        """Return the registry that documents describe.

        Args:
            documents: what was read, completed.
            digest: the hash of what they say.

        Raises:
            RegistryError: something is named twice, or names what there is not.

        """
        for document in documents:
            if "enum" in document.data:
                self._add_enum(document)
        functions = (d.data for d in documents if "function" in d.data)
        deprecated = {data["function"]: "deprecated" in data for data in functions}
        for document in documents:
            if "attributes" in document.data:
                self._add_attributes(document, deprecated)
        add: Mapping[str, Callable[[Document], None]] = {
            "struct": self._add_struct,
            "handle": self._add_struct,
            "callback": self._add_callback,
            "macro": self._add_macro,
            "typedef": self._add_typedef,
            "retired": self._add_retired,
            "table": self._add_table,
            "function": self._add_function,
            "rule": self._add_rule,
        }
        for document in documents:
            if kind_of(document) in add:
                add[kind_of(document)](document)
        return Registry(
            self.functions,
            self.enums,
            self.structs,
            self.callbacks,
            self.root,
            digest,
            self.macros,
            self.tables,
            self.typedefs,
            self.retired,
            self.attributes,
            self.rules,
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
                versions(e),
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

    def _add_attributes(self, document: Document, deprecated: Mapping[str, bool]) -> None:
        for attribute in built_attributes(document, self.enums, deprecated):
            if attribute.name in self.attributes:
                place = ["values", attribute.name]
                raise document.error(place, f"{attribute.name} is described twice")
            self.attributes[attribute.name] = attribute

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
                    versions(f),
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
            versions=versions(data),
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
            tuple(_parameter(p, name) for p in data["params"]),
            tuple(data.get("contract", ())),
            versions(data),
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
            versions(data),
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
            versions(data),
        )

    def _add_retired(self, document: Document) -> None:
        data = document.data
        name = self._unique(document, "retired", self.retired)
        self.retired[name] = RetiredType(
            name, data["header"], self._topic(document), data["summary"], versions(data)
        )

    def _add_table(self, document: Document) -> None:
        data = document.data
        name = self._unique(document, "table", self.tables)
        self.tables[name] = Table(
            name,
            data["header"],
            self._topic(document),
            data["summary"],
            tuple(Member(m["name"], m["function"], versions(m)) for m in data["members"]),
            data.get("version", False),
            versions(data),
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
        params = tuple(_parameter(p, name) for p in data["params"])
        vocabulary = Vocabulary(
            {p.name for p in params},
            self.constants,
            {e.name: e.values for e in self.enums.values()},
        )
        clauses = tuple(built_clauses(document, vocabulary, self.attributes))
        self.functions[name] = Function(
            name,
            data["header"],
            self._topic(document),
            data["export"],
            data["summary"],
            data.get("result", "hsa_status_t"),
            params,
            tuple(data["documented"]),
            clauses,
            versions(data),
            data.get("deprecated"),
            _changes(data),
            {row["status"]: versions(row) for row in data.get("dropped", ())},
            data.get("stable", False),
        )

    def _add_rule(self, document: Document) -> None:
        name = self._unique(document, "rule", self.rules)
        self.rules[name] = built_rule(document, self._topic(document), self.attributes)

    def _unique(self, document: Document, key: str, table: dict[str, Any]) -> str:
        name: str = document.data[key]
        if name in table:
            raise document.error([key], f"{name} is described twice")
        return name


def _changes(data: dict[str, Any]) -> tuple[Change, ...]:
    return tuple(Change(versions(c), c["states"], c.get("before")) for c in data.get("changes", ()))


def _parameter(data: dict[str, Any], function: str) -> Parameter:
    plain = {k: v for k, v in data.items() if k not in ("since", "reserved", "kept")}
    return Parameter(
        **plain,
        reserved=tuple(data.get("reserved", ())),
        kept=source_of(data["kept"], function) if "kept" in data else None,
        versions=versions(data),
    )
