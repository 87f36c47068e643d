"""What every test of the reference needs: a runtime that is initialised, and a caller's memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.library.reference.reference_client import Client


@pytest.fixture
def client() -> Iterator[Client]:
    """A client of an initialised runtime on the machine with two GPUs."""
    client = Client("two_gpus")
    client.ok("hsa_init")
    yield client
    client.finish()
