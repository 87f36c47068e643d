"""Caches that the library reported."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cache:
    """A cache of an agent."""

    handle: int
