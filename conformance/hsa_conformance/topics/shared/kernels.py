"""The suite's own kernels, loaded for an agent, and dispatched with arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hsa_conformance.code_objects import Code, Does, doing, has_kernels
from hsa_conformance.engine.calls.outcomes import NO_KERNELS, Blocked, Unavailable
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.memory.generators import block, regions_where
from hsa_conformance.topics.core.queues.generators import agents_with_queues, queue
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.attributes import number
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.queues import dispatch, submit
from hsa_conformance.topics.shared.signals import completes
from hsa_reports import Verdict

_QUERY: Final = "hsa_executable_symbol_get_info"
_PAGE: Final = 4096


@dataclass(frozen=True)
class Kernel:
    """A kernel that can be dispatched; sizes are in bytes.

    Args:
        agent: that it was loaded for.
        object: its kernel object.
        group: of a work-group's static group memory.
        private: of a work-item's private memory.

    """

    agent: int
    object: int
    group: int
    private: int


def agents(fixtures: Fixtures, does: Does) -> list[int]:
    """Return the agents for which the suite has a kernel, and whose queues can run it."""
    with_queues = agents_with_queues(fixtures)
    targets = {a.handle: code.target(fixtures, a.handle) for a in code.gpus(fixtures)}
    return [
        handle
        for handle, target in targets.items()
        if handle in with_queues and target and (does == "nothing" or has_kernels(target))
    ]


def loaded(fixtures: Fixtures, does: Does, agent: int | None = None) -> Kernel:
    """Load a kernel for an agent.

    Args:
        fixtures: where choices come from.
        does: what it does.
        agent: the agent; None for any that can run it.

    Raises:
        Blocked: the library does not load it.
        Unavailable: the machine executes no kernels, or the suite has none for it.

    """
    return several(fixtures, does, agent=agent)[0]


def several(fixtures: Fixtures, *does: Does, agent: int | None = None) -> list[Kernel]:
    """Load several kernels in one code object for an agent; see `loaded`."""
    if not fixtures.session.runs_kernels:
        raise Unavailable(Verdict.UNTESTED, NO_KERNELS)
    if agent is None:
        what = "GPU agent that the suite has a kernel for"
        agent = fixtures.available(agents(fixtures, does[-1]), what)
    target = code.target(fixtures, agent)
    if target is None:
        raise CannotMake("the suite has no code for the agent")
    kernels = tuple(doing(each, target, f"kernel{n}") for n, each in enumerate(does))
    handle = executables.executable(fixtures)
    executables.load(fixtures, handle, agent, code.origin(fixtures, Code(target, kernels)))
    executables.freeze(fixtures, handle)
    symbols = [executables.symbol(fixtures, handle, f"{k.name}.kd", agent) for k in kernels]
    return [_described(fixtures, symbol, agent) for symbol in symbols]


def _described(fixtures: Fixtures, symbol: int, agent: int) -> Kernel:
    def of(what: str) -> int:
        name = f"HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_{what}"
        return number(fixtures, _QUERY, name, executable_symbol=symbol)

    return Kernel(agent, of("OBJECT"), of("GROUP_SEGMENT_SIZE"), of("PRIVATE_SEGMENT_SIZE"))


def arguments(fixtures: Fixtures, *values: int) -> int:
    """Put arguments of 64 bits each where kernels find theirs, and return the address.

    Raises:
        Unavailable: the machine has no memory for arguments.

    """
    flag = fixtures.session.registry.constants["HSA_REGION_GLOBAL_FLAG_KERNARG"]
    place = _room(fixtures, flag, "region for arguments of kernels")
    content = b"".join((int(value) % 2**64).to_bytes(8, "little") for value in values)
    if not fixtures.session.write(place, content):
        raise CannotMake("the host cannot write arguments")
    return place


def words(fixtures: Fixtures, *values: int) -> int:
    """Put words of 64 bits into fine-grained memory of the host, and return the address."""
    flag = fixtures.session.registry.constants["HSA_REGION_GLOBAL_FLAG_FINE_GRAINED"]
    place = _room(fixtures, flag, "fine-grained region to allocate in")
    content = b"".join((value % 2**64).to_bytes(8, "little") for value in values)
    if not fixtures.session.write(place, content):
        raise CannotMake("the host cannot write to fine-grained memory")
    return place


def _room(fixtures: Fixtures, flag: int, what: str) -> int:
    fitting = regions_where(
        fixtures, lambda r: r.allocatable and r.of_host and r.segment == 0 and bool(r.flags & flag)
    )
    region = fixtures.one_of(fixtures.require_any(fitting, what))
    return block(fixtures, region, -(-_PAGE // region.granule) * region.granule)


def packet(kernel: Kernel, place: int = 0, completion: int = 0, bits: int = 0) -> bytes:
    """Return a packet that dispatches a kernel for one work-item.

    Args:
        kernel: the kernel.
        place: of its arguments; 0 for none.
        completion: the signal that it completes, 0 for none.
        bits: what the header has beside the type and the fences.

    """
    return dispatch(
        kernel.object, place, completion, private=kernel.private, group=kernel.group, bits=bits
    )


def run(fixtures: Fixtures, of: int, kernel: Kernel, *values: int) -> int:
    """Dispatch a kernel in a queue, await its end (see `await_end`), and return its signal."""
    done = begin(fixtures, of, kernel, *values)
    await_end(fixtures, done)
    return done


def begin(fixtures: Fixtures, of: int, kernel: Kernel, *values: int) -> int:
    """Dispatch a kernel with arguments, in a queue; return its completion signal, which is 1."""
    done = signal(fixtures, 1)
    place = arguments(fixtures, *values) if values else 0
    submit(fixtures, of, packet(kernel, place, done))
    return done


def await_end(fixtures: Fixtures, done: int) -> None:
    """Wait until the dispatch with this completion signal is complete.

    Raises:
        Blocked: it does not complete.

    """
    if not completes(fixtures, done):
        raise Blocked("hsa_queue_create/completion-decrements", "a dispatch that is not complete")


def failing(fixtures: Fixtures, does: Does) -> Kernel:
    """Load a kernel that fails, for an agent that is first seen to run one which does not.

    Raises:
        Blocked: it is not; why the other one fails would be nobody's guess.

    """
    right, wrong = several(fixtures, "nothing", does)
    run(fixtures, queue(fixtures, agent=right.agent).handle, right)
    return wrong


def set_word(fixtures: Fixtures, place: int, value: int = 1) -> None:
    """Set a word of `words`, which a kernel may look at meanwhile."""
    if not fixtures.session.write(place, (value % 2**64).to_bytes(8, "little")):
        raise CannotMake("the host cannot write to fine-grained memory")


def word(fixtures: Fixtures, place: int) -> int:
    """Return a word of `words` as the host sees it."""
    found = fixtures.session.read(place, 8)
    if found is None:
        raise CannotMake("the host cannot read fine-grained memory")
    return int.from_bytes(found, "little")
