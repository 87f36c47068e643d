"""What these tests need of the other tier's."""

from tests.library.suite.conftest import judged, pool, put, session

__all__ = ["judged", "pool", "put", "session"]
