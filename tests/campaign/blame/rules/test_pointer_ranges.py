"""What is said of memory of every kind: each way of answering wrongly breaks a clause."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping

import pytest

from hsa_spec import Registry
from tests.samples import sample
from tests.wrong.functions import Function, Functions, mistaken
from tests.wrong.inside import results

POINTER = "hsa_amd_pointer_info"
UNKNOWN, HSA, LOCKED, RESERVED, MAPPED = 0, 1, 2, 5, 6
#: Where members are, and how many bytes there are of the structure.
TYPE, AGENT_BASE, HOST_BASE, SIZE, OWNER, ALL = 4, 8, 16, 24, 40, 64

Fault = Callable[["Answers", int], bytes]


class Answers:
    """What the reference says of an address, as a structure; and what was said of others."""

    def __init__(self, real: Function) -> None:
        self._real = real
        self.known: dict[int, bytes] = {}

    def of(self, address: int) -> bytes:
        info = ctypes.create_string_buffer(ALL.to_bytes(4, "little"), ALL)
        self._real(address, ctypes.addressof(info), 0, 0, 0)
        return info.raw


def number(info: bytes, offset: int, size: int = 8) -> int:
    return int.from_bytes(info[offset : offset + size], "little")


def changed(info: bytes, offset: int, value: int, size: int = 8) -> bytes:
    return info[:offset] + value.to_bytes(size, "little") + info[offset + size :]


def kind(info: bytes) -> int:
    return number(info, TYPE, 4)


def one_more(answers: Answers, address: int) -> bytes:
    info, before = answers.of(address), answers.of(address - 1)
    return before if kind(info) == UNKNOWN else info


def one_less(answers: Answers, address: int) -> bytes:
    info, after = answers.of(address), answers.of(address + 1)
    return info if kind(after) != UNKNOWN else changed(info, TYPE, UNKNOWN, 4)


def asked_as_base(of: int) -> Fault:
    def fault(answers: Answers, address: int) -> bytes:
        info = answers.of(address)
        if kind(info) != of:
            return info
        return changed(changed(info, AGENT_BASE, address), HOST_BASE, address)

    return fault


def half(answers: Answers, address: int) -> bytes:
    info = answers.of(address)
    return changed(info, SIZE, number(info, SIZE) // 2)


def doubled(answers: Answers, address: int) -> bytes:
    info = answers.of(address)
    return changed(info, SIZE, 2 * number(info, SIZE))


def nobodys(answers: Answers, address: int) -> bytes:
    info = answers.of(address)
    return changed(info, OWNER, 0) if kind(info) == LOCKED else info


def remembered(of: int) -> Fault:
    def fault(answers: Answers, address: int) -> bytes:
        info = answers.of(address)
        if kind(info) == of:
            answers.known[address >> 12] = info
        return answers.known.get(address >> 12, info) if kind(info) == UNKNOWN else info

    return fault


def empty_unknown(answers: Answers, address: int) -> bytes:
    info = answers.of(address)
    return info if kind(info) != UNKNOWN else bytes(ALL)


FAULTS: Mapping[str, tuple[Fault, str]] = {
    "a byte too many": (one_more, "covers"),
    "a byte too few": (one_less, "same-inside"),
    "blocks begin where asked": (asked_as_base(HSA), "same-inside"),
    "reservations begin where asked": (asked_as_base(RESERVED), "same-inside"),
    "mappings begin where asked": (asked_as_base(MAPPED), "same-inside"),
    "half the size": (half, "covers"),
    "half the size is said": (half, "size-told"),
    "twice the size": (doubled, "size-told"),
    "twice the size of locks": (doubled, "locked-size"),
    "locks are nobody's": (nobodys, "locked-owner"),
    "locks stay": (remembered(LOCKED), "unlocked"),
    "reservations stay": (remembered(RESERVED), "given-back"),
    "blocks stay": (remembered(HSA), "given-back"),
    "no size for what is unknown": (empty_unknown, "size-on-return"),
}


def verdicts(registry: Registry, clause: str, fault: Fault) -> set[str]:
    """Return the verdicts of a clause where the query answers wrongly."""

    def mistake(real: Functions) -> dict[str, Function]:
        answers = Answers(real[POINTER])

        def pointer_info(ptr: int, info: int, *others: int) -> int:
            status = real[POINTER](ptr, info, *others)
            if not status:
                size = int.from_bytes(ctypes.string_at(info, 4), "little")
                told = fault(answers, ptr)
                used = told if number(told, 0, 4) == 0 else changed(told, 0, size, 4)
                ctypes.memmove(info, used, min(size, ALL))
            return status

        return {POINTER: pointer_info}

    adapter = mistaken(registry, mistake)
    return {result.verdict for result in results(adapter, registry, f"{POINTER}/{clause}")}


@pytest.mark.parametrize("clause", sorted({clause for _, clause in FAULTS.values()}))
def test_right_answers_pass(registry: Registry, clause: str) -> None:
    """Each of the clauses holds where the answers are the reference's own."""
    assert {"PASS"} == verdicts(registry, clause, Answers.of)


@pytest.mark.parametrize("name", sample(list(FAULTS), 6))
def test_wrong_answers_break_a_clause(registry: Registry, name: str) -> None:
    """The verdict is the one of the clause's strength."""
    fault, clause = FAULTS[name]
    strength = registry.clauses[f"{POINTER}/{clause}"].strength
    assert ("FAIL" if strength == "must" else "WARN") in verdicts(registry, clause, fault)
