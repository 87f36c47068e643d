"""What known clients take from the runtime."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import RegistryError, load
from hsa_spec.clients import known_clients


def test_each_client_says_where_its_list_is_from() -> None:
    clients = known_clients(load())
    assert ["llvm-offload", "libgomp", "iree", "ucx", "hip"] == list(clients)
    assert all("/" in client.source and client.functions for client in clients.values())


def test_a_function_that_there_is_not_is_refused(tmp_path: Path) -> None:
    """A misspelt name is an error, and never a lost row."""
    path = tmp_path / "clients.yaml"
    path.write_text(
        "clients: [{client: a, title: A, takes: all, source: a/b, functions: [hsa_inti]}]\n"
    )
    with pytest.raises(RegistryError, match="hsa_inti is not in the registry"):
        known_clients(load(), path)
