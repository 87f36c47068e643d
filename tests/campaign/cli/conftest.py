"""What these tests need of the other tier's."""

from tests.library.cli.conftest import command

__all__ = ["command"]
