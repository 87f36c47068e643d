"""Groups of signals: what a wait for any of them tells."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from hsa_conformance.engine.calls.values import Answer, Data, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.signals.generators import VALUES, group, signal
from hsa_conformance.topics.core.signals.properties.creating import require_end_of_wait
from hsa_conformance.topics.core.signals.properties.values import load, require_value
from hsa_conformance.topics.core.signals.properties.waits import (
    conditions,
    drawn,
    met_by_change,
    unmet,
)
from hsa_conformance.topics.shared.signals import FALLING_ASLEEP
from hsa_reports.demands import Gives

proves = Proofs()

WAITS: Final = ("hsa_signal_group_wait_any_scacquire", "hsa_signal_group_wait_any_relaxed")
CREATE: Final = "hsa_signal_group_create"

#: Signals in a group, at most. ROCr writes behind the end of a block of memory for each signal but
#: the first; with more of them it may die later, in a call that is not to blame.
MOST: Final = 3

#: The condition and the comparison value of each signal, as arguments of a wait have them.
Conditions = Sequence[dict[str, int]]


def waiting_for_any(scene: Scene, handle: int, each: Conditions) -> dict[str, Value]:
    """Return the arguments of a wait for a group."""
    kinds = [condition["condition"] for condition in each]
    compared = [condition["compare_value"] for condition in each]
    states = ("HSA_WAIT_STATE_BLOCKED", "HSA_WAIT_STATE_ACTIVE")
    return {
        "signal_group": handle,
        "conditions": Data(b"".join(k.to_bytes(4, "little") for k in kinds), f"{kinds}"),
        "compare_values": Data(
            b"".join(c.to_bytes(8, "little", signed=True) for c in compared), f"{compared}"
        ),
        "wait_state_hint": scene.session.registry.constants[scene.choose(states)],
        "signal": Out(),
        "value": Out(),
    }


def _wait(scene: Scene, function: str, handle: int, each: Conditions) -> Answer:
    return scene.set_up(function, **waiting_for_any(scene, handle, each))


def _values(scene: Scene, least: int = 1) -> list[int]:
    """Draw the values of the signals of a group, no two of them the same."""
    return list(scene.draw(drawing.lists(VALUES, min_size=least, max_size=MOST, unique=True)))


def _signals(scene: Scene, values: Sequence[int]) -> tuple[list[int], list[int]]:
    """Create a signal for each value; return the values and the signals, in any order."""
    made = scene.shuffled([(value, signal(scene, value)) for value in values])
    return [value for value, _ in made], [handle for _, handle in made]


def _require_named(scene: Scene, answer: Answer, met: dict[int, int]) -> None:
    """Demand that a wait named a signal that met its condition, and what its value was.

    Args:
        scene: where the clause is demanded.
        answer: what the wait answered.
        met: the values of the signals that did, by handle.

    """
    found = answer["signal"]
    scene.require(
        found in met, "the signal that is written did not meet its condition", f"{found:#x}"
    )
    value, wanted = answer.number("value", signed=True), met[found]
    scene.require(
        value == wanted,
        f"the value that is written is {value} instead of {wanted}",
        f"value {value}",
        Gives("value", tuple(v.to_bytes(8, "little", signed=True) for v in met.values())),
    )


@proves.each(WAITS, "names-the-signal")
def a_wait_names_a_signal_that_met_its_condition(scene: Scene) -> None:
    """A wait for a group gives a member that met its condition, and its value.

    Any of the signals meet theirs from the start, in the end the last one alone. The group has them
    in any order. There is another group, whose signals have the same values.
    """
    values = _values(scene)
    group(scene, [signal(scene, value) for value in values])
    values, handles = _signals(scene, values)
    members = group(scene, handles)
    last = len(values) - 1
    some = scene.draw(drawing.sets(drawing.integers(0, last), min_size=1, max_size=last + 1))
    for meeting in (some, {last}):
        each = [
            drawn(scene, conditions(value) if index in meeting else unmet(value))
            for index, value in enumerate(values)
        ]
        answer = _wait(scene, scene.clause.function, members, each)
        _require_named(scene, answer, {handles[index]: values[index] for index in meeting})


@proves.each(WAITS, "by-index")
def a_condition_belongs_to_the_signal_of_its_index(scene: Scene) -> None:
    """Conditions of a group's wait belong to signals by index.

    One signal meets its own condition; the others would meet that of another one. Then it would not
    meet theirs, nor with what they are compared with.
    """
    values, handles = _signals(scene, _values(scene, least=2))
    members = group(scene, handles)
    equal = scene.session.registry.constants["HSA_SIGNAL_CONDITION_EQ"]
    unequal = scene.session.registry.constants["HSA_SIGNAL_CONDITION_NE"]
    others = [*values[1:], values[0]]
    for right in range(len(values)):
        for condition in (equal, unequal):
            each = [
                {
                    "condition": equal,
                    "compare_value": other if condition == equal else values[right],
                }
                for other in others
            ]
            compared = values[right] if condition == equal else others[right]
            each[right] = {"condition": condition, "compare_value": compared}
            found = _wait(scene, scene.clause.function, members, each)["signal"]
            scene.require(
                found == handles[right],
                f"the signal that is written is not number {right + 1} of the group, which alone "
                "meets its condition",
                f"{found:#x}",
            )


@proves("hsa_signal_group_create/waits-for-members")
def a_wait_ends_when_a_member_meets_its_condition(scene: Scene) -> None:
    """A wait for a group succeeds when one member is changed so that its condition is met."""
    values = _values(scene)
    handles = [signal(scene, value) for value in values]
    changed = scene.draw(drawing.integers(0, len(values) - 1))
    new = scene.draw(VALUES.filter(values[changed].__ne__))
    each = [
        drawn(scene, met_by_change(value, new) if index == changed else unmet(value))
        for index, value in enumerate(values)
    ]
    arguments = waiting_for_any(scene, group(scene, handles), each)
    scene.session.start(scene.choose(WAITS), arguments)
    time.sleep(scene.choose([FALLING_ASLEEP, 0]))
    scene.call("hsa_signal_store_screlease", signal=handles[changed], value=new)
    scene.require_status(scene.session.join(), SUCCESS)


@proves("hsa_signal_group_create/consumers-copied")
def the_list_of_consumers_of_a_group_may_be_reused(scene: Scene) -> None:
    """A wait for a group ends as it should after the list of consumers is overwritten."""
    values = _values(scene)
    handles = [signal(scene, value) for value in values]
    agents = [agent.handle for agent in known_agents(scene)]
    place = scene.session.lay_out(handle_array(agents))
    answer = scene.set_up(
        CREATE,
        num_signals=len(handles),
        signals=handle_array(handles),
        num_consumers=len(agents),
        consumers=place,
        signal_group=Out(),
    )
    scene.session.write(place, scene.choose([b"\0", b"\xa5"]) * 8 * len(agents))
    each = [drawn(scene, conditions(value)) for value in values]
    found = _wait(scene, scene.choose(WAITS), answer["signal_group"], each)
    _require_named(scene, found, dict(zip(handles, values, strict=True)))


@proves("hsa_signal_group_destroy/signals-live-on")
def signals_outlive_their_group(scene: Scene) -> None:
    """After a group is destroyed its signals keep their values, change, and can be waited for."""
    values = _values(scene)
    handles = [signal(scene, value) for value in values]
    handle = group(scene, handles)
    scene.set_up("hsa_signal_group_destroy", signal_group=handle)
    for member, value in zip(handles, values, strict=True):
        require_value(scene, load(scene, member), value)
        new = scene.draw(VALUES)
        scene.call("hsa_signal_store_screlease", signal=member, value=new)
        require_end_of_wait(scene, member, new)
