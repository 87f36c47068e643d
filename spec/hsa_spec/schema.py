"""Where data breaks a JSON Schema, and how, in words that say what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def breach(
    data: Any,  # noqa: ANN401 - any JSON value
    schema: Mapping[str, Any],
) -> tuple[list[str | int], str] | None:
    """Return where data breaks a schema, and a sentence that says where and how.

    Args:
        data: what JSON or YAML holds.
        schema: a JSON Schema (2020-12), which is right.

    Returns:
        The keys that lead there, and the sentence; None where the data follows the schema.

    """
    # Not at the top: it takes a tenth of a second to load, and most commands check nothing.
    from jsonschema import Draft202012Validator

    errors = list(Draft202012Validator(schema).iter_errors(data))
    return _explained(_most_telling(errors)) if errors else None


def _most_telling(errors: list[Any]) -> Any:  # noqa: ANN401 - see _explained
    """Return the error that says best what to do: a misspelt key also counts as a missing one."""
    from jsonschema.exceptions import best_match

    for rule in ("oneOf", "additionalProperties"):
        found = [e for e in errors if e.validator == rule and (rule != "oneOf" or not e.path)]
        if found:
            return found[0]
    return best_match(errors)


def _explained(error: Any) -> tuple[list[str | int], str]:  # noqa: ANN401
    """Return where a schema is broken, and in which way."""
    # A ValidationError, whose parts are set once it was raised; its own type allows for less.
    keys, rule, value = list(error.absolute_path), error.validator, error.validator_value
    place = ".".join(str(k) for k in keys) or "the document"
    if rule == "additionalProperties" and "properties" in error.schema:
        known = error.schema["properties"]
        unknown = next(k for k in error.instance if k not in known)
        message = f"unknown key {unknown!r}; the keys are {', '.join(known)}"
        return [*keys, unknown], f"{place}: {message}"
    if rule in ("oneOf", "anyOf") and all("required" in choice for choice in value):
        names = [" and ".join(choice["required"]) for choice in value]
        given: Any = error.instance if isinstance(error.instance, dict) else {}
        if rule == "oneOf" and any({*choice["required"]} <= {*given} for choice in value):
            return keys, f"{place}: expected only one of the keys {', '.join(names)}"
        either = ", or " if any(" and " in name for name in names) else " or "
        return keys, f"{place}: expected a key {either.join(names)}"
    return keys, f"{place}: {error.message}"
