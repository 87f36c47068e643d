"""Real C headers, read with libclang and held against the registry."""

from hsa_spec.headers.compare import Comparison, compare
from hsa_spec.headers.declarations import Headers, Problem
from hsa_spec.headers.difference import Difference
from hsa_spec.headers.parse import parse
from hsa_spec.headers.reader import HeaderError

__all__ = ["Comparison", "Difference", "HeaderError", "Headers", "Problem", "compare", "parse"]
