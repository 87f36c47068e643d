"""The condition language: syntax, vocabulary, evaluation, English."""

from hsa_spec.conditions.english import phrase
from hsa_spec.conditions.evaluate import (
    Holds,
    Unsettled,
    compile_atom,
    compile_value,
)
from hsa_spec.conditions.syntax import Atom, Vocabulary, parse, walk

__all__ = [
    "Atom",
    "Holds",
    "Unsettled",
    "Vocabulary",
    "compile_atom",
    "compile_value",
    "parse",
    "phrase",
    "walk",
]
