"""The names of the statuses that hand-written code answers with; their values are the registry's.

Every name is checked against the clauses of the function that answers with it.
"""

from __future__ import annotations

SUCCESS = "HSA_STATUS_SUCCESS"
ERROR = "HSA_STATUS_ERROR"
INVALID_AGENT = "HSA_STATUS_ERROR_INVALID_AGENT"
INVALID_ALLOCATION = "HSA_STATUS_ERROR_INVALID_ALLOCATION"
INVALID_ARGUMENT = "HSA_STATUS_ERROR_INVALID_ARGUMENT"
INVALID_SIGNAL_GROUP = "HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP"
NOT_INITIALIZED = "HSA_STATUS_ERROR_NOT_INITIALIZED"
NOT_SUPPORTED = "HSA_STATUS_ERROR_NOT_SUPPORTED"
OUT_OF_RESOURCES = "HSA_STATUS_ERROR_OUT_OF_RESOURCES"
RESOURCE_FREE = "HSA_STATUS_ERROR_RESOURCE_FREE"

Answer = str | int
"""The name of a status, or the number that a callback of the application answered."""
