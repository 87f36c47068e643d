"""Objects that are made, used and given back, again and again, among others that stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NoReturn

from hsa_adapters.calls import Callback
from hsa_adapters.errors import Ended
from hsa_adapters.worker.resources.ledger import HEAP
from hsa_conformance.engine.calls.outcomes import Blocked, Inconsistent, ProvesNothing, Unavailable
from hsa_conformance.engine.calls.values import STATUS, Data, Value, numbers
from hsa_conformance.engine.checks.case import KEPT
from hsa_conformance.engine.checks.effects.leaks import LARGE, MAPPINGS
from hsa_conformance.engine.checks.growth import RunsOut, growth
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import of_success
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.generation.valid_calls import require_sure_success
from hsa_conformance.engine.generation.values.named_values import named_values
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.statuses import OUT_OF_RESOURCES, SUCCESS
from hsa_conformance.engine.session.clean_up import (
    Task,
    as_task,
    close_descriptors_since,
    giving_back_since,
    holdings,
)
from hsa_conformance.engine.session.model import Range
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.state_rules import CleanUp, StateRules
from hsa_spec import Function, Parameter
from hsa_spec.conditions import Atom
from hsa_spec.conditions.syntax import Apply

#: How many objects a round makes, each in another way, where they are not used, and where they are.
_WAYS: Final = 12
_USED: Final = 6
#: By how many bits alignments are larger than a page: up to 1 GiB.
_SHIFTS: Final = (1, 4, 9, 18)


@dataclass(frozen=True)
class _Call:
    """A call of a round, which is made again and again.

    Attributes:
        function: what is called.
        values: with what.
        takes: the parameter that gets the object; None for the call that makes it.
        needs: the calls that made what else it takes.
        makes: whether it makes something that is given back.

    """

    function: Function
    values: Mapping[str, Value]
    takes: str | None = None
    needs: Sequence[_Need] = ()
    makes: bool = False


@dataclass(frozen=True)
class _Need:
    """A call that made something which a use takes beside the object.

    Attributes:
        call: the call.
        tasks: the calls that give back what it made, with their arguments.

    """

    call: _Call
    tasks: Sequence[tuple[Any, ...]]


@dataclass(frozen=True)
class UsedObject:
    """An object of a round, or two of one source that live at one time.

    Attributes:
        way: the call that makes it.
        uses: those that it is used by.
        count: how often it is made before it is given back.

    """

    way: _Call
    uses: Sequence[_Call]
    count: int = 1


#: What a library may keep of its own for whatever stays, and how it happens to lie in memory.
_BOOKKEEPING: Final = (HEAP, MAPPINGS)


class AnotherTry(CannotMake):
    """A use turned out to be none that an object can be given back after; without it, it can."""


@dataclass(frozen=True)
class KindOfObject:
    """What is known of the objects that a function gives back.

    Args:
        repertoire: makes conditions hold.
        judge: knows what the registry says of a call.
        rules: says how objects are given back, and by whom they are made.
        back: the function that gives them back.
        rule: how it does.

    Attributes:
        unfit: the names of functions after which such an object cannot be given back.

    """

    repertoire: Repertoire
    judge: Judge
    rules: StateRules
    back: Function
    rule: CleanUp
    unfit: set[str] = field(default_factory=set)

    @cached_property
    def taken(self) -> str:
        """Return the parameter that is the object."""
        consumed = [p.name for p in self.back.params if p.ownership == "consumes"]
        return next(iter(consumed), self.rule.parameters[0])

    def creates(self, function: Function) -> bool:
        """Return whether a function makes something that has to be given back."""
        made = (name for rule in self.rules.clean_up for name in rule.makers)
        return function.name in made or any(p.ownership == "creates" for p in function.params)


class UsedObjects:
    """Objects that are made, used and given back, again and again, among others that stay.

    Args:
        kind: what is known of them.
        session: the process and what is known of it.
        draw: draws how the objects are made and used.
        maker: makes them.

    Attributes:
        lives: how each object of a round is made and used.

    """

    def __init__(self, kind: KindOfObject, session: Session, draw: Draw, maker: Function) -> None:
        self.kind = kind
        self.session = session
        self.draw = draw
        self.maker = maker
        self.judge = kind.judge
        self.repertoire = kind.repertoire
        self.crowded = False
        self.lives: list[UsedObject] = []
        self._last: _Call | None = None  # the use that was made last
        self._used = False  # whether any was made
        self._most = 0  # how many objects lived at one time
        self._renewed: dict[int, int] = {}  # what took the place of something, by what it was
        self._turns: dict[str, Sequence[int]] = {}  # the values of a parameter, in their order

    def prepare(self, functions: Sequence[Function], *, crowded: bool) -> None:
        """Make one round, and find out meanwhile how its calls can be made.

        Args:
            functions: what the objects are to be used by.
            crowded: whether another object of the kind lives beside those of the rounds, and
                whether those live at one time.

        Raises:
            CannotMake: no object can be made.

        """
        self.crowded = crowded
        with self._surviving():
            self._prepare(functions)
            if crowded and not functions:
                self._thin_out()
        if not self.lives and not functions:
            raise CannotMake(f"{self.maker.name} makes nothing that {self._back} takes")

    def _prepare(self, functions: Sequence[Function]) -> None:
        if self.crowded and (neighbour := self._way(0)) is not None:
            self._made(neighbour)
        order = Fixtures(self.session, self.draw).shuffled(functions)
        for turn in range(_USED if functions else _WAYS):
            if (way := self._way(turn)) is None:
                continue
            there = holdings(self.session)
            try:
                key = self._made(way)
            except RunsOut:
                raise
            except CannotMake:
                self._give_back(there)
                continue  # what may be refused is, or something is in the way
            uses = [use for f in order if (use := self._use(f, key)) is not None]
            for need in [need for use in uses for need in use.needs]:
                there.update(need.tasks)  # it stays
            self._give_back(there)
            if uses:
                with self.session.apart():
                    uses = self._repeatable(way, uses)
            if uses or not functions:
                count = 2 if self.crowded and self._twice(way) else 1
                self.lives.append(UsedObject(way, uses, count))

    def _thin_out(self) -> None:
        """Leave out objects until those of a round can live at one time."""
        while len(self.lives) > 1:
            there = holdings(self.session)
            try:
                self.again()
            except RunsOut:
                raise
            except CannotMake:
                self._give_back(there)
                self.lives = self.lives[: len(self.lives) // 2]
            else:
                return

    def _twice(self, way: _Call) -> bool:
        """Return whether a call makes another object while that of an equal call lives."""
        there = holdings(self.session)
        try:
            return bool(self._made(way) and self._made(way))
        except RunsOut:
            raise
        except CannotMake:
            return False
        finally:
            self._give_back(there)

    def _repeatable(self, way: _Call, uses: Sequence[_Call]) -> list[_Call]:
        """Return the uses that another object can be put to as well, one after the other."""
        found: list[_Call] = []
        there = holdings(self.session)
        key = self._made(way)
        for use in uses:
            with suppress(CannotMake):
                self._called(use, {use.takes or "": key})
                found.append(use)
        self._give_back(there)
        return found

    @property
    def _back(self) -> str:
        return self.kind.back.name

    @property
    def uses(self) -> Sequence[str]:
        """Return the names of the functions that use objects, in the order of their first use."""
        names = dict.fromkeys(use.function.name for life in self.lives for use in life.uses)
        return list(names)

    def leak(self) -> Mapping[str, int]:
        """Return what grows from round to round, and by how much."""
        return self.growing(self.lives)

    def used_by(self, names: Collection[str]) -> list[UsedObject]:
        """Return the objects of a round, used by none but these functions."""
        return [
            replace(life, uses=[use for use in life.uses if use.function.name in names])
            for life in self.lives
        ]

    def growing(self, lives: Sequence[UsedObject]) -> Mapping[str, int]:
        """Return what grows when such objects are made, used and given back again and again.

        Raises:
            RunsOut: the maker is refused, as nothing that is counted grows.

        """

        def work() -> None:
            with self.session.apart():
                self.once(lives)

        return growth(self.session.process, work)

    def kept_beside_new(self, one: UsedObject) -> Mapping[str, int]:
        """Return what is left of what an object took, where what it was used with stays.

        Half of it is enough: a library may take a thing of its own for each that it gives. More
        than it took is left by something else.
        """

        def prepare() -> None:
            with self.session.apart():
                self.renew(one)

        def work() -> None:
            with self.session.apart():
                self.once([self.renewed(one)])

        found = growth(self.session.process, work, prepare=prepare)
        if not found:
            return {}
        with self.session.apart():
            held, there = self.session.process.ledger(), holdings(self.session)
            self._made(one.way)
            now = self.session.process.ledger()
            self._give_back(there)
        took = {name: now[name] - held.get(name, 0) for name in now}
        return {
            name: count
            for name, count in found.items()
            if name not in _BOOKKEEPING and count <= took.get(name, 0) <= 2 * count
        }

    def renew(self, one: UsedObject) -> None:
        """Make what the uses of an object take beside it once more.

        Raises:
            CannotMake: it cannot be made.

        """
        self._renewed = {}
        for use in one.uses:
            for need in use.needs:
                there = holdings(self.session)
                self._called(self._current(need.call), {})
                new = [as_task(*task) for task in giving_back_since(self.session, there)]
                if [task[0] for task in new] != [task[0] for task in need.tasks]:
                    raise CannotMake(f"{need.call.function.name} does not make another one")
                for before, now in zip(need.tasks, new, strict=True):
                    self._renewed.update(zip(before[1:], now[1:], strict=True))

    def renewed(self, one: UsedObject) -> UsedObject:
        """Return an object that is used with what was made last."""
        return replace(one, uses=[self._current(use) for use in one.uses])

    def _current(self, call: _Call) -> _Call:
        values = {
            name: self._renewed.get(value, value) if isinstance(value, int) and value > 0 else value
            for name, value in call.values.items()
        }
        return replace(call, values=values)

    def again(self) -> None:
        """Make one more round."""
        with self.session.apart():
            self.once(self.lives)

    def once(self, lives: Sequence[UsedObject]) -> None:
        """Make one round.

        Raises:
            CannotMake: not every call can be made as before.

        """
        with self._surviving():
            for group in [lives] if self.crowded else [[life] for life in lives]:
                there = holdings(self.session)
                for life in (each for each in group for _ in range(each.count)):
                    key = self._made(life.way)
                    for use in life.uses:
                        self._called(use, {use.takes or "": key})
                self._give_back(there)

    @contextmanager
    def _surviving(self) -> Iterator[None]:
        """Leave out what other functions do to the process: it is for their checks to say.

        Raises:
            Ended: the process has ended, by no use.
            CannotMake: it has, by a use.

        """
        try:
            yield
        except Ended as end:
            ended = end.call.function if end.call else ""
            if ended == self._back or self._last is None:
                raise
            makers = {rule.function: rule.makers for rule in self.kind.rules.clean_up}
            self.kind.unfit.update((self._last.function.name, *makers.get(ended, ())))
            raise AnotherTry(f"{ended} ends the process") from None

    def _way(self, turn: int) -> _Call | None:
        """Draw a call that makes an object; None where what was drawn cannot be made.

        Args:
            turn: which of the objects of a round it is: each is of another kind.

        """
        session, maker, valid = self.session, self.maker, of_success(self.maker)
        builder = self.repertoire.begin(session, maker, self.draw)
        builder.goal = valid
        kinds = self._kinds(builder, turn)
        for name, value in kinds.items():
            builder.fix(name, value)
        # Memory of the program, which the suite has to lay out, is large once.
        session.least = LARGE if (self.draw(drawing.booleans()) if kinds else turn == 1) else 0
        try:
            self.repertoire.satisfy(builder, valid)
        except ProvesNothing:
            return None
        finally:
            session.least = 0
        for parameter in maker.params:
            before = builder.values[parameter.name]
            if isinstance(before, int) and (others := self._others(parameter, before)):
                builder.values[parameter.name] = builder.one_of([before, *others])
                if not self._may_succeed(builder):
                    builder.values[parameter.name] = before
        return _Call(maker, self._laid_out(builder))

    def _laid_out(self, builder: Builder) -> Mapping[str, Value]:
        """Return the arguments of a call, with the addresses of what is laid out for it."""
        return {
            name: self.session.lay_out(value) if isinstance(value, Data) else value
            for name, value in builder.values.items()
        }

    def _others(self, parameter: Parameter, value: int) -> Sequence[int]:
        """Return the other values that a parameter is tried with."""
        if parameter.role == "flags":
            return [*named_values(self.session, self.maker, parameter).values()]
        if parameter.role == "alignment":
            return [self.session.model.page_size << shift for shift in _SHIFTS]
        small = parameter.role == "size" and value < LARGE
        return [2 * value, 4 * value] if small else []

    def _kinds(self, builder: Builder, turn: int) -> Mapping[str, int]:
        """Return the objects of the machine that the object is made with when its turn comes."""
        found: dict[str, int] = {}
        for parameter in self.maker.params:
            name = parameter.name
            if parameter.direction != "in" or parameter.type not in self.repertoire.machine:
                continue
            if name not in self._turns:
                handles = [t.handle for t in self.repertoire.machine[parameter.type](builder)]
                self._turns[name] = builder.shuffled(builder.suiting(name, handles))
            if options := self._turns[name]:
                found[name] = options[turn % len(options)]
        return found

    def _may_succeed(self, builder: Builder) -> bool:
        try:
            expected = self.judge.expect(builder.function, self.session.model, builder.raw())
        except ProvesNothing:
            return False
        return not expected.undefined and SUCCESS in expected.allowed

    def _made(self, way: _Call) -> int:
        """Make an object, and return what it is given back by.

        Raises:
            CannotMake: it is not made.

        """
        there = holdings(self.session)
        self._last = None
        self._called(way, {})
        for function, arguments in giving_back_since(self.session, there):
            if function == self._back:
                return arguments[self.kind.taken]
        raise CannotMake(f"{self.maker.name} makes nothing that {self._back} takes")

    def _use(self, function: Function, key: int) -> _Call | None:
        """Let a function take the object; return the call, None where it cannot.

        Raises:
            CannotMake: the object cannot be given back as before after that.

        """
        kind = self.kind.back.parameter[self.kind.taken]
        lasting = self.session.model.lasting
        for parameter in function.params:
            if not takes(function, parameter, kind):
                continue
            try:
                with self._watched() as needs:
                    builder = self._with(function, parameter.name, key)
                there = holdings(self.session)
                use = _Call(function, self._laid_out(builder), parameter.name, needs)
                self._called(use, {})
                use = replace(use, makes=bool(holdings(self.session) - there))
            except Ended:
                self._leave_out(function)
            except (ProvesNothing, Unavailable, Blocked, Inconsistent):
                if self.session.is_over:
                    self._leave_out(function)
                continue
            if self.session.model.lasting and not lasting:
                self._leave_out(function)
            if not use.makes and self.kind.creates(function):
                continue  # nobody knows how what it makes of this object is destroyed
            return use
        return None

    @contextmanager
    def _watched(self) -> Iterator[list[_Need]]:
        """Give the calls meanwhile that make something, as they come."""
        needs: list[_Need] = []
        there = holdings(self.session)

        def look(function: str, values: Mapping[str, Value]) -> None:
            nonlocal there
            new = [as_task(*task) for task in giving_back_since(self.session, there)]
            call = _Call(self.session.registry.functions[function], dict(values))
            needs.extend([_Need(call, new)] if new else [])
            there = holdings(self.session)

        before, self.session.observer = self.session.observer, look
        try:
            yield needs
        finally:
            self.session.observer = before

    def _leave_out(self, function: Function) -> NoReturn:
        self.kind.unfit.add(function.name)
        raise AnotherTry(f"after {function.name} nothing is as before") from None

    def _with(self, function: Function, name: str, key: int) -> Builder:
        """Return a call of a function that takes the object as a parameter.

        Raises:
            CannotMake: it cannot.

        """
        builder = self.repertoire.begin(self.session, function, self.draw)
        builder.fix(name, key)
        valid = of_success(function)
        for parameter in function.params:
            value = builder.values[parameter.name]
            if isinstance(value, Callback) and value.allocate:
                if not parameter.nullable:
                    raise CannotMake("its callback allocates memory of the program")
                builder.values[parameter.name] = 0
        thing, kinds = (
            self.session.model.find(self.kind.rule.kind, key),
            _told_kinds(function, name),
        )
        if isinstance(thing, Range) and not all(map(builder.surely_holds, kinds)):
            for parameter in function.params:
                if any(atom.arguments == {name, parameter.name} for atom in kinds):
                    builder.values[parameter.name] = int(thing.size)
        if not all(map(builder.surely_holds, kinds)):
            raise CannotMake(f"{function.name} takes another kind of thing")
        self.repertoire.satisfy(builder, valid)
        return builder

    def _called(self, call: _Call, other: Mapping[str, int]) -> None:
        """Make a call, with another object than before.

        Raises:
            CannotMake: it does not succeed, or no text says that it has to.

        """
        values = {**call.values, **other}
        if call.takes is not None:
            arguments = numbers(call.function, values)
            require_sure_success(self.judge, self.session, call.function, arguments)
            self._last = call
        self.session.expected = None
        answer = self.session.call_with(call.function.name, values)
        self._used |= call.takes is not None
        if call.takes is None and call.function.name == self.maker.name:
            living = len(self.session.model.objects.get(self.kind.rule.kind, ()))
            if answer.name == OUT_OF_RESOURCES and living < self._most and not self._used:
                raise RunsOut(call.function.name)
            self._most = max(self._most, living if answer.ok else 0)
        if not answer.ok:
            raise CannotMake(f"{call.function.name} does not succeed each time")

    # what is there

    def _give_back(self, there: Counter[Task]) -> None:
        """Give back what was not there before.

        Of what lives at one time, that which was made first goes first: clean-up does the opposite.

        Raises:
            CannotMake: it is not taken, or no text says that it has to be.

        """
        session = self.session
        for name, arguments in giving_back_since(session, there, oldest_first=self.crowded):
            function = session.registry.functions[name]
            if function.result == STATUS:
                numbered = [arguments.get(p.name, 1) for p in function.params]
                require_sure_success(self.judge, self.session, function, numbered)
            session.expected = None
            with self._own_file(name):
                taken = session.call(name, **arguments).ok
            if not taken:
                raise CannotMake(f"{name} does not take back what was made")
        close_descriptors_since(session, there)

    @contextmanager
    def _own_file(self, function: str) -> Iterator[None]:
        """Keep a file open meanwhile, which has the number of one that was closed before.

        Raises:
            Violation: the function closes it, as a library does that closes a file twice.

        """
        process = self.session.process
        file = process.open_file(0, b"", readable=True)
        yield
        clause = self.session.registry.clauses.get(f"{function}/{KEPT}")
        if file not in process.descriptors() and clause is not None:
            summary = f"{function} closes a file of its caller"
            raise breach(clause, summary, f"descriptor {file} closed", {}, stated=False)
        process.close_descriptor(file)


def takes(function: Function, parameter: Parameter, kind: Parameter) -> bool:
    """Return whether a parameter can be an object that another one is.

    An address has to be one of some kind of memory: what the text only wants not to be NULL is read
    or written, which other objects need not bear.
    """
    if parameter.direction != "in" or parameter.role != kind.role:
        return False
    if kind.role == "address" and not _told_kinds(function, parameter.name):
        return False
    return parameter.type.removeprefix("const ") == kind.type


def _told_kinds(function: Function, name: str) -> Sequence[Atom]:
    """Return what a text says of the kind of thing that a parameter has to be, with its size."""
    sizes = {p.name for p in function.params if p.role in ("size", "count")}
    return [
        atom
        for atom in of_success(function)
        if name in atom.arguments <= {name, *sizes} and isinstance(atom.node, Apply)
    ]
