"""What can be wrong with a registry."""

from __future__ import annotations

from pathlib import Path


class RegistryError(Exception):
    """A registry file breaks a rule.

    Args:
        path: the file.
        line: the line, counted from 1, or None when the whole file is meant.
        rule: what was expected, in words.

    """

    def __init__(self, path: Path | str, line: int | None, rule: str) -> None:
        super().__init__(f"{path}:{line}: {rule}" if line else f"{path}: {rule}")
        self.path = Path(path)
        self.line = line
        self.rule = rule

    def __reduce__(self) -> tuple[type[RegistryError], tuple[Path, int | None, str]]:
        # Worker processes pass errors on, and the message alone would not make one again.
        return type(self), (self.path, self.line, self.rule)


class ConditionError(ValueError):
    """A condition is not in the condition language; the message says what was expected."""
