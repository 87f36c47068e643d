"""The reference as a C library that unmodified programs load: libhsa-runtime64.so.1."""

from hsa_reference.library.build import build, build_checks
from hsa_reference.library.errors import LibraryError
from hsa_reference.library.interpreter import Interpreter

__all__ = ["Interpreter", "LibraryError", "build", "build_checks"]
