"""Known clients of the runtime, and which of its functions they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hsa_spec.documents import check_documents, read_documents
from hsa_spec.model import Registry

CLIENTS = Path(__file__).with_name("clients.yaml")
_SCHEMA = Path(__file__).with_name("clients.schema.json")


@dataclass(frozen=True)
class Client:
    """A program or library that is written against the API.

    Attributes:
        name: what the command line calls it.
        title: its name.
        takes: what the list of functions is of.
        source: where that was read.
        functions: the names of the functions.

    """

    name: str
    title: str
    takes: str
    source: str
    functions: tuple[str, ...]


def known_clients(registry: Registry, path: Path = CLIENTS) -> Mapping[str, Client]:
    """Return the clients by name.

    Args:
        registry: where the functions are.
        path: the list of clients.

    Raises:
        RegistryError: the list is malformed, or names a function that there is not.

    """
    documents = list(read_documents(path))
    check_documents(documents, _SCHEMA)
    found: dict[str, Client] = {}
    for document in documents:
        for index, row in enumerate(document.data["clients"]):
            for place, name in enumerate(row["functions"]):
                if name not in registry.functions:
                    where: list[str | int] = ["clients", index, "functions", place]
                    raise document.error(where, f"{name} is not in the registry")
            found[row["client"]] = Client(
                row["client"], row["title"], row["takes"], row["source"], tuple(row["functions"])
            )
    return found
