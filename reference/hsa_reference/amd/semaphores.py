"""Semaphores of other drivers, which no device here takes, as on any Linux."""

from __future__ import annotations

from hsa_reference.state import State
from hsa_reference.status import NOT_SUPPORTED, Answer


def hsa_amd_external_semaphore_handle_open(
    state: State, agent: int, desc: int, out_sem: int
) -> Answer:
    """Refuse to import a semaphore."""
    return NOT_SUPPORTED


def hsa_amd_external_semaphore_handle_close(state: State, sem: int) -> Answer:
    """Refuse to close a semaphore: none was imported."""
    return NOT_SUPPORTED


def hsa_amd_queue_signal_external_semaphore(
    state: State, queue: int, sem: int, value: int
) -> Answer:
    """Refuse to signal a semaphore."""
    return NOT_SUPPORTED


def hsa_amd_queue_wait_external_semaphore(state: State, queue: int, sem: int, value: int) -> Answer:
    """Refuse to wait for a semaphore."""
    return NOT_SUPPORTED
