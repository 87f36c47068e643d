"""Executables: readers of code, what is loaded, variables and symbols."""

from hsa_reference.core.executables.life import (
    hsa_executable_create,
    hsa_executable_create_alt,
    hsa_executable_destroy,
    hsa_executable_freeze,
    hsa_executable_get_info,
    hsa_executable_validate,
    hsa_executable_validate_alt,
)
from hsa_reference.core.executables.loading import (
    hsa_executable_load_agent_code_object,
    hsa_executable_load_program_code_object,
)
from hsa_reference.core.executables.readers import (
    hsa_code_object_reader_create_from_file,
    hsa_code_object_reader_create_from_memory,
    hsa_code_object_reader_destroy,
)
from hsa_reference.core.executables.state import Executables
from hsa_reference.core.executables.symbols import (
    hsa_executable_get_symbol,
    hsa_executable_get_symbol_by_name,
    hsa_executable_iterate_agent_symbols,
    hsa_executable_iterate_program_symbols,
    hsa_executable_iterate_symbols,
    hsa_executable_symbol_get_info,
)
from hsa_reference.core.executables.variables import (
    hsa_executable_agent_global_variable_define,
    hsa_executable_global_variable_define,
    hsa_executable_readonly_variable_define,
)

PART = Executables

__all__ = [
    "PART",
    "hsa_code_object_reader_create_from_file",
    "hsa_code_object_reader_create_from_memory",
    "hsa_code_object_reader_destroy",
    "hsa_executable_agent_global_variable_define",
    "hsa_executable_create",
    "hsa_executable_create_alt",
    "hsa_executable_destroy",
    "hsa_executable_freeze",
    "hsa_executable_get_info",
    "hsa_executable_get_symbol",
    "hsa_executable_get_symbol_by_name",
    "hsa_executable_global_variable_define",
    "hsa_executable_iterate_agent_symbols",
    "hsa_executable_iterate_program_symbols",
    "hsa_executable_iterate_symbols",
    "hsa_executable_load_agent_code_object",
    "hsa_executable_load_program_code_object",
    "hsa_executable_readonly_variable_define",
    "hsa_executable_symbol_get_info",
    "hsa_executable_validate",
    "hsa_executable_validate_alt",
]
