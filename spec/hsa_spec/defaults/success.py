"""When a call succeeds: when no other clause of its function says otherwise.

In the conditions of `success`, the word `otherwise` stands for the opposite of what the other
clauses ask for, in their order; without any conditions, `success` has that word alone. Of each
clause that may answer anything but success, the conditions that success has already are left out.
If one is left, its opposite is a condition of success. If more are left, no single one is wrong,
and the conditions of success have to say by themselves what is right. Nothing is added for a
clause that cannot hold together with success anyhow. A handle that has to be valid is not 0, and a
number greater than 0 is not 0, so these are not said twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from hsa_spec.defaults.conditions import INITIALIZED, special

OTHERWISE = "otherwise"

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MEMBER = re.compile(r"^(?P<left>.*?) (?P<op>not in|in) (?P<right>\w+)$")
_COMPARE = re.compile(r"^(?P<left>.*?) (?P<op>==|!=|<=|>=|<|>) (?P<right>.*)$")
_NOT_NOTHING = re.compile(r"^(?P<name>\w+) != (?:0|NULL)$")
_VALID = re.compile(r"^is_\w+\((?P<name>\w+)\)$")


def success_conditions(written: Sequence[str], clauses: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the conditions of success.

    Args:
        written: its conditions as they are written, with the word `otherwise` or without.
        clauses: the other clauses of the function, in full.

    """
    if OTHERWISE not in written:
        return list(written)
    place = written.index(OTHERWISE)
    before, behind = list(written[:place]), list(written[place + 1 :])
    return before + _opposites(clauses, [*before, *behind]) + behind


def _opposites(clauses: Iterable[Mapping[str, Any]], said: Collection[str]) -> list[str]:
    found: list[str] = []
    for clause in clauses:
        conditions = special(clause.get("when", ()))
        if not conditions or clause.get("status") == ["HSA_STATUS_SUCCESS"]:
            continue
        known = [*said, *found]
        left = [c for c in conditions if c not in known]
        if f"not {INITIALIZED}" in conditions or len(left) != 1:
            continue
        if any(_follows(opposite(c), known) for c in conditions):
            continue
        condition = opposite(left[0])
        if valid := _VALID.match(condition):
            found = [c for c in found if c != f"{valid['name']} != 0"]
        found.append(condition)
    return found


def opposite(condition: str) -> str:
    """Return the condition that holds when this one does not."""
    if condition.startswith("not "):
        return condition.removeprefix("not ")
    if found := _MEMBER.match(condition):
        return f"{found['left']} {'in' if found['op'] == 'not in' else 'not in'} {found['right']}"
    if found := _COMPARE.match(condition):
        return f"{found['left']} {_OPPOSITE[found['op']]} {found['right']}"
    return f"not {condition}"


def _follows(condition: str, known: Collection[str]) -> bool:
    if condition in known:
        return True
    found = _NOT_NOTHING.match(condition)
    return found is not None and any(
        k == f"{found['name']} > 0" or ((v := _VALID.match(k)) and v["name"] == found["name"])
        for k in known
    )
