"""Calls by name in one process, with a trace of them, and the model kept up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from hsa_adapters.calls import Callback, Outcome
from hsa_adapters.errors import Ended, LimitError
from hsa_adapters.protocol import Process
from hsa_adapters.worker.calls.executor import OVERWRITTEN
from hsa_conformance.engine.calls import recording
from hsa_conformance.engine.calls.answers import answered, as_step
from hsa_conformance.engine.calls.arguments import PreparedCall, prepare
from hsa_conformance.engine.calls.callback_handles import listed
from hsa_conformance.engine.calls.outcomes import Blocked, CallLimit, ProvesNothing, Unavailable
from hsa_conformance.engine.calls.scratch import Reuse
from hsa_conformance.engine.calls.symbols import Symbol, text
from hsa_conformance.engine.calls.trace import Notes
from hsa_conformance.engine.calls.values import Answer, Value
from hsa_conformance.engine.judging.statuses import OUT_OF_RESOURCES
from hsa_conformance.engine.library.offered_api import OfferedApi
from hsa_conformance.engine.session.host import Host
from hsa_conformance.engine.session.repeat_offenders import RepeatOffenders
from hsa_conformance.engine.session.state_rules import StateRules
from hsa_conformance.engine.session.tables import address_of, missing
from hsa_reports import Verdict, actions
from hsa_spec import Function, Registry
from hsa_spec.releases import Release

#: Seconds in which what a call has begun ends the process, if it does.
_MOMENT: Final = 0.25

#: How many objects a process has at least, where a library has no more of them by right.
_MANY: Final = 16

#: Gets the name of a function and what calls it, and returns what the process said.
Meanwhile = Callable[[PreparedCall, Callable[[], Outcome]], Outcome]
#: What a callback calls, and who gets the results of these calls.
Inside = tuple[Sequence[PreparedCall], Callable[[Sequence[int]], None]]
#: Gets the name of a function that was called, and its arguments.
Observer = Callable[[str, Mapping[str, Value]], None]


def alone() -> bool:
    """Return False: an object that is made is the only one of its kind."""
    return False


class Conversation(Host):
    """Makes calls in one process.

    Args:
        process: the process, which is not owned.
        registry: the specification.
        rules: what calls change, and how conditions are answered.
        name: what the trace calls the process.
        notes: where the steps of the trace are noted.
        fatal: functions that end fresh processes when they are only set-up; None for none so far.
        exports: the functions that the library exports; None for all of the registry's.
        offered_api: what may be called; None for everything.

    """

    def __init__(
        self,
        process: Process,
        registry: Registry,
        rules: StateRules,
        name: str,
        notes: Notes,
        fatal: RepeatOffenders[Ended] | None,
        exports: frozenset[str] | None,
        offered_api: OfferedApi | None,
    ) -> None:
        super().__init__(process, rules, name, notes)
        self.registry = registry
        self.fatal: RepeatOffenders[Ended] = RepeatOffenders() if fatal is None else fatal
        every = frozenset(registry.functions)
        self.exports = every if exports is None else exports
        self.offered_api = (
            OfferedApi(every, Release(), registry) if offered_api is None else offered_api
        )
        self.calls = 0
        self.most: int | None = None  # calls after which the process is only watched
        self.called = ""  # the function that was called last
        self.callback_arguments: list[
            tuple[int, ...]
        ] = []  # what callbacks were called with, late ones too
        self.ended: Ended | None = None  # what a call of this process met
        self.makes_extra_objects = (
            alone  # whether set-up makes further objects beside those it is asked for
        )
        self.used_before = False  # whether an earlier example ran here, or something was refused
        self.refusals = 0  # how often something was refused on purpose
        self.inside: Inside | None = None  # what the callback of the next call makes that has one
        self.observer: Observer | None = None  # is told of each call, once it is made
        self.meanwhile: Meanwhile | None = None  # makes each call, with what happens during it
        self.most_threads: int | None = None  # that a call of hsa_shut_down may leave behind
        self.ends = 0  # how often the runtime was shut down
        self.shut_downs = 0  # how often that was asked for, also while it was to go on
        self.release = Release()  # what the runner finds out
        self.record: Symbol | None = None  # where a library of tools notes its tables
        self.under_way: PreparedCall | None = None  # the call of a thread beside the others
        self._members: dict[str, Symbol] = {}  # where functions are that have no symbol
        self._call_symbols: dict[
            str, Symbol
        ] = {}  # where functions are called, whatever their symbol

    def begin(self) -> None:
        """Forget what belongs to one example; see `Host.begin`."""
        super().begin()
        self.callback_arguments.clear()
        self._members.clear()
        self.makes_extra_objects = alone
        self.inside = None

    def offers(self, function: str) -> bool:
        """Return whether a function may be called, and can be."""
        described = self.registry.functions[function]
        return function in self.offered_api.functions and missing(described, self.exports) is None

    def call(self, function: str, **values: Value) -> Answer:
        """Make one call; every parameter is named.

        A function that HSA 1.1 renamed is called by its older name where only that one is offered.

        Raises:
            Ended: the process did not survive it.
            Unavailable: the library has no such function, or it is not to be called.

        """
        return self.call_with(function, values)

    def call_with(self, function: str, values: Mapping[str, Value]) -> Answer:
        """Make one call with the values in a mapping; see `call`."""
        return self._made(self.offered_api.newest(function), values)[0]

    def _made(self, function: str, values: Mapping[str, Value]) -> tuple[Answer, Outcome]:
        """Make a call; return its answer, and what the process said."""
        prepared = self._prepared(function, values)
        prepared.ends_loans = self.under_way is None
        prepared.overwrites = self.scratch.reuse is not Reuse.NONE
        inside = self.inside
        if inside is not None and any(isinstance(a.value, Callback) for a in prepared.arguments):
            self.inside, prepared.inside = None, inside[0]
            prepared.results = self.scratch.room_for(8 * len(inside[0]))
        self.count(function)
        for start, content in prepared.restored:
            self._tell(start, content)
        try:
            outcome = self._done(prepared)
        except Ended as end:
            self.ended = end
            action = actions.Call(function, prepared.events, None, address=prepared.event_address)
            if not end.returned or end.call == prepared.call:  # and no call before this one
                self.trace.note(prepared.words, f"{end.kind}: {end.detail}", action)
            raise
        callbacks = listed(prepared, outcome.callbacks, self.registry)
        answer = self._answer(
            prepared.function, prepared.outputs, outcome, prepared.numbers, callbacks
        )
        self.trace.note_later(lambda: as_step(prepared, answer))
        answer.step_count = self.trace.step_count
        if prepared.lent and prepared.ends_loans:
            answer.changed = self._taken_back(prepared, outcome)
        self._remember(answer)
        if self.observer is not None:
            self.observer(function, values)
        if function == "hsa_shut_down":
            self._count_threads()
        if prepared.inside and inside is not None:
            size = 8 * len(prepared.inside) if outcome.callbacks else 0
            found = self.process.read(prepared.results, size) or b""
            inside[1]([int.from_bytes(found[at : at + 4], "little") for at in range(0, size, 8)])
        return answer, outcome

    def make_inside(
        self,
        calls: Sequence[tuple[str, Mapping[str, Value]]],
        then: Callable[[Sequence[int]], None],
    ) -> None:
        """Let the callback of the next call that has one make calls each time that it is called.

        Args:
            calls: the functions that it calls, each with arguments.
            then: is called after that call; gets the results of these as they were the last time,
                none if the callback was not called.

        """
        self.inside = [self._prepared(name, values) for name, values in calls], then

    def _taken_back(self, prepared: PreparedCall, outcome: Outcome) -> Sequence[str]:
        """Note what was in memory that is overwritten now; return what had changed and must not."""
        changed = []
        found = outcome.reads[3 * len(prepared.outputs) :]
        for (parameter, lent), content in zip(prepared.lent.items(), found, strict=False):
            if content is not None and prepared.overwrites:
                self.scratch.lose(lent.start, content)
                self._tell(lent.start, OVERWRITTEN * lent.size)
            stays = prepared.function.parameter[parameter].stays
            if stays and lent.content not in (None, content):
                changed.append(parameter)
        return changed

    def _tell(self, start: int, content: bytes) -> None:
        """Tell what takes the place of memory that was lent, where a failure depends on it."""
        if self.scratch.reuse is not Reuse.TOLD:
            return
        place = recording.placed(start, self.symbols)
        action = actions.Write(recording.recorded(place), content, done=True)
        words = f"write {content.hex(' ')[:47]} at {text(place)}, which is the caller's again"
        self.trace.note_before_next(lambda: (words, "done", action))

    def count(self, function: str, calls: int = 1) -> None:
        """Count calls that are about to be made.

        Args:
            function: what the last of them calls.
            calls: how many they are.

        Raises:
            CallLimit: as many were made as were to be.

        """
        if self.most is not None and self.calls + calls > self.most:
            raise CallLimit(self.watch())
        self.calls += calls
        self.called = function

    @property
    def is_over(self) -> bool:
        """Return whether the process ended, of itself or because it was told to."""
        return self.ended is not None or self.was_told_to_end

    def watch(self) -> Ended | None:
        """Watch the process for a moment, and return how it ended, if it did."""
        try:
            self.process.settle(_MOMENT)
        except Ended as end:
            self.ended = end
            return end
        return None

    def _done(self, prepared: PreparedCall) -> Outcome:
        if self.meanwhile is None:
            return self.process.call(prepared.call)
        return self.meanwhile(prepared, lambda: self.process.call(prepared.call))

    def _count_threads(self) -> None:
        """Stop where a runtime that is shut down has left more threads behind than it may."""
        if self.model.references:
            return
        most = self.most_threads
        self.ends += 1
        if most is None:
            return
        # Each call may leave so many, and an example may start and end the runtime again and again.
        allowed = most * self.shut_downs
        left = self.process.threads(allowed)
        if left > allowed:
            threads = "1 thread" if left == 1 else f"{left} threads"
            raise LimitError(
                f"hsa_shut_down leaves {threads} behind, more than the {most} that --threads allows"
            )

    def set_up(self, function: str, **values: Value) -> Answer:
        """Make a call that only prepares what an example is about.

        Where it makes an object, the example may want another one to be there before.

        Raises:
            Blocked: it did not answer SUCCESS, did not write an output, or ends the process.

        """
        function = self.offered_api.newest(function)
        if function in self.rules.plural and self.makes_extra_objects():
            self._set_up(function, {**values, **self.rules.plural[function]})
        return self._set_up(function, values)

    def _set_up(self, function: str, values: Mapping[str, Value]) -> Answer:
        clause = f"{function}/success"
        if end := self.fatal.evidence(function):
            raise Blocked(clause, end.how, end=end, steps=self.trace.steps)
        try:
            answer = self.call_with(function, values)
        except Ended as end:
            if not (self.used_before or self.was_told_to_end):
                self.fatal.accuse(function, end)
            raise Blocked(clause, end.how, end=end, steps=self.trace.steps) from None
        self.fatal.clear(function)
        if not answer.ok:
            if answer.name == OUT_OF_RESOURCES and (living := self._living(function)) >= _MANY:
                raise ProvesNothing(
                    f"{function} answered {answer.name} with {living} living objects"
                )
            raise self.refusal(answer)
        for name in answer.unwritten():
            got = f"{answer.name} and did not write {name}"
            raise Blocked(clause, got, unwritten=name, steps=self.trace.steps)
        return answer

    def _living(self, function: str) -> int:
        """Return how many objects of the kinds that a function makes are there."""
        kinds = {rule.kind for rule in self.rules.clean_up if function in rule.makers}
        return sum(len(self.model.objects.get(kind, ())) for kind in kinds)

    def refusal(self, answer: Answer) -> Blocked:
        """Return the obstacle that a call which an example needs was refused."""
        # A callback is an argument that is not NULL.
        args = [answer.args.get(p.name, 1) for p in answer.function.params]
        return Blocked(
            f"{answer.function.name}/success",
            answer.name,
            refused=True,
            arguments=args,
            world=self.model,
            steps=self.trace.steps,
        )

    def _prepared(
        self, function: str, values: Mapping[str, Value], before: PreparedCall | None = None
    ) -> PreparedCall:
        subject = self.registry.functions[function]
        if lack := self.offered_api.lack(subject, values):
            reason = f"needs {lack}, which the implementation is not said to have"
            raise Unavailable(Verdict.UNTESTED, reason)
        member = self._call_symbols.get(function)
        if member is None and function not in self.exports:
            member = self.member(subject)
        return prepare(subject, values, self.registry, self.scratch, self.symbols, member, before)

    def member(self, function: Function) -> Symbol:
        """Return where a function is that the library does not export; asked for once an example.

        Raises:
            Unavailable: the library has no such function.

        """
        if symbol := missing(function, self.exports):
            raise Unavailable(Verdict.BLOCKED, f"{symbol}/exported: the symbol is missing")
        if function.name not in self._members:
            self._members[function.name] = address_of(self, function)
        return self._members[function.name]

    def _answer(
        self,
        subject: Function,
        names: Sequence[str],
        outcome: Outcome,
        numbers: Mapping[str, int],
        callbacks: tuple[tuple[int, ...], ...] | None = None,
    ) -> Answer:
        self.shut_downs += subject.name == "hsa_shut_down"
        callbacks = outcome.callbacks if callbacks is None else callbacks
        answer = answered(subject, names, outcome, numbers, callbacks, self.registry, self.trace)
        late = (call for call in outcome.callbacks if call not in callbacks)
        self.callback_arguments += [*callbacks, *late]
        return answer

    def _remember(self, answer: Answer) -> None:
        """Let the model remember what a successful call changed."""
        change = self.rules.transitions.get(answer.function.name)
        if change is not None and answer.ok and not answer.unwritten():
            change(self.model, answer)

    @contextmanager
    def reached(self, function: str, address: Symbol) -> Iterator[None]:
        """Call a function at an address meanwhile, and not by its symbol.

        Args:
            function: its name.
            address: where its code is, as the library says.

        """
        self._call_symbols[function] = address
        try:
            yield
        finally:
            del self._call_symbols[function]
