"""What those who maintain a library know of a defect: their issue, their fix or their test."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What an upstream entry is to the defect."""

    ISSUE = "issue"
    FIX = "fix"
    TEST = "test"


class State(StrEnum):
    """How far it has come."""

    OPEN = "open"
    MERGED = "merged"
    CLOSED = "closed"


@dataclass(frozen=True)
class Upstream:
    """An issue or a pull request of the library's own project.

    Args:
        repository: owner and name on GitHub, such as "ROCm/rocm-systems".
        number: of the issue or pull request.
        kind: what it is to the defect.
        state: what it was when somebody last looked.
        fixed_in: the first release without the defect, such as "7.3.0"; None where none is known.

    """

    repository: str
    number: int
    kind: Kind
    state: State
    fixed_in: str | None = None

    @property
    def name(self) -> str:
        """Return how people write it, such as "ROCm/rocm-systems#8564"."""
        return f"{self.repository}#{self.number}"

    @property
    def link(self) -> str:
        """Return its address; the site leads on from an issue to the pull request."""
        return f"https://github.com/{self.repository}/issues/{self.number}"

    @property
    def words(self) -> str:
        """Return what it is and how far it has come, such as "fix, merged"."""
        fixed = f", in {self.fixed_in}" if self.fixed_in else ""
        return f"{self.kind}, {self.state}{fixed}"
