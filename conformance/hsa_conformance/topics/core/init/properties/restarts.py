"""What the runtime says of the machine once it was shut down and started again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.checks.effects.relations import Holder
from hsa_conformance.engine.generation.definedness import is_defined, value_of
from hsa_conformance.topics.core.init.fixtures import discover, end
from hsa_spec import Attribute
from hsa_spec.attributes import asked_through
from hsa_spec.model import DecidedBy

proves = Proofs()

#: The values of attributes, by the object and the attribute's name.
_Told = Mapping[tuple[str, str], bytes]

#: What lists the objects that have attributes, by kind.
_LISTED_BY: Final[Mapping[str, str]] = {
    "region": "hsa_agent_iterate_regions",
    "memory_pool": "hsa_amd_agent_iterate_memory_pools",
    "agent": "hsa_iterate_agents",
    "system": "hsa_system_get_info",
    "cache": "hsa_agent_iterate_caches",
    "isa": "hsa_agent_iterate_isas",
    "agent_and_memory_pool": "hsa_amd_agent_iterate_memory_pools",
}
#: What changes while the machine stays the same.
_CHANGES: Final = {"HSA_SYSTEM_INFO_TIMESTAMP", "HSA_AMD_AGENT_INFO_MEMORY_AVAIL"}


@proves("hsa_init/same-machine", fresh=True, examples=0.1)
def the_machine_is_the_same_after_each_restart(scene: Scene) -> None:
    """After the last hsa_shut_down and a new hsa_init, attributes say what they said before.

    The runtime is started again twice, and all attributes of the system, agents, regions, memory
    pools, caches and architectures are asked for after each start. Values that change all the time,
    handles, addresses and structures are left out.
    """
    before = _values(scene)
    scene.require_any(list(before), "object that tells anything of itself")
    others: dict[str, str] = {}
    changed: list[tuple[str, str]] = []
    for start in ("second", "third"):
        _restart(scene)
        after = _values(scene)
        reordered = _reordered(before, after)
        for (holder, name), value in before.items():
            found, was = after.get((holder, name)), int.from_bytes(value, "little")
            if found != value and name not in reordered:
                number = "not told" if found is None else int.from_bytes(found, "little")
                words = f"{name} of {holder} is {number} after the {start} start, and was {was}"
                others.setdefault(name, words)
                changed.append((holder, name))
    # All of them are named, and no more: one that is known must not hide another.
    got = f"only {' and '.join(sorted(others))} changed"
    summary = next(iter(others.values()), "")
    for holder, name in changed[:1]:
        _require_same_number(scene, holder, name, summary, got)
    scene.require(not others, summary, got)


def _reordered(before: _Told, after: _Told) -> set[str]:
    """Return the attributes that objects tell as before, in another order at most.

    Objects have names by their places in lists, whose order no text promises after a restart.
    """
    values: dict[str, tuple[list[bytes], list[bytes]]] = {}
    for side, told in enumerate((before, after)):
        for (_, name), value in told.items():
            values.setdefault(name, ([], []))[side].append(value)
    return {name for name, (first, second) in values.items() if sorted(first) == sorted(second)}


def _restart(scene: Scene) -> None:
    end(scene)
    scene.set_up("hsa_init")
    discover(scene)


def _require_same_number(scene: Scene, holder: str, name: str, summary: str, got: str) -> None:
    """Start once more, between two questions for what has changed, which a program can ask, too."""
    before = _number(scene, holder, name)
    _restart(scene)
    after = _number(scene, holder, name)
    if before is not None and after is not None:
        scene.require(equal(after, before), summary, got)


def _number(scene: Scene, words: str, name: str) -> int | None:
    """Return a number that an object tells of itself, in a step; None where it tells none."""
    registry = scene.session.registry
    attribute = registry.attributes[name]
    found = [h for h in scene.session.rules.holders[attribute.of](scene) if h.words == words]
    if not found or attribute.length is not None:
        return None
    function = asked_through(registry, attribute)
    whose, number = found[0].arguments, registry.constants[name]
    answer = scene.call(function.name, **whose, attribute=number, value=Out())
    return answer.number("value") if answer.ok else None


def _values(scene: Scene) -> _Told:
    """Return the values of attributes by the object and the attribute's name."""
    return {
        (holder.words, attribute.name): value
        for kind, function in _LISTED_BY.items()
        if scene.session.offers(function)
        for holder in scene.session.rules.holders[kind](scene)
        for attribute in _lasting(scene, kind)
        if (value := _value(scene, attribute, holder)) is not None
    }


def _lasting(scene: Scene, kind: str) -> Iterator[Attribute]:
    """Return the attributes of a kind of object that are no handles, and do not change."""
    session = scene.session
    for attribute in session.registry.attributes.values():
        struct = session.registry.structs.get(attribute.type)
        if (
            attribute.of == kind
            and struct is None
            and "*" not in attribute.type
            and not (attribute.set_by or attribute.inferred or attribute.open_ended)
            and attribute.name not in _CHANGES
            and attribute.refused_by is DecidedBy.RUNTIME
            and session.offered_api.has_attribute(attribute.name)
        ):
            yield attribute


def _value(scene: Scene, attribute: Attribute, holder: Holder) -> bytes | None:
    """Return the value of an attribute; None where it has none that is defined."""
    session = scene.session
    function = asked_through(session.registry, attribute)
    if not session.offers(function.name):
        return None
    try:
        if not is_defined(session, function, attribute, holder.arguments):
            return None
        return value_of(session, function, attribute, holder.arguments)
    except Blocked as refused:
        if refused.deadly:
            raise
        return None  # with which status is judged elsewhere
