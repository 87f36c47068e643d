"""What these tests need of the other tier's."""

from tests.campaign.reproduce.conftest import failing_with, failure_of, show

__all__ = ["failing_with", "failure_of", "show"]
