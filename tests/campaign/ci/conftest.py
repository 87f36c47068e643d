"""What these tests need of the other tier's."""

from tests.library.ci.conftest import failing, stand_in, variables

__all__ = ["failing", "stand_in", "variables"]
