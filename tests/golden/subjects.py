"""The reference on each machine that a golden case names."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import cache

from hsa_conformance import subjects
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry


def pools(registry: Registry, stack: ExitStack) -> Callable[[str | None], SessionPool]:
    """Return what opens the in-process reference on a machine, once for all cases.

    Args:
        registry: the specification.
        stack: closes what was opened.

    """

    @cache
    def pool_of(machine: str | None) -> SessionPool:
        reference = subjects.reference(subjects.Options(machine=machine), registry)
        pool = SessionPool(reference, registry, TOPICS, expect_no_device=False)
        stack.callback(pool.close)
        return pool

    return pool_of
