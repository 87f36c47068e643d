"""Functions of the API that are one operation of the C file, so that C can answer them alone."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_reference.native.functions import RELAXED, SEQ_CST


@dataclass(frozen=True)
class Direct:
    """A function without a status that does no more than one operation of the C file.

    The reference calls it from Python, and the C library without Python where the memory shows that
    the object is live. The text gives neither any argument to check.

    Args:
        operation: the operation, such as "signal_load".
        relaxed: whether its order is relaxed; else it is sequentially consistent.
        returns: whether the function answers what was there before.
        live: the function of C that returns whether memory shows that the first argument is live.
        offset: of what the operation works on, in bytes from the first argument.

    """

    operation: str
    relaxed: bool
    returns: bool
    live: str
    offset: int = 0

    @property
    def order(self) -> int:
        """Return the memory order, as C compilers number it."""
        return RELAXED if self.relaxed else SEQ_CST
