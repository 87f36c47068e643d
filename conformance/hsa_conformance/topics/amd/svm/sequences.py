"""Random sequences on ranges that overlap: attributes, access, and prefetches that may wait.

Every page is known by itself: setting a part changes only that part, and a range of several pages
has what all of them have. Where pages differ, only what the text says of such ranges is demanded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hypothesis import strategies as st

from hsa_conformance.engine.calls import Answer
from hsa_conformance.engine.check import Check, Counts
from hsa_conformance.engine.checks.sequences import Actor, Rule, play
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import Draw
from hsa_conformance.engine.judge import Judge
from hsa_conformance.engine.outcomes import Blocked
from hsa_conformance.engine.session import Session
from hsa_conformance.topics.amd.svm.generators import (
    ACCESS,
    PLAIN,
    Pair,
    attribute,
    known,
    pair_list,
)
from hsa_conformance.topics.amd.svm.properties.ranges import GET, SET, pages, same_value
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.memory import require_contents
from hsa_conformance.topics.shared.signals import becomes

_FETCH: Final = "hsa_amd_svm_prefetch_async"
_LOCATION: Final = "PREFERRED_LOCATION"
_FETCHED: Final = "PREFETCH_LOCATION"
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


class Player(Actor):
    """The process, its pages, and prefetches that wait."""

    def __init__(self, session: Session, draw: Draw, judge: Judge, *, wrong: bool) -> None:
        super().__init__(session, draw, judge, wrong=wrong)
        self.size = session.model.page_size
        room = pages(self, _PAGES + 2)
        self.around = [Page(room), Page(room + (_PAGES + 1) * self.size)]
        self.pages = [Page(room + n * self.size) for n in range(1, _PAGES + 1)]
        self.gpus = [agent.handle for agent in known_agents(self, "gpu")]
        # Which of several CPUs memory of the host is at, the driver does not tell apart.
        self.agents = [*(agent.handle for agent in known_agents(self, "cpu")[:1]), *self.gpus]
        self.waiting: list[Fetch] = []

    def some(self) -> Sequence[Page]:
        """Draw pages that follow each other."""
        first = self.one_of(range(_PAGES))
        return self.pages[first : first + self.one_of([1, 2, 3, _PAGES])]

    def part(self, chosen: Sequence[Page]) -> tuple[int, int]:
        """Draw an address and a size that touch no other pages: whole pages, or some bytes."""
        before, behind = (self.one_of([0, 1, self.size // 2, self.size - 1]) for _ in range(2))
        size = len(chosen) * self.size - before - behind
        if size <= 0:
            before, size = 0, len(chosen) * self.size
        return chosen[0].address + before, size

    def set(self, chosen: Sequence[Page], pairs: Sequence[Pair]) -> Answer:
        """Set attributes of pages."""
        address, size = self.part(chosen)
        return self.call(
            SET,
            ptr=address,
            size=size,
            attribute_list=self.session.lay_out(pair_list(pairs)),
            attribute_count=len(pairs),
        )

    def told(self, chosen: Sequence[Page], pair: Pair) -> Pair | None:
        """Return what a query makes of a pair; None where it is refused."""
        address, size = self.part(chosen)
        room = self.session.lay_out(pair_list([pair]))
        answer = self.ask(GET, ptr=address, size=size, attribute_list=room, attribute_count=1)
        data = self.session.read(room, 16)
        if not answer.ok or data is None:
            return None
        return int.from_bytes(data[:8], "little"), int.from_bytes(data[8:], "little")


def set_values(p: Player) -> None:
    """Set some attributes, and now and then a bad one; access is set apart from them."""
    chosen, names = p.some(), p.shuffled([*known(p), _LOCATION])[: p.one_of([1, 2, 3])]
    values = {name: p.one_of(list(PLAIN.get(name, [0, *p.gpus]))) for name in names}
    pairs = [(attribute(p, name), value) for name, value in values.items()]
    bad = p.pick([None], [(0x6EEEEEEE, 0), (attribute(p, "GLOBAL_FLAG"), 3)])
    if bad is not None:
        pairs = [pair for pair in pairs if pair[0] != bad[0]]
        pairs.insert(p.draw(st.integers(0, len(pairs))), bad)
    if p.set(chosen, pairs).ok:
        for page in chosen:
            page.values.update(values)


def set_access(p: Player) -> None:
    """Set how some GPUs may access pages."""
    chosen, gpus = p.some(), p.shuffled(p.gpus)[: p.one_of([1, 2])]
    access = {gpu: p.one_of(ACCESS) for gpu in gpus}
    if p.set(chosen, [(attribute(p, name), gpu) for gpu, name in access.items()]).ok:
        for page in chosen:
            page.access.update(access)


def fetch(p: Player) -> None:
    """Move pages to an agent, at once or when a signal is 0."""
    chosen = p.some()
    gate = signal(p, 1) if p.one_of([True, False]) else 0
    started = Fetch(p.one_of(p.agents), chosen, gate, signal(p, 1))
    address, size = p.part(chosen)
    answer = p.call(
        _FETCH,
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
        p.waiting.append(started)
    else:
        _complete(p, started)


def let_go(p: Player) -> None:
    """Let a prefetch begin that waits, whichever of them."""
    _let_go(p, p.one_of(p.waiting))


def _let_go(p: Player, one: Fetch) -> None:
    p.waiting.remove(one)
    p.session.set_up("hsa_signal_store_screlease", signal=one.gate, value=0)
    _complete(p, one)


def _complete(p: Player, one: Fetch) -> None:
    def value() -> int:
        return p.session.set_up("hsa_signal_load_scacquire", signal=one.done).status

    if not becomes(lambda: value() != 1) or value() != 0:
        raise Blocked(f"{_FETCH}/completion", f"a completion signal of {value()}")
    for page in one.pages:
        page.fetched = one.agent
        page.latest = None if page.latest is one else page.latest


def write(p: Player) -> None:
    """Write to a page."""
    page = p.one_of(p.pages)
    content = bytes([p.one_of(range(1, 256))]) * 8
    if p.session.write(page.address, content):
        page.content = content


def look_at_values(p: Player) -> None:
    """Ask for an attribute of pages that all were given it."""
    _look_at_value(p, p.some(), p.one_of([*_readable(p), _LOCATION]))


def _readable(p: Player) -> Sequence[str]:
    # Whether execution can be asked for has a clause and a property of its own.
    return [name for name in known(p) if name != "GPU_EXEC"]


def _look_at_value(p: Player, chosen: Sequence[Page], name: str) -> None:
    given = [page.values.get(name) for page in chosen]
    wanted = given[0]
    if wanted is None or None in given:
        return
    mixed = len(set(given)) > 1
    if mixed and name != "GLOBAL_FLAG":
        return
    found = p.told(chosen, (attribute(p, name), 0))
    if found is None:
        return
    if mixed:
        both = p.session.registry.constants["HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE"]
        p.claim(f"{GET}/indeterminate").require(
            found[1] == both, "pages of both kinds are not INDETERMINATE", found[1]
        )
    else:
        p.claim(f"{SET}/reads-back").require(
            same_value(name, found[1], wanted),
            f"{name} of {len(chosen)} pages was set to {wanted:#x}",
            f"{found[1]:#x}",
        )


def look_at_access(p: Player) -> None:
    """Ask how a GPU may access pages that it was given the same access to."""
    _look_at_access(p, p.some(), p.one_of(p.gpus))


def _look_at_access(p: Player, chosen: Sequence[Page], gpu: int) -> None:
    given = {page.access.get(gpu) for page in chosen}
    wanted = given.pop()
    if wanted is None or given:
        return
    found = p.told(chosen, (attribute(p, "ACCESS_QUERY"), gpu))
    if found is not None:
        p.claim(f"{GET}/access-query").require(
            found[0] == attribute(p, wanted), f"the answer is not {wanted}", f"{found[0]:#x}"
        )


def look_at_locations(p: Player) -> None:
    """Ask where pages were fetched to."""
    _look_at_location(p, p.some())


def _look_at_location(p: Player, chosen: Sequence[Page]) -> None:
    """Demand where pages were fetched to, unless the driver alone is asked for it."""
    places = {page.location for page in chosen}
    pending = any(page.latest for page in chosen)
    if not p.waiting or 0 in places or (len(places) > 1 and not pending):
        return
    found = p.told(chosen, (attribute(p, _FETCHED), 0))
    if found is None:
        return
    wanted = places.pop() if len(places) == 1 else 0
    slug = "location-pending" if pending else "location-elsewhere"
    p.claim(f"{_FETCH}/{slug}").require(
        found[1] == wanted, f"the prefetch location is not {wanted:#x}", f"{found[1]:#x}"
    )


def look_at_contents(p: Player) -> None:
    """Read what was written to a page."""
    _look_at_contents(p, p.one_of(p.pages))


def _look_at_contents(p: Player, page: Page) -> None:
    require_contents(
        p.claim(f"{_FETCH}/contents-kept"),
        page.address,
        page.content,
        "the page does not hold what was written",
    )


def _end(p: Player) -> None:
    """Let all prefetches come to their end, and look at each page, and all together."""
    while p.waiting:
        _let_go(p, p.one_of(p.waiting))
    for chosen in [*([page] for page in p.pages), p.pages]:
        for name in [*_readable(p), _LOCATION]:
            _look_at_value(p, chosen, name)
        for gpu in p.gpus:
            _look_at_access(p, chosen, gpu)
    for page in [*p.pages, *p.around]:
        _look_at_contents(p, page)


_RULES: Final[Sequence[Rule[Player]]] = (
    *3 * (set_values, fetch),
    *2 * (set_access, look_at_values, look_at_locations),
    *(let_go, write, look_at_access, look_at_contents),
)


def machine_checks(judge: Judge, _: frozenset[str], steps: int) -> list[Check]:
    """Return the check that plays random sequences; see `hsa_conformance.engine.topic`."""

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        player = Player(session, draw, judge, wrong=draw(st.booleans()))
        play(draw, [player], _RULES, steps, [(set_values, player), (fetch, player)])
        _end(player)
        counts.satisfied += 1

    return [
        Check(
            f"{SET}/success",
            "sequences on several ranges",
            body,
            fresh=True,
            stepwise=True,
            examples=0.5,
        )
    ]
