"""Profiles in the memory of the process, and the counters that a GPU says it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.extensions import has_bit
from hsa_conformance.topics.aqlprofile.aqlprofile.state import COUNTERS, Event, Profile
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_reports import Verdict

PREFIX: Final = "hsa_ven_amd_aqlprofile_"
VALIDATE: Final = f"{PREFIX}validate_event"
INFO: Final = f"{PREFIX}get_info"
INFOS: Final = "HSA_VEN_AMD_AQLPROFILE_INFO_"
BLOCKS: Final = f"{PREFIX}block_name_t"

EXTENSION: Final = "HSA_EXTENSION_AMD_AQLPROFILE"

#: Bytes of a packet, of its header, and where its commands end.
PACKET: Final = 64
COMMANDS: Final = slice(2, 56)

_MASK: Final = "HSA_AGENT_INFO_EXTENSIONS"

#: Numbers that counters of many blocks have.
_TRIED: Final = (1, 2, 4, 0)
#: Counters that are looked for.
_ENOUGH: Final = 4
#: Bytes of the buffers where nobody asks how many it takes.
_COMMAND_BUFFER: Final = 1 << 16
_OUTPUT_BUFFER: Final = 1 << 16


def counting_gpus(fixtures: Fixtures) -> Mapping[int, Sequence[Event]]:
    """Return some counters, of different blocks, of each GPU that has any; each is asked once.

    Raises:
        Blocked: it is not said whether a GPU has a counter.
        Unavailable: none was found.

    """
    session, gpus = fixtures.session, known_agents(fixtures, "gpu")
    for gpu in fixtures.require_any(gpus, "GPU agent"):
        if session.model.find("counted", gpu.handle) is None:
            events = tuple(_counted(fixtures, gpu.handle))[:_ENOUGH]
            session.model.add("counted", gpu.handle, thing=events)
    found = {g.handle: session.model.find("counted", g.handle) for g in gpus}
    counting = {gpu: events for gpu, events in found.items() if events}
    if not counting and any(_says_that_it_counts(fixtures, gpu) for gpu in found):
        raise Unavailable(Verdict.UNTESTED, "the suite finds no counter that a GPU has")
    if not counting:
        reason = f"{_MASK} of no GPU agent has a bit for {EXTENSION}"
        raise Unavailable(Verdict.NOT_APPLICABLE, reason)
    return counting


def counting_gpu(fixtures: Fixtures) -> tuple[int, Sequence[Event]]:
    """Return a GPU that has counters, and some of them; errors as `counting_gpus`."""
    counting = counting_gpus(fixtures)
    gpu = fixtures.choose([g for g in known_agents(fixtures, "gpu") if g.handle in counting])
    return gpu.handle, counting[gpu.handle]


def _says_that_it_counts(fixtures: Fixtures, agent: int) -> bool:
    constants = fixtures.session.registry.constants
    answer = fixtures.session.set_up(
        "hsa_agent_get_info", agent=agent, attribute=constants[_MASK], value=Out()
    )
    return has_bit(answer.outputs["value"] or b"", constants[EXTENSION])


def _counted(fixtures: Fixtures, agent: int) -> Iterable[Event]:
    registry = fixtures.session.registry
    last = registry.constants["HSA_VEN_AMD_AQLPROFILE_BLOCKS_NUMBER"]
    for block in sorted(registry.enums[BLOCKS].values - {last}):
        asked = (Event(block, 0, counter) for counter in _TRIED)
        yield from [e for e in asked if has_counter(fixtures, agent, e)][:1]


def has_counter(fixtures: Fixtures, agent: int, event: Event) -> bool:
    """Ask whether a GPU has a counter."""
    given = Data(event.content, "event")
    answer = fixtures.session.set_up(VALIDATE, agent=agent, event=given, result=Out())
    return answer.number("result") != 0


def profile(fixtures: Fixtures, kind: str = COUNTERS) -> Profile:
    """Lay out a profile of a GPU with buffers that suffice.

    Args:
        fixtures: the process.
        kind: COUNTERS or TRACE.

    """
    agent, known = counting_gpu(fixtures)
    events = known[: fixtures.elements("events", len(known))] if kind == COUNTERS else ()
    address = lay_out(fixtures, agent, kind, events)
    made = Profile(address, agent, kind, tuple(events))
    fixtures.session.model.add("profile", address, thing=made)
    return made


def lay_out(
    fixtures: Fixtures,
    agent: int,
    kind: str,
    events: Sequence[Event],
    *,
    commands: int = _COMMAND_BUFFER,
    output: int = _OUTPUT_BUFFER,
) -> int:
    """Lay out a profile, and return its address.

    Args:
        fixtures: the process.
        agent: the handle of the GPU.
        kind: COUNTERS or TRACE.
        events: the counters.
        commands: the size of its command buffer in bytes; 0: it has none.
        output: the size of its output buffer in bytes; 0: it has none.

    """
    session = fixtures.session
    listed = session.place(b"".join(e.content for e in events) or bytes(1), "events")
    rooms = [session.place(bytes(size), "buffer") if size else 0 for size in (output, commands)]
    pointers = {0: agent, 16: listed if events else 0, 48: rooms[0], 64: rooms[1]}
    numbers = {8: session.registry.constants[kind], 24: len(events), 56: output, 72: commands}
    content = bytearray(80)
    for place, number in pointers.items():
        content[place : place + 8] = int(number).to_bytes(8, "little")
    for place, number in numbers.items():
        content[place : place + 4] = number.to_bytes(4, "little")
    named = {place: number for place, number in pointers.items() if number}
    return session.lay_out(Data(bytes(content), "profile", named))
