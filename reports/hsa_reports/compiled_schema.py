"""JSON schemas as code, which the user's cache keeps: making it takes each process a while."""

from __future__ import annotations

import hashlib
import json
import marshal
import sys
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from hsa_spec.cache import cached, keep

#: The folder of the user's cache that the code is in.
FOLDER = "schemas"
_DIGEST = hashlib.sha256().digest_size


def compiled(schema: Mapping[str, Any]) -> Callable[[object], object]:
    """Return what raises `fastjsonschema.JsonSchemaValueException` where a value breaks a schema.

    Args:
        schema: the schema, which refers to nothing outside.

    """
    import fastjsonschema

    state = json.dumps([fastjsonschema.VERSION, sys.version, schema])
    name = f"{hashlib.sha256(state.encode()).hexdigest()[:32]}.code"
    code = _kept(name)
    if code is None:
        text = fastjsonschema.compile_to_code(dict(schema), use_default=False)
        code = compile(text, name, "exec")
        written = marshal.dumps(code)
        keep(FOLDER, name, hashlib.sha256(written).digest() + written)
    module: dict[str, Any] = {}
    exec(code, module)
    validate: Callable[[object], object] = module["validate"]
    return validate


def _kept(name: str) -> CodeType | None:
    """Return code of an earlier process; the cache sees to it that nobody else has written it."""
    content = cached(FOLDER, name) or b""
    digest, written = content[:_DIGEST], content[_DIGEST:]
    if hashlib.sha256(written).digest() != digest:
        return None
    code: CodeType = marshal.loads(written)
    return code
