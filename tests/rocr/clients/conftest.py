"""What these tests need of the other tier's."""

from tests.library.clients.conftest import library

__all__ = ["library"]
