"""What the deprecated calls about code objects change, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.core.executables.state import load, loadable_on
from hsa_conformance.topics.shared.code.state import (
    KERNEL,
    VARIABLE,
    CodeSymbol,
    Source,
    code_in,
    text,
)


def _deserialize(model: Model, answer: Answer) -> None:
    args = answer.args
    content = model.read(args["serialized_code_object"], args["serialized_code_object_size"])
    model.add("code_object", answer["code_object"], thing=Source(code_in(content)))


def _destroy(model: Model, answer: Answer) -> None:
    handle = answer.args["code_object"]
    model.remove("code_object", handle)
    for key, thing in list(model.objects.get("code_symbol", {}).items()):
        if thing.code_object == handle:
            model.remove("code_symbol", *key)


def _symbol(model: Model, answer: Answer) -> None:
    kind = KERNEL if text(model, answer.args["symbol_name"]).endswith(".kd") else VARIABLE
    thing = CodeSymbol(answer.args["code_object"], kind)
    model.add("code_symbol", answer["symbol"], thing=thing)


def _load(model: Model, answer: Answer) -> None:
    load(model, answer, answer.args["agent"], answer.args["code_object"])


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_code_object_deserialize": _deserialize,
    "hsa_code_object_destroy": _destroy,
    "hsa_code_object_get_symbol": _symbol,
    "hsa_code_object_get_symbol_from_name": _symbol,
    "hsa_executable_load_code_object": _load,
}

CLEAN_UP = (
    CleanUp(
        "code_object",
        "hsa_code_object_destroy",
        "code_object",
        makers=["hsa_code_object_deserialize"],
    ),
)


def _has_symbol(model: Model, code_object: int, name: int) -> bool:
    found = model.find("code_object", code_object)
    code = found.code if isinstance(found, Source) else None
    return code is not None and text(model, name) in code.symbols


def _has_symbol_in(model: Model, code_object: int, module: int, name: int) -> bool:
    if module and text(model, module):
        return False
    return _has_symbol(model, code_object, name)


FACTS: dict[str, Fact] = {
    "object_has_symbol": _has_symbol,
    "object_has_symbol_in": _has_symbol_in,
    "object_is_loadable_on": loadable_on,
}
