"""Words of machine files: what is left of the names of enumerators, in lower case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_spec import Registry, machines


def words(registry: Registry, enum: str, prefix: str) -> Mapping[str, int]:
    """Return the values of an enumeration by the words for them."""
    return {e.name.removeprefix(prefix).lower(): e.value for e in registry.enums[enum].enumerators}


def look_up(
    described: machines.Machine, known: Mapping[str, int], word: str, keys: Sequence[str | int]
) -> int:
    """Return what a word stands for.

    Args:
        described: the machine.
        known: all words that are allowed.
        word: the one in the file.
        keys: the place where it is.

    Raises:
        MachineError: it is none of them.

    """
    if word not in known:
        raise described.error(keys, f"{word!r} is none of {', '.join(known)}")
    return known[word]
