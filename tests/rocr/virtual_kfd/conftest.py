"""What these tests need of the other tier's."""

from tests.library.virtual_kfd.conftest import gfx90a, machines, servers

__all__ = ["gfx90a", "machines", "servers"]
