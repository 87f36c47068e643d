"""The hash of what a registry says, however its files say it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from hsa_spec.conditions.syntax import Atom
from hsa_spec.model import Registry


def digest_of(registry: Registry) -> str:
    """Return the hash of all declarations and clauses, in their order."""
    groups = {f.name: getattr(registry, f.name) for f in fields(registry)}
    said = {name: _plain(group) for name, group in groups.items() if isinstance(group, Mapping)}
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _plain(thing: Any) -> Any:  # noqa: ANN401 - any part of a registry, as JSON has it
    if isinstance(thing, Atom):
        return thing.text
    if is_dataclass(thing):
        return {f.name: _plain(getattr(thing, f.name)) for f in fields(thing)}
    if isinstance(thing, Mapping):
        return {key: _plain(value) for key, value in thing.items()}
    if isinstance(thing, tuple):
        return [_plain(value) for value in thing]
    return thing
