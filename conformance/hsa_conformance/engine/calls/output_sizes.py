"""How many bytes an output takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.values import Value
from hsa_spec import Function, Parameter, Registry
from hsa_spec.layout import pointee, size_of

#: Bytes for an output whose size nothing says.
PLENTY: Final = 1024


def output_size(
    function: Function, parameter: Parameter, values: Mapping[str, Value], registry: Registry
) -> int:
    """Return the bytes that an output takes: those of its type, or of the attribute it receives.

    There is plenty where the attribute is unknown, has no fixed length or a type that the header
    does not name, and where the function writes as many bits as it is asked for.

    Args:
        function: what is to be called.
        parameter: its output.
        values: a value for each parameter.
        registry: the specification.

    """
    if parameter.type == "void*":
        asked = next((values[p.name] for p in function.params if p.role == "attribute"), None)
        found = registry.reported(function.name, asked) if isinstance(asked, int) else None
        if found is None or found.inferred is not None or found.open_ended:
            return PLENTY
        return size_of(found.type, registry)
    if any(p.unit == "bits" and p.role == "count" for p in function.params):
        return PLENTY
    return size_of(pointee(parameter.type), registry)
