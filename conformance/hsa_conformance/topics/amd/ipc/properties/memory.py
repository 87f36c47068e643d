"""Properties of blocks of memory that another process maps."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.judging.statuses import INVALID_ARGUMENT, SUCCESS
from hsa_conformance.topics.amd.ipc.generators import (
    another_like,
    attach,
    gpu_block,
    known_block,
    name_of,
)
from hsa_conformance.topics.amd.ipc.state import shared_block
from hsa_conformance.topics.amd.pools.device_copies import seen_by_gpu, written_by_gpu
from hsa_conformance.topics.amd.pools.state import Allocation, pool_access
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.pointer_info import accessible
from hsa_reports.demands import Permits
from hsa_spec import DecidedBy

proves = Proofs()

CREATE: Final = "hsa_amd_ipc_memory_create"
ATTACH: Final = "hsa_amd_ipc_memory_attach"
DETACH: Final = "hsa_amd_ipc_memory_detach"

_LARGE: Final = 4 << 20  # more than a runtime allocates ahead
#: Seconds in which an attempt to attach has to end; some libraries try for ten.
ATTACH_TIMEOUT: Final = 60.0


class SharedBlocks:
    """A block of the second process, and this process, which knows its name.

    Args:
        scene: the property's scene, which is the one that attaches.

    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.owner = Scene(scene.session.initialised_peer(), scene.draw, scene.clause)
        self.block: Allocation = gpu_block(self.owner)
        self.tag = 0
        self.name = self.another_name()

    def another_name(self) -> int:
        """Make a name for the block, and return its address here."""
        name = name_of(self.owner, self.block)
        return known_block(self.scene.session, self.owner.session, self.block, name)

    def attach(self, name: int | None = None) -> int:
        """Map the block here."""
        return attach(self.scene, self.name if name is None else name, self.block.size)

    def try_to_attach(self) -> Answer:
        """Ask for the block here."""
        return self.scene.session.call_with(ATTACH, self.arguments())

    def arguments(self) -> dict[str, Value]:
        """Return those with which the block is asked for here."""
        return {
            "handle": self.name,
            "len": self.block.size,
            "num_agents": 0,
            "mapping_agents": 0,
            "mapped_ptr": Out(),
        }

    def content(self) -> bytes:
        """Draw bytes that were not drawn before."""
        self.tag += 1
        return bytes([self.tag]) + bytes(self.scene.draw(drawing.binary(max_size=15)))

    def place(self, content: bytes) -> int:
        """Draw where in the block the bytes shall stand, as an offset."""
        offset: int = self.scene.draw(sizes(0, self.block.size - len(content)))
        return offset

    def require_shared(self, mapped: int) -> None:
        """Demand that what one side's GPU writes is what the other side's GPU reads."""
        sides = [(self.owner, self.block.address), (self.scene, mapped)]
        if self.scene.draw(drawing.booleans()):
            sides.reverse()
        (writer, source), (reader, target) = sides
        content = self.content()
        offset = self.place(content)
        written_by_gpu(writer, source + offset, content)
        self.require_shown(reader, target + offset, content)

    def require_shown(
        self,
        reader: Scene,
        address: int,
        content: bytes,
        summary: str = "written in one process, is not what the other reads",
    ) -> None:
        """Demand that a GPU of a process reads these bytes."""
        found = seen_by_gpu(reader, address, len(content))
        self.scene.require(
            found == content,
            f"{content.hex(' ')}, {summary}",
            "memory that cannot be read" if found is None else found.hex(" "),
        )


@proves("hsa_amd_ipc_memory_create/attachable")
def other_processes_attach_by_the_name(scene: Scene) -> None:
    """Another process attaches to a block by its name while other blocks come and go."""
    story = SharedBlocks(scene)
    for _ in range(scene.draw(drawing.integers(0, 2))):
        other = gpu_block(story.owner)
        if scene.draw(drawing.booleans()):
            story.owner.set_up("hsa_amd_memory_pool_free", ptr=other.address)
    scene.require_status(story.try_to_attach(), SUCCESS)


@proves("hsa_amd_ipc_memory_create/may-repeat")
def a_block_gets_a_name_as_often_as_asked_for(scene: Scene) -> None:
    """A block is named several times, and each name leads to that block."""
    story = SharedBlocks(scene)
    names = [story.name]
    for _ in range(scene.draw(drawing.integers(1, 3))):
        other = gpu_block(story.owner)
        name_of(story.owner, other)
        answer = story.owner.call(
            CREATE, ptr=story.block.address, len=story.block.size, handle=Out()
        )
        scene.require_status(answer, SUCCESS)
        names.append(
            known_block(
                scene.session,
                story.owner.session,
                story.block,
                answer.outputs["handle"] or b"",
            )
        )
    for name in scene.shuffled(names[::-1]):
        story.require_shared(story.attach(name))


@proves("hsa_amd_ipc_memory_create/freed-before-attach", fresh=True, examples=0.1, once=True)
def the_name_of_a_freed_block_is_refused(scene: Scene) -> None:
    """When a large block is freed before anybody attached, attaching by its name is refused.

    No text says how soon: the answer may take a minute.
    """
    scene.session.least = _LARGE  # smaller ones are parts of larger ones, which stay
    story = SharedBlocks(scene)
    story.owner.set_up("hsa_amd_memory_pool_free", ptr=story.block.address)
    scene.session.start(ATTACH, story.arguments())
    answer = scene.session.join(ATTACH_TIMEOUT)
    summary = "a block that was freed is attached"
    scene.require(not answer.ok, summary, answer.name, decided_by=DecidedBy.DRIVER)
    scene.require_status(answer, INVALID_ARGUMENT)


@proves("hsa_amd_ipc_memory_attach/same-bytes")
def both_processes_see_the_same_bytes(scene: Scene) -> None:
    """Of an attached block, each process reads what the other one wrote, before or after."""
    story = SharedBlocks(scene)
    content = story.content()
    offset = story.place(content)
    written_by_gpu(story.owner, story.block.address + offset, content)
    mapped = story.attach()
    story.require_shown(scene, mapped + offset, content)
    for _ in range(scene.draw(drawing.integers(1, 3))):
        story.require_shared(mapped)


@proves("hsa_amd_ipc_memory_attach/outlives-creator")
def an_attached_block_outlives_the_creators(scene: Scene) -> None:
    """An attached block keeps its bytes when the process that created it frees it."""
    story = SharedBlocks(scene)
    content = story.content()
    offset = story.place(content)
    written_by_gpu(story.owner, story.block.address + offset, content)
    mapped = story.attach()
    story.owner.set_up("hsa_amd_memory_pool_free", ptr=story.block.address)
    if scene.draw(drawing.booleans()):
        other = another_like(story.owner, story.block)
        written_by_gpu(story.owner, other.address + offset, bytes(b ^ 0xFF for b in content))
    story.require_shown(scene, mapped + offset, content)


@proves("hsa_amd_ipc_memory_attach/no-agents-means-all")
def all_agents_that_can_reach_the_memory_do(scene: Scene) -> None:
    """A block attached with no list of agents is accessible to every agent that can reach it.

    hsa_amd_pointer_info lists the GPUs; whether CPUs are among them, the host tries.
    """
    story = SharedBlocks(scene)
    mapped = story.attach()
    model = scene.session.model
    shared = shared_block(model, story.name)
    pool = shared.pool if shared else 0
    gpus = known_agents(scene, "gpu")
    wanted = {a.handle for a in gpus if pool_access(model, a.handle, pool) != "never"}
    found = accessible(scene, mapped)
    scene.require(
        found >= wanted,
        "some GPU that can reach the memory has no access to it",
        f"agents with access: {', '.join(f'{a:#x}' for a in sorted(found)) or 'none'}",
    )
    cpus = [a.handle for a in known_agents(scene, "cpu")]
    if any(pool_access(model, cpu, pool) != "never" for cpu in cpus):
        read = scene.session.read(mapped, 1)
        summary = "a CPU that can reach the memory has no access to it"
        got = "memory that the host cannot read"
        scene.require(read is not None, summary, got, Permits(True))


@proves("hsa_amd_ipc_memory_attach/agents-access")
def each_agent_of_the_list_reaches_the_memory(scene: Scene) -> None:
    """A block attached for a list of agents is accessible to each: the first and the last.

    hsa_amd_pointer_info lists them.
    """
    story = SharedBlocks(scene)
    shared = shared_block(scene.session.model, story.name)
    pool = shared.pool if shared else 0
    model = scene.session.model
    able = [a for a in known_agents(scene, "gpu") if pool_access(model, a.handle, pool) != "never"]
    if not able:
        raise CannotMake("no GPU can reach the memory")
    agents: list[int] = [a.handle for a in scene.shuffled(able)]
    agents = agents[: scene.elements("mapping_agents", len(agents))]
    answer = scene.set_up(
        ATTACH,
        handle=story.name,
        len=story.block.size,
        num_agents=len(agents),
        mapping_agents=handle_array(agents),
        mapped_ptr=Out(),
    )
    missing = set(agents) - accessible(scene, answer["mapped_ptr"])
    scene.require(
        not missing,
        "an agent of the list has no access to the memory",
        f"agents without access: {', '.join(f'{a:#x}' for a in sorted(missing))}",
    )


@proves("hsa_amd_ipc_memory_attach/counted")
def an_address_stays_until_it_was_detached_as_often_as_it_was_given(scene: Scene) -> None:
    """A block attached several times stays mapped until it is detached as often.

    Each attach may return the same address or another.
    """
    story = SharedBlocks(scene)
    given = [story.attach()]
    for _ in range(scene.draw(drawing.integers(1, 2))):
        answer = story.try_to_attach()
        scene.require_status(answer, SUCCESS)
        given.append(answer["mapped_ptr"])
    while given:
        gone = given.pop(scene.draw(drawing.integers(0, len(given) - 1)))
        answer = scene.call(DETACH, mapped_ptr=gone)
        scene.require_status(answer, SUCCESS)
        for address in given:
            story.require_shared(address)


@proves("hsa_amd_ipc_memory_detach/last-unmaps")
def the_last_detach_ends_the_access(scene: Scene) -> None:
    """After as many detaches as attaches, no GPU can access an address that was given."""
    story = SharedBlocks(scene)
    given = [story.attach() for _ in range(scene.choose([1, 2]))]
    if not all(accessible(scene, mapped) for mapped in given):
        raise CannotMake("no agent is said to have access to what was attached")
    for mapped in given:
        scene.set_up(DETACH, mapped_ptr=mapped)
    for mapped in dict.fromkeys(given):
        left = _gpus_left(scene, mapped)
        scene.require(not left, "GPUs still have access after the last detach", f"{left} GPUs")


@proves("hsa_amd_ipc_memory_detach/others-stay")
def other_attachments_stay(scene: Scene) -> None:
    """After a detach, other attachments, also of the same block, keep their access and bytes.

    So do the blocks of the process that owns them.
    """
    stories = [SharedBlocks(scene) for _ in range(scene.draw(drawing.integers(1, 2)))]
    shown: list[tuple[SharedBlocks, int, bytes]] = []
    for number, story in enumerate(stories):
        content = bytes([number]) + story.content()
        offset = story.place(content)
        written_by_gpu(story.owner, story.block.address + offset, content)
        shown.append((story, offset, content))
    attached = [(each[0].attach(), each) for each in (*shown, shown[0])]
    before = {mapped: accessible(scene, mapped) for mapped, _ in attached}
    gone, _ = attached.pop(scene.draw(drawing.integers(0, len(attached) - 1)))
    scene.set_up(DETACH, mapped_ptr=gone)
    for mapped, (story, offset, content) in attached:
        lost = before[mapped] - accessible(scene, mapped)
        scene.require(not lost, "GPUs lost their access to another attachment", f"{len(lost)} GPUs")
        story.require_shown(scene, mapped + offset, content)
    for story, offset, content in shown:
        summary = "written by the owner, is not what its block shows after a detach elsewhere"
        story.require_shown(story.owner, story.block.address + offset, content, summary)


def _gpus_left(scene: Scene, address: int) -> int:
    """Return how many GPUs hsa_amd_pointer_info says have access, none where it knows nothing."""
    try:
        return len(accessible(scene, address) & {a.handle for a in known_agents(scene, "gpu")})
    except Blocked:
        return 0
