"""Clauses in English."""

from __future__ import annotations

from hsa_spec.conditions import phrase
from hsa_spec.model import Clause


def sentence(clause: Clause) -> str:
    """Return what a clause says, as one sentence."""
    if not clause.status or not clause.when:
        return clause.states
    answers = " or ".join(clause.status)
    condition = ", and ".join(phrase(a) for a in clause.when)
    text = f"{clause.function} answers {answers} when {condition}."
    return f"{text} {clause.states}" if clause.states else text
