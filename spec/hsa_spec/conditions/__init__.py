"""The condition language: syntax, vocabulary, evaluation, English."""

from hsa_spec.conditions.english import phrase, sentence
from hsa_spec.conditions.evaluate import (
    Holds,
    compile_atom,
    compile_clause,
    compile_value,
    first_error,
    holding,
    is_enforced,
)
from hsa_spec.conditions.syntax import Atom, Vocabulary, parse, walk

__all__ = [
    "Atom",
    "Holds",
    "Vocabulary",
    "compile_atom",
    "compile_clause",
    "compile_value",
    "first_error",
    "holding",
    "is_enforced",
    "parse",
    "phrase",
    "sentence",
    "walk",
]
