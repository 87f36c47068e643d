"""What these tests need of the other tier's."""

from tests.library.cli.conftest import command, fake, program, run_folder

__all__ = ["command", "fake", "program", "run_folder"]
