"""What these tests need of the other tier's."""

from tests.library.checking.conftest import blocks, client, reference_library, said

__all__ = ["blocks", "client", "reference_library", "said"]
