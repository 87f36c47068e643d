"""The GPUs that a process sees whose environment names some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.init.fixtures import discover
from hsa_conformance.topics.shared.attributes import content, number
from hsa_reports import Verdict

proves = Proofs()

VARIABLE: Final = "ROCR_VISIBLE_DEVICES"
_NODE: Final = "HSA_AMD_AGENT_INFO_DRIVER_NODE_ID"
_UUID: Final = "HSA_AMD_AGENT_INFO_UUID"
_NO_UUID: Final = "GPU-XX"

#: What the variable names, and the places of those GPUs, by what a report calls it. Of lists that
#: name a GPU twice, or one that is not there, nothing more is said where that comes last.
_NAMED: Final[Mapping[str, Callable[[int], tuple[Sequence[str], Sequence[int]]]]] = {
    "the first": lambda _: (["0"], [0]),
    "the last": lambda count: ([str(count - 1)], [count - 1]),
    "all": lambda count: (list(map(str, range(count))), range(count)),
    "all from the last": lambda count: (list(map(str, reversed(range(count)))), range(count)),
    "the last twice": lambda count: ([str(count - 1)] * 2, [count - 1]),
    "the last and none": lambda count: ([str(count - 1), str(count)], [count - 1]),
    "the first by UUID": lambda _: (["UUID 0"], [0]),
    "the last by UUID": lambda count: ([f"UUID {count - 1}"], [count - 1]),
    "the last by UUID, the first by number": lambda count: (
        [f"UUID {count - 1}", "0"],
        [0, count - 1],
    ),
}


@proves("runtime/visible-devices", initialised=False, fresh=True, examples=0.2)
def a_process_sees_the_gpus_that_its_environment_names(scene: Scene) -> None:
    """The GPUs that are listed are those that ROCR_VISIBLE_DEVICES names, and no others.

    Another process, without the variable, says which GPUs there are, in which order they are
    counted, and which UUIDs they have.
    """
    named = scene.each("named", {name: name for name in _NAMED})
    plain = Scene(scene.session.peer(), scene.draw, scene.clause)
    everything = _nodes(plain)
    if len(everything) < 2:
        raise Unavailable(Verdict.NOT_APPLICABLE, "fewer than two GPUs are there")
    words, places = _NAMED[named](len(everything))
    value = ",".join(_uuid(plain, word) if word.startswith("UUID") else word for word in words)
    if not scene.session.set_variable(VARIABLE, value):
        raise Unavailable(Verdict.NOT_APPLICABLE, f"nothing reads {VARIABLE} in this process")
    found = _nodes(scene)
    wanted = [everything[place] for place in places]
    if found == everything and not scene.session.release.highest:
        raise Unavailable(Verdict.NOT_APPLICABLE, f"the library may not read {VARIABLE}")
    scene.require(
        sorted(found) == sorted(wanted),
        f"{VARIABLE}={value} names {_listed(wanted)} of the GPUs at {_listed(everything)}",
        _listed(found),
    )


def _nodes(scene: Scene) -> list[int]:
    """Initialise the runtime, and return the driver's numbers of the GPUs that it lists."""
    scene.set_up("hsa_init")
    discover(scene)
    return [
        number(scene, "hsa_agent_get_info", _NODE, agent=gpu.handle)
        for gpu in known_agents(scene, "gpu")
    ]


def _uuid(scene: Scene, word: str) -> str:
    """Return the UUID of the GPU that a word counts.

    Raises:
        Unavailable: it has none.

    """
    gpu = known_agents(scene, "gpu")[int(word.split()[1])]
    text = content(scene, "hsa_agent_get_info", _UUID, agent=gpu.handle).split(b"\0")[0].decode()
    if text == _NO_UUID:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the GPU has no UUID")
    return text


def _listed(nodes: Sequence[int]) -> str:
    return "nodes " + (", ".join(map(str, nodes)) or "none")
