"""Properties of hsa_amd_vmem_set_access and get_access: who may do what with mapped memory."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.judging.statuses import INVALID_ALLOCATION
from hsa_conformance.topics.amd.vmem.fixtures import (
    READ_WRITE,
    access_descriptors,
    create_handle,
    map_handle,
    reserve,
)
from hsa_conformance.topics.amd.vmem.properties.memory import (
    NONE,
    PERMISSIONS,
    READ_ONLY,
    gives_permission,
    grant,
    host_memory,
    host_of,
    mapped,
    mark,
    marked,
    open_to_host,
    permission_of,
    reaching,
    require_bytes,
    require_no_read,
    set_access,
    twin,
)
from hsa_conformance.topics.amd.vmem.state import Mapping
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent
from hsa_reports.demands import Permits

proves = Proofs()


def _some_agents(scene: Scene, mapping: Mapping) -> list[Agent]:
    """Draw one or more of the GPU agents that reach the memory, in any order."""
    agents = scene.shuffled(reaching(scene, mapping))
    return list(agents[: scene.draw(drawing.integers(1, len(agents)))])


def _grant_all(scene: Scene, mapping: Mapping, agents: list[Agent]) -> dict[Agent, int]:
    """Give each agent a permission, in one call or one after the other; return what they got."""
    granted = {a: scene.choose(PERMISSIONS) for a in agents}
    pairs = [(a.handle, p) for a, p in granted.items()]
    if scene.draw(drawing.booleans()):
        scene.set_up(
            "hsa_amd_vmem_set_access",
            va=mapping.address,
            size=mapping.size,
            desc=access_descriptors(pairs),
            desc_cnt=len(pairs),
        )
    else:
        for agent, permission in granted.items():
            grant(scene, mapping, agent, permission)
    return granted


def _require_permissions(
    scene: Scene, mapping: Mapping, granted: dict[Agent, int], summary: str
) -> None:
    for agent, permission in granted.items():
        found = permission_of(scene, mapping.address, agent)
        scene.require(
            found == permission,
            f"{summary} ({agent.handle}: {permission})",
            found,
            gives_permission(permission),
        )


def _require_last(
    scene: Scene, mapping: Mapping, agent: Agent, summary: str, least: int = 1, most: int = 3
) -> None:
    """Give an agent permissions, each unlike the one before; each time the last is reported."""
    permission: int | None = None
    for _ in range(scene.draw(drawing.integers(least, most))):
        permission = scene.choose([p for p in PERMISSIONS if p != permission])
        grant(scene, mapping, agent, permission)
        _require_permissions(scene, mapping, {agent: permission}, summary)


# what is reported


@proves("hsa_amd_vmem_set_access/reported")
def permissions_are_reported(scene: Scene) -> None:
    """After permissions are set for several GPUs, the query gives each its own."""
    mapping = mapped(scene, create_handle(scene))
    granted = _grant_all(scene, mapping, _some_agents(scene, mapping))
    _require_permissions(scene, mapping, granted, "another permission than the one that was set")


@proves("hsa_amd_vmem_set_access/overwrites")
def the_last_permission_counts(scene: Scene) -> None:
    """Of several permissions set one after another, wider or narrower, the last is reported."""
    mapping = mapped(scene, create_handle(scene))
    agent = scene.choose(reaching(scene, mapping))
    _require_last(scene, mapping, agent, "the old permission is left", least=2, most=5)


def _set_for_another(scene: Scene) -> tuple[Mapping, dict[Agent, int]]:
    """Set permissions for some agents, then for another; return what the former were given."""
    mapping = mapped(scene, host_memory(scene))
    *listed, other = scene.shuffled([*reaching(scene, mapping), host_of(scene, mapping)])
    gpus = [a for a in listed if a.device == "gpu"]
    if not gpus:
        raise CannotMake("only one GPU agent reaches the memory, and it is the one named last")
    granted = _grant_all(scene, mapping, gpus)
    for permission in scene.draw(
        drawing.lists(drawing.sampled_from(PERMISSIONS), min_size=1, max_size=3)
    ):
        grant(scene, mapping, other, permission)
    return mapping, granted


@proves("hsa_amd_vmem_set_access/others-kept")
def agents_that_are_not_named_keep_their_permissions(scene: Scene) -> None:
    """Setting a permission for one agent leaves those of the agents that are not named.

    The agent named is another GPU, or the host's.
    """
    mapping, granted = _set_for_another(scene)
    _require_permissions(scene, mapping, granted, "an agent that was not named lost its permission")


@proves("hsa_amd_vmem_set_access/others-before")
def agents_that_are_not_named_fare_alike(scene: Scene) -> None:
    """Agents that a call does not name all keep their permissions, or all lose them."""
    mapping, granted = _set_for_another(scene)
    found = {a: permission_of(scene, mapping.address, a) for a in granted}
    lost = all(p in (NONE, INVALID_ALLOCATION) for p in found.values())
    shown = {str(a.handle): p for a, p in found.items()}
    scene.require(
        found == granted or lost, "permissions of agents that were not named changed", shown
    )


@proves("hsa_amd_vmem_get_access/host-agent")
def the_permission_of_the_host_is_reported(scene: Scene) -> None:
    """The permission last set for the host's agent is reported."""
    mapping = mapped(scene, host_memory(scene))
    host = host_of(scene, mapping)
    _require_last(scene, mapping, host, "the host's permission is wrong")


@proves("hsa_amd_vmem_get_access/as-set")
def the_permission_of_a_gpu_is_the_one_set_last(scene: Scene) -> None:
    """A GPU is given a permission and then others; the query gives the last each time.

    For its last byte and another address inside the mapping it gives that one, too, or an error.
    """
    mapping = mapped(scene, create_handle(scene))
    agent = scene.choose(reaching(scene, mapping))
    _require_last(scene, mapping, agent, "not the permission set last", least=2)
    last = permission_of(scene, mapping.address, agent)
    for place in (mapping.size - 1, scene.draw(sizes(0, mapping.size - 1))):
        inside = permission_of(scene, mapping.address + place, agent)
        scene.require(
            inside == last or isinstance(inside, str),
            f"the permission at {place:#x} of the mapping is not the one at its start ({last})",
            inside,
        )


@proves("hsa_amd_vmem_get_access/never-set-is-none")
def permissions_that_were_never_set_are_none(scene: Scene) -> None:
    """For an agent whose permission was never set, the query gives NONE or an error."""
    mapping = mapped(scene, create_handle(scene))
    *named, asked = scene.shuffled(known_agents(scene))
    for agent in named:
        if scene.draw(drawing.booleans()):
            set_access(scene, mapping, [(agent.handle, READ_WRITE)])
    found = permission_of(scene, mapping.address, asked)
    scene.require(
        isinstance(found, str) or found == NONE, f"{asked.handle} was never given access", found
    )


# what the host can do


@proves("hsa_amd_vmem_set_access/host-read-write")
def the_host_reads_what_it_wrote(scene: Scene) -> None:
    """With read and write access, the host reads back what it writes anywhere in the memory."""
    mapping = mapped(scene, host_memory(scene))
    open_to_host(scene, mapping)
    wanted = mark(scene, mapping.size)
    done = scene.session.write(mapping.address + wanted.offset, wanted.content)
    scene.require(done, "the host may write, and a write faults", "a fault", Permits(True))
    require_bytes(scene, mapping.address, wanted, "the host reads other bytes than it wrote")


@proves("hsa_amd_vmem_set_access/host-read-only")
def the_host_reads_and_does_not_write(scene: Scene) -> None:
    """With read-only access the host reads the bytes, and a write faults."""
    mapping, wanted = marked(scene)
    if scene.draw(drawing.booleans()):
        mapping = mapped(scene, mapping.handle)
    grant(scene, mapping, host_of(scene, mapping), READ_ONLY)
    require_bytes(scene, mapping.address, wanted, "the host may read, and reads other bytes")
    other = mark(scene, mapping.size, 2)
    done = scene.session.write(mapping.address + other.offset, other.content)
    summary = "the host may only read, and a write succeeds"
    scene.require(not done, summary, "written", Permits(False))


@proves("hsa_amd_vmem_set_access/host-none")
def the_host_does_not_read_any_more(scene: Scene) -> None:
    """After the host's access is set to NONE its reads fault, though a GPU may still read."""
    mapping = mapped(scene, host_memory(scene))
    host = open_to_host(scene, mapping)
    if scene.draw(drawing.booleans()):
        grant(scene, mapping, scene.choose(reaching(scene, mapping)))
    grant(scene, mapping, host, NONE)
    require_no_read(scene, mapping.address, mapping.size, "the host reads without permission")


# what stays as it is


@proves("hsa_amd_vmem_set_access/bytes-stay")
def permissions_change_no_bytes(scene: Scene) -> None:
    """Changes of permissions, for the host and for GPUs, leave the bytes of the memory."""
    mapping, wanted = marked(scene)
    host = host_of(scene, mapping)
    agents = [host, *reaching(scene, mapping)]
    for _ in range(scene.draw(drawing.integers(1, 5))):
        grant(scene, mapping, scene.choose(agents), scene.choose(PERMISSIONS))
    grant(scene, mapping, host, scene.choose([READ_WRITE, READ_ONLY]))
    require_bytes(scene, mapping.address, wanted, "a change of permissions changed the bytes")


@proves("hsa_amd_vmem_set_access/one-mapping")
def other_mappings_keep_their_permissions(scene: Scene) -> None:
    """A change of permissions leaves those of neighbours and of other mappings of the handle."""
    handle = host_memory(scene)
    room = reserve(scene, 3 * handle.size).address
    changed = map_handle(scene, handle, room + handle.size)
    neighbour = twin(scene, handle)
    others = [map_handle(scene, neighbour, room), map_handle(scene, handle, room + 2 * handle.size)]
    host = open_to_host(scene, others[0])
    agents = [list(_grant_all(scene, m, _some_agents(scene, m))) for m in others]
    # Releases up to 6.2 may take permissions from agents that are not named.
    granted = [_permissions(scene, m, some) for m, some in zip(others, agents, strict=True)]
    wanted, last = (mark(scene, handle.size, tag) for tag in (1, 2))
    if not scene.session.write(room + wanted.offset, wanted.content):
        raise CannotMake("the host could not write to the other mapping before")
    closed = scene.session.read(others[1].address, 1) is None
    for agent in [host, *_some_agents(scene, changed)]:
        grant(scene, changed, agent, scene.choose(PERMISSIONS))
    for mapping, expected in zip(others, granted, strict=True):
        _require_permissions(scene, mapping, expected, "another mapping's permission changed")
    require_bytes(scene, room, wanted, "the host lost its access to another mapping")
    done = scene.session.write(room + last.offset, last.content)
    scene.require(done, "the host may not write to another mapping now", "a fault", Permits(True))
    if closed:
        summary = "the host got access to another mapping"
        require_no_read(scene, others[1].address, handle.size, summary)


def _permissions(scene: Scene, mapping: Mapping, agents: list[Agent]) -> dict[Agent, int]:
    """Return the permissions that the query for access gives, without those it refuses to give."""
    found = {agent: permission_of(scene, mapping.address, agent) for agent in agents}
    return {agent: permission for agent, permission in found.items() if isinstance(permission, int)}


@proves("hsa_amd_vmem_set_access/failure-changes-nothing")
def a_refused_change_changes_nothing(scene: Scene) -> None:
    """A call with a wrong agent at the end, or a wrong range, changes no permission."""
    mapping, wanted = marked(scene)
    page = scene.session.model.page_size
    agents = reaching(scene, mapping)
    granted = _grant_all(scene, mapping, agents)
    good = [(a.handle, p) for a in _some_agents(scene, mapping) for p in PERMISSIONS[:1]]
    host = (host_of(scene, mapping).handle, NONE)
    kind = scene.choose(["agent zero", "no agent", "shorter", "longer", "inside"])
    pairs = [host, *good]
    if kind == "agent zero":
        pairs.append((0, READ_WRITE))
    elif kind == "no agent":
        pairs.append((scene.readable(), READ_WRITE))
    start, size = {
        "shorter": (mapping.address, mapping.size - page),
        "longer": (mapping.address, mapping.size + page),
        "inside": (mapping.address + page, mapping.size - page),
    }.get(kind, (mapping.address, mapping.size))
    answer = scene.call(
        "hsa_amd_vmem_set_access",
        va=start,
        size=size,
        desc=access_descriptors(pairs),
        desc_cnt=len(pairs),
    )
    if answer.ok:
        raise CannotMake(f"the wrong call ({kind}) succeeded")
    _require_permissions(scene, mapping, granted, "the refused call changed a permission")
    require_bytes(scene, mapping.address, wanted, "the refused call took the host's access away")
