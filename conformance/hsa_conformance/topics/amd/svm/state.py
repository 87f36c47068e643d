"""Attributes of shared virtual memory, and ranges that are being moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import Transition
from hsa_conformance.topics.amd.copies.state import begin
from hsa_conformance.topics.amd.locks.state import lock_around
from hsa_conformance.topics.core.agents.state import find_agent

#: Values of hsa_amd_svm_attribute_t; from the last one on, the value is an agent.
GLOBAL_FLAG: Final = 0
PREFERRED_LOCATION: Final = 4
OF_AGENTS: Final = 0x200


def _prefetch(model: Model, answer: Answer) -> None:
    args = answer.args
    done = args["completion_signal"]
    signals = [
        *model.words(args["dep_signals"], args["num_dep_signals"]),
        *([done] if done else []),
    ]
    unknown = find_agent(model, args["agent"]) is None or any(
        model.find("signal", s) is None for s in signals
    )
    if unknown or not done:
        # A library that took it may meet what is wrong later, in a thread of its own; and without a
        # signal nobody can wait for the end, before which the memory must not be given back.
        model.lasting = True
    else:
        begin(model, answer)


TRANSITIONS: Mapping[str, Transition] = {"hsa_amd_svm_prefetch_async": _prefetch}


def _is_valid(model: Model, attribute: int, value: int) -> bool:
    if attribute == GLOBAL_FLAG:
        return value < 2
    if attribute == PREFERRED_LOCATION:
        return value == 0 or find_agent(model, value) is not None
    return attribute < OF_AGENTS or find_agent(model, value) is not None


def _attribute_values_valid(model: Model, pairs: int, count: int) -> bool:
    words = model.words(pairs, 2 * count)
    return all(_is_valid(model, a, v) for a, v in zip(words[0::2], words[1::2], strict=True))


def _shares_addresses(model: Model, address: int) -> bool:
    if model.around("allocation", address) or lock_around(model, address):
        raise ProvesNothing(
            "the text does not speak of memory that the runtime allocated or locked"
        )
    shares = model.find("sharing")
    if shares is None:
        raise ProvesNothing(
            f"whether the machine shares addresses such as {address:#x} is not known"
        )
    return bool(shares)


def _allows_retries(model: Model, _: int) -> bool:
    allows = model.find("retries")
    if allows is None:
        raise ProvesNothing("whether GPUs retry faults on the machine is not known")
    return bool(allows)


FACTS: Mapping[str, Fact] = {
    "allows_retries": _allows_retries,
    "attribute_values_valid": _attribute_values_valid,
    "shares_addresses": _shares_addresses,
}
