"""The checks of before a commit: those that the changed files can reach, in about a minute."""
