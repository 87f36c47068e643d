"""What these tests need of the other tier's."""

from tests.library.suite.conftest import impatient, judged, pool, put, session

__all__ = ["impatient", "judged", "pool", "put", "session"]
