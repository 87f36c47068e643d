"""The checks of one call: what is wrong before it is made, and what its answer says."""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hsa_reference.checking import lifetimes, own_memory
from hsa_reference.checking.doorbells import Doorbells, PacketUse, fence
from hsa_reference.checking.explaining import is_mistake
from hsa_reference.checking.ledger import Ledger, Site, TrackedObject
from hsa_reference.checking.plans import Plan
from hsa_reference.checking.report import Mistake, Report, arguments, named
from hsa_reference.checking.spans import Span
from hsa_reference.checking.stacks import Stacks
from hsa_spec import Clause, Registry, World
from hsa_spec.releases import Release

#: The functions that change a signal's value.
CHANGES = re.compile(r"hsa_signal_(silent_store|store|exchange|cas|add|subtract|and|or|xor)_\w+")
_STORE = "hsa_signal_store_"
WAITS = tuple(f"hsa_signal_wait_{order}" for order in ("relaxed", "scacquire", "acquire"))
_COPIES = tuple(f"hsa_amd_memory_async_copy{suffix}" for suffix in ("", "_on_engine", "_rect"))


@dataclass(frozen=True)
class Context:
    """What all calls of a client share.

    Attributes:
        registry: the specification.
        release: what the runtime says that it is.
        ledger: the client's objects.
        doorbells: its queues, and what uses its signals.
        world: what conditions ask.
        report: where mistakes go.
        stacks: takes call stacks.
        tracked: the kinds of objects of which every maker is known.
        end: is called when the runtime ends.

    """

    registry: Registry
    release: Release
    ledger: Ledger
    doorbells: Doorbells
    world: World
    report: Report
    stacks: Stacks
    tracked: frozenset[str]
    end: Callable[[], None]


class CallChecks:
    """The checks of one call.

    Args:
        context: what all calls share.
        plan: what is looked at.
        args: the arguments, as raw integers.

    """

    def __init__(self, context: Context, plan: Plan, args: Sequence[int]) -> None:
        self._context = context
        self._ledger = context.ledger
        self._doorbells = context.doorbells
        self._plan = plan
        self._function = plan.function
        self._args = args
        self._said = False
        self._going: TrackedObject | None = None
        self._mapped: str | None = None

    @cached_property
    def _site(self) -> Site:
        return Site(self._function.name, self._context.stacks.here())

    def before(self) -> None:
        """Check what can be known before the call is made, and note what it will give back."""
        if self._plan.names is not None:
            self._check_names()
        if self._plan.spans is not None:
            for span in self._plan.spans(self._args):
                if self._is_outside(span):
                    break
        going = None if self._plan.releases is None else self._check_given(self._plan.releases)
        if self._function.name in WAITS:
            self._check_wait(self._args[0])
        if not self._said:
            clause = self._plan.clauses.undefined(self._context.world, self._args)
            if clause is not None:
                self._say("undefined: no text says what this call does", clauses=(clause,))
        if going is not None:
            self._give_back(going)
        elif self._function.name == "hsa_queue_inactivate":
            self._doorbells.closed(self._args[0])

    def after(self, answer: int) -> None:
        """Learn from the answer of the call."""
        if self._function.result != "hsa_status_t":
            return
        if self._plan.descriptor_array is not None:  # some queues may be there where others failed
            self._find_queues(self._plan.descriptor_array)
        if answer:
            if self._going is not None:
                self._ledger.kept(self._going)
            self._check_answer(self._context.registry.status_name(answer))
            return
        if self._going is not None and self._going.kind in lifetimes.BLOCKS:
            self._ledger.freed(self._going, self._mapped)
        self._learn()

    def changes(self) -> None:
        """Check a change of a signal: a store may ring the doorbell of a queue."""
        signal, value = self._args[:2]
        if self._function.name.startswith(_STORE):
            for what in self._doorbells.rung(signal, value, lambda: self._site):
                self._say(what)
        self._doorbells.changed(signal)

    def _check_names(self) -> None:
        assert self._plan.names is not None
        for name, kind, key in self._plan.names(self._args):
            if kind in self._context.tracked and not self._ledger.live(kind, key):
                self._check_stranger(name, kind, key)

    def _check_stranger(self, name: str, kind: str, key: int) -> None:
        """Check what is no live object of its kind, as far as anybody saw."""
        words = (f"not is_{kind}({name})", "invalid-signal", "not-reserved", "not-locked")
        for other in self._ledger.others(kind, key):
            if other.kind in ("locked", "mapping"):  # has the address of what it was made of
                continue
            what = f"wrong kind: {name} is {named(other)}, not a {lifetimes.noun(kind)}"
            self._say(what, things=(other,), words=words)
            return
        gone = self._ledger.gone(kind, key)
        if gone is not None:
            given = self._plan.releases
            again = given is not None and self._plan.place.get(name) == given.key
            sort = "given back twice" if again else "use after destruction"
            what = f"{sort}: {name} is {named(gone)}, which is gone"
            self._say(what, things=(gone,), words=words)

    def _is_outside(self, span: Span) -> bool:
        """Return whether memory that the call uses is certainly not the client's, and say so."""
        end = span.address + span.size
        words = (f"not is_memory({span.parameter}, size)", "extents-outside")
        freed = self._ledger.freed_around(span.address, span.size) if span.whole else None
        if freed is not None:
            what = (
                f"use after free: the {span.size} bytes at {span.parameter} ({span.address:#x}) "
                f"are in {named(freed)}, which was given back"
            )
            self._say(what, things=(freed,), words=words)
            return True
        block = self._ledger.block_around(span.address)
        if block is None or end <= self._end_of(block):
            return False
        what = (
            f"wrong size: {span.parameter} ({span.address:#x}) has {span.size} bytes, and "
            f"{named(block)} ends after {block.key + block.size - span.address} of them"
        )
        self._say(what, things=(block,), words=words)
        return True

    def _end_of(self, block: TrackedObject) -> int:
        """Return where a block ends: the text has its size rounded up to its pool's granule."""
        known = self._context.world.find(block.kind, block.key)
        return block.key + max(_rounded(block.size), 0 if known is None else known.size)

    def _check_given(self, given: lifetimes.ReleasedObject) -> TrackedObject | None:
        """Return what the call gives back, and check that it is what can be given back here."""
        key = self._args[given.key]
        if given.size is not None or not key:
            return None
        thing = self._ledger.live(given.kind, key)
        if thing is None:
            parameter = self._function.params[given.key]
            if lifetimes.kind_of(parameter) is None:  # handles were checked with all other names
                self._check_stranger(parameter.name, given.kind, key)
            if given.kind in lifetimes.BLOCKS:  # it is wrong, and may succeed
                thing = next(
                    filter(None, (self._ledger.live(k, key) for k in lifetimes.BLOCKS)), None
                )
        elif thing.kind == "signal":
            self._check_users(thing)
        return thing

    def _give_back(self, thing: TrackedObject) -> None:
        if thing.kind == "queue":
            self._doorbells.closed(thing.key)
        if thing.kind in lifetimes.BLOCKS:
            self._mapped = own_memory.mapping_at(thing.key)
        self._going = thing
        self._ledger.given_back(thing, self._site)

    def _check_users(self, signal: TrackedObject) -> None:
        for use in self._doorbells.users(signal.key):
            if isinstance(use, PacketUse):
                user = f"packet {use.packet.index} of the queue {use.ring.queue:#x}"
            else:
                user = f"a copy by {use.site.function}"
            what = f"destroyed in use: {named(signal)} is still needed by {user}"
            self._say(what, things=(signal,), words=("in-use",))
            break

    def _check_wait(self, signal: int) -> None:
        use = self._doorbells.unreleased(signal)
        if use is None:
            return
        what = (
            f"missing fence (warning): the signal {signal:#x} completes packet "
            f"{use.packet.index}, and {fence(use.packet)}: what its kernel stored may not be "
            "visible to the host after this wait"
        )
        clause = self._context.registry.clauses.get("hsa_queue_create/release-fence")
        self._say(what, clauses=() if clause is None else (clause,))

    def _check_answer(self, status: str) -> None:
        if self._said or not is_mistake(status):
            return
        found = self._plan.clauses.explain(status, self._context.world, self._args)
        if found is not None:
            self._say(f"answered {status}", clauses=found.holding, possible=found.possible)

    def _learn(self) -> None:
        name, args, ledger = self._function.name, self._args, self._ledger
        if name == "hsa_init":
            ledger.references += 1
        elif name == "hsa_shut_down" and ledger.references:
            ledger.references -= 1
            if ledger.references == 0:
                self._context.end()
        given = self._plan.releases
        if given is not None and given.size is not None:
            for thing in ledger.within(given.kind, args[given.key], args[given.size]):
                ledger.given_back(thing, self._site)
        if self._going is not None and self._going.kind == "signal":
            self._doorbells.ended(self._going.key)
        for made in self._plan.creations:
            key = own_memory.word(args[made.key]) if made.output else args[made.key]
            if key:
                self._made(made, key)
        if name in _COPIES:
            self._copied()

    def _find_queues(self, described: lifetimes.DescriptorArray) -> None:
        """Take queues of descriptors for new ones; their packets may be of another format."""
        start, count = self._args[described.array], self._args[described.count]
        for index in range(min(count, own_memory.LONGEST) if start else 0):
            queue = own_memory.word(start + index * described.stride + described.member)
            if queue:
                self._doorbells.found(queue)

    def _made(self, made: lifetimes.CreatedObject, key: int) -> None:
        size = 0 if made.size is None else self._args[made.size]
        if made.size_output:
            size = own_memory.word(size) or 0
        self._ledger.made(TrackedObject(made.kind, key, size, self._site))
        if made.kind == "queue":
            self._doorbells.opened(key)

    def _copied(self) -> None:
        place, args, spans = self._plan.place, self._args, self._plan.spans
        if spans is None or not any(spans(args)):
            return  # a copy of no bytes is over, and needs no signal
        count, signals = args[place["num_dep_signals"]], args[place["dep_signals"]]
        dependencies = own_memory.words(signals, count) if signals and count < 64 else None
        if dependencies:
            self._doorbells.copies(self._site, args[place["completion_signal"]], dependencies)

    def _say(
        self,
        what: str,
        *,
        clauses: tuple[Clause, ...] = (),
        possible: tuple[Clause, ...] = (),
        things: tuple[TrackedObject, ...] = (),
        words: tuple[str, ...] = (),
    ) -> None:
        self._said = True
        if not clauses and words and (clause := self._plan.clauses.about(words)) is not None:
            clauses = (clause,)
        given = arguments(self._function, self._args)
        self._context.report.say(Mistake(self._site, what, clauses, possible, given, things))


def _rounded(size: int) -> int:
    return -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
