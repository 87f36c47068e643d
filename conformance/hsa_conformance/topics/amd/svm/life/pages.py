"""The pages of a program, prefetches that wait, and the calls that change them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hsa_conformance.engine.calls.comparing import part
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.random_programs.player import Player
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.topics.amd.svm.generators import (
    ACCESS,
    PLAIN,
    Pair,
    attribute,
    known,
    pair_list,
)
from hsa_conformance.topics.amd.svm.properties.ranges import GET, SET, pages
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.signals import becomes

FETCH: Final = "hsa_amd_svm_prefetch_async"
LOCATION: Final = "PREFERRED_LOCATION"
FETCHED: Final = "PREFETCH_LOCATION"
#: Pages that calls are about; one more on either side belongs to none of them.
_PAGES: Final = 6


@dataclass(eq=False)
class Fetch:
    """A prefetch that waits for a signal: its agent, pages, and signals."""

    agent: int
    pages: Sequence[Page]
    gate: int
    done: int


@dataclass(eq=False)
class Page:
    """What was said of a page.

    Args:
        address: where it starts.
        values: of the attributes that were set, by name.
        access: the attribute that was set for an agent, by the agent.
        content: the bytes at its start.
        fetched: the agent of the prefetch that was complete last, 0 for none.
        latest: the prefetch that was issued last, while it waits.

    """

    address: int
    values: dict[str, int] = field(default_factory=dict)
    access: dict[int, str] = field(default_factory=dict)
    content: bytes = bytes(8)
    fetched: int = 0
    latest: Fetch | None = None

    @property
    def location(self) -> int:
        """Return the agent of the latest prefetch, or of the one that was complete last."""
        return self.latest.agent if self.latest else self.fetched


class Pages:
    """Pages that calls are about, and prefetches that wait."""

    def __init__(self, p: Player) -> None:
        self.size = p.model.page_size
        room = pages(p, _PAGES + 2)
        self.around = [Page(room), Page(room + (_PAGES + 1) * self.size)]
        self.every = [Page(room + n * self.size) for n in range(1, _PAGES + 1)]
        self.gpus = [agent.handle for agent in known_agents(p, "gpu")]
        # Which of several CPUs memory of the host is at, the driver does not tell apart.
        self.agents = [*(agent.handle for agent in known_agents(p, "cpu")[:1]), *self.gpus]
        self.waiting: list[Fetch] = []


def some_pages(p: Player) -> Sequence[Page]:
    """Draw pages that follow each other."""
    first = p.one_of(range(_PAGES))
    return p.notes(Pages).every[first : first + p.one_of([1, 2, 3, _PAGES])]


def _within(p: Player, chosen: Sequence[Page]) -> tuple[int, int]:
    """Draw an address and a size that touch no other pages: whole pages, or some bytes."""
    page = p.notes(Pages).size
    before, behind = (p.one_of([0, 1, page // 2, page - 1]) for _ in range(2))
    size = len(chosen) * page - before - behind
    if size <= 0:
        before, size = 0, len(chosen) * page
    return chosen[0].address + before, size


def _set(p: Player, chosen: Sequence[Page], pairs: Sequence[Pair]) -> Answer:
    """Set attributes of pages."""
    address, size = _within(p, chosen)
    return p.call(
        SET,
        ptr=address,
        size=size,
        attribute_list=p.session.lay_out(pair_list(pairs)),
        attribute_count=len(pairs),
    )


def told(p: Player, chosen: Sequence[Page], pair: Pair) -> Pair | None:
    """Return what a query makes of a pair; None where it is refused."""
    address, size = _within(p, chosen)
    room = p.session.lay_out(pair_list([pair]))
    answer = p.ask(GET, ptr=address, size=size, attribute_list=room, attribute_count=1)
    data = p.session.read(room, 16)
    if not answer.ok or data is None:
        return None
    return part(data, 0, 8), part(data, 8, 8)


def set_values(p: Player) -> None:
    """Set some attributes, and now and then a bad one; access is set apart from them."""
    chosen, names = some_pages(p), p.shuffled([*known(p), LOCATION])[: p.one_of([1, 2, 3])]
    values = {name: p.one_of(list(PLAIN.get(name, [0, *p.notes(Pages).gpus]))) for name in names}
    pairs = [(attribute(p, name), value) for name, value in values.items()]
    bad = p.pick([None], [(0x6EEEEEEE, 0), (attribute(p, "GLOBAL_FLAG"), 3)])
    if bad is not None:
        pairs = [pair for pair in pairs if pair[0] != bad[0]]
        pairs.insert(p.draw(drawing.integers(0, len(pairs))), bad)
    if _set(p, chosen, pairs).ok:
        for page in chosen:
            page.values.update(values)


def set_access(p: Player) -> None:
    """Set how some GPUs may access pages."""
    chosen, gpus = some_pages(p), p.shuffled(p.notes(Pages).gpus)[: p.one_of([1, 2])]
    access = {gpu: p.one_of(ACCESS) for gpu in gpus}
    if _set(p, chosen, [(attribute(p, name), gpu) for gpu, name in access.items()]).ok:
        for page in chosen:
            page.access.update(access)


def fetch(p: Player) -> None:
    """Move pages to an agent, at once or when a signal is 0."""
    chosen = some_pages(p)
    gate = signal(p, 1) if p.one_of([True, False]) else 0
    started = Fetch(p.one_of(p.notes(Pages).agents), chosen, gate, signal(p, 1))
    address, size = _within(p, chosen)
    answer = p.call(
        FETCH,
        ptr=address,
        size=size,
        agent=started.agent,
        num_dep_signals=int(bool(gate)),
        dep_signals=p.session.lay_out(handle_array([gate])) if gate else 0,
        completion_signal=started.done,
    )
    if not answer.ok:
        return
    for page in chosen:
        page.latest = started
    if gate:
        p.notes(Pages).waiting.append(started)
    else:
        _complete(p, started)


def let_go(p: Player) -> None:
    """Let a prefetch begin that waits, whichever of them."""
    _let_go_of(p, p.one_of(p.notes(Pages).waiting))


def let_all_go(p: Player) -> None:
    """Let all prefetches come to their end."""
    while p.notes(Pages).waiting:
        let_go(p)


def _let_go_of(p: Player, one: Fetch) -> None:
    """Let one prefetch begin that waits, and wait for its end."""
    p.notes(Pages).waiting.remove(one)
    p.session.set_up("hsa_signal_store_screlease", signal=one.gate, value=0)
    _complete(p, one)


def _complete(p: Player, one: Fetch) -> None:
    def value() -> int:
        return p.session.set_up("hsa_signal_load_scacquire", signal=one.done).status

    if not becomes(lambda: value() != 1) or value() != 0:
        raise Blocked(f"{FETCH}/completion", f"a completion signal of {value()}")
    for page in one.pages:
        page.fetched = one.agent
        page.latest = None if page.latest is one else page.latest


def write(p: Player) -> None:
    """Write to a page."""
    page = p.one_of(p.notes(Pages).every)
    content = bytes([p.one_of(range(1, 256))]) * 8
    if p.session.write(page.address, content):
        page.content = content
