"""Which attributes a symbol has, by what the registry says of each."""

from __future__ import annotations

from functools import cache
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_spec import Prerequisite, Registry, load

#: The query of a sort of symbols, and what its attributes' names start with.
OF_EXECUTABLES: Final = ("hsa_executable_symbol_get_info", "HSA_EXECUTABLE_SYMBOL_INFO")
OF_CODE: Final = ("hsa_code_symbol_get_info", "HSA_CODE_SYMBOL_INFO")


def suits(sort: tuple[str, str], value: int, kind: int, program: bool | None = None) -> bool:
    """Return whether an attribute is defined for a symbol, or stated to be zero.

    Args:
        sort: the sort of symbols: `OF_EXECUTABLES` or `OF_CODE`.
        value: the number of the attribute.
        kind: a value of hsa_symbol_kind_t.
        program: whether it is for the whole program, None where that is not known.

    Raises:
        ProvesNothing: it depends on what is not known of the symbol.

    """
    query, prefix = sort
    attribute = _registry().reported(query, value)
    known = {f"{prefix}_TYPE": kind, f"{prefix}_VARIABLE_ALLOCATION": program}

    def holds(wanted: Prerequisite) -> bool:
        found = known.get(wanted.attribute)
        if found is None:
            raise ProvesNothing(f"{wanted.attribute} of the symbol is not known")
        return found == wanted.value

    if attribute is None or isinstance(attribute.elsewhere, int):
        return True
    return attribute.is_defined(holds) is not False


@cache
def _registry() -> Registry:
    return load()
