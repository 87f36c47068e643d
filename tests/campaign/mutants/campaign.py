"""Runs the suite on mutants, and says whether it names the function that is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from random import Random

from hsa_adapters.protocol import Adapter
from hsa_conformance.engine.generation.atoms import before_init
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.topics import TOPICS
from hsa_reports import Result, Verdict
from hsa_spec import Clause, Function, Kind, Registry, Strength
from hsa_spec.releases import Release
from tests.campaign.mutants import mutant as mutants
from tests.campaign.mutants.broken_adapter import BrokenAdapter
from tests.campaign.mutants.drawing import Drawing
from tests.campaign.mutants.history import LASTING
from tests.campaign.mutants.idle_effects import IDLE
from tests.campaign.mutants.mutant import Fault, Mutant
from tests.campaign.mutants.pointers import Pointers
from tests.wrong.blame import Blame, blame
from tests.wrong.drawing import draw
from tests.wrong.fates import Fate, Mistake, Outcome

_PAGE = 4096
_SUCCESS = "HSA_STATUS_SUCCESS"
#: Effects that are judged by something else than what a success leads to.
OTHERWISE = ("failure-", "threads", "driver-refuses")
#: Every kind of mutants.
ALL = tuple(mutants.Kind)


class Campaign:
    """Judges mutants of one implementation.

    Args:
        adapter: the implementation, not started.
        registry: the specification.
        seed: of the suite's examples.

    Attributes:
        silent_calls: how many mutants were not drawn, because no clause speaks of such memory.

    Raises:
        AdapterError: the implementation cannot be started.

    """

    def __init__(self, adapter: Adapter, registry: Registry, seed: int = 0) -> None:
        self.adapter = adapter
        self.registry = registry
        self.settings = Settings(seed=seed)
        self._subject = adapter.start()
        self._runs: dict[str, Run] = {}
        self._runner = self._started(None)
        self.silent_calls = 0

    def close(self) -> None:
        """End every process."""
        self._runner.close()
        self.adapter.close()

    @property
    def release(self) -> Release:
        """Return the release of the implementation."""
        return self._runner.release

    def draw(self, seed: int, kinds: Sequence[mutants.Kind] = ALL) -> Iterator[Mutant]:
        """Yield mutants of the functions that can be called here, each function in its turn."""
        functions = [f for f in self.registry.functions.values() if self._clauses(f)]
        mutants = (m for kind in kinds for f in functions for m in self.drawing.of(f, kind))
        return draw(mutants, lambda m: (m.kind, m.function), Random(seed), self.suits)

    @cached_property
    def _stated(self) -> Mapping[tuple[str, str, str], Sequence[Sequence[Clause]]]:
        """Return what clauses say of kinds of memory, by function, parameter and kind.

        Each row is of one call: the clauses that hold for it.
        """
        found: dict[tuple[str, str, str], list[Sequence[Clause]]] = {}
        with self._runner.pool.session(initialised=True, fresh=True) as session:
            pointers = Pointers(session)
            for function in self.registry.functions.values():
                for parameter, kind, holding in pointers.stated(function):
                    found.setdefault((function.name, parameter, kind), []).append(holding)
        return found

    @cached_property
    def drawing(self) -> Drawing:
        """Return what knows the mutants of each function."""
        with self._runner.pool.session(initialised=True) as session:
            model = session.model
        return Drawing(self.registry, self.release, model, sorted({_PAGE, model.unit}))

    def judge(self, mutant: Mutant, *, topic: bool = True) -> Fate:
        """Run the clauses of a mutant's function until the function is blamed.

        Args:
            mutant: the mutant.
            topic: whether those of its topic come next, where they call it.

        """
        function = self.registry.functions[mutant.function]
        of_topic = self.registry.of_topic(function.topic) if topic else ()
        others = (f for f in of_topic if f is not function)
        name = f"value-mutants, {self.adapter.name}"
        mistake = Mistake(name, mutant.kind, f"{mutant}", {mutant.function})
        wrong: dict[str, str] = {}
        with closing(self._started(mutant)) as runner:
            for each in (function, *others):
                weaker = None
                for found in self._blames(runner, each, mutant.function):
                    if found.clause.partition("/")[0] != function.name:
                        wrong[found.clause] = found.verdict
                    elif found.how is Outcome.BLAMED:
                        return mistake.fate(found.how, {found.clause: found.verdict})
                    else:
                        weaker = weaker or found
                if weaker is not None:
                    return mistake.fate(weaker.how, {weaker.clause: weaker.verdict})
            why = _why(_adapter(runner).hits, wrong)
        return mistake.fate(Outcome.SURVIVED, others=dict(sorted(wrong.items())), why=why)

    def _blames(self, runner: Runner, function: Function, called: str) -> Iterator[Blame]:
        """Yield what those clauses come to that call a function, and do not on the library itself.

        Args:
            runner: of the mutant.
            function: whose clauses.
            called: the function that is called.

        """
        runs = [self._unbroken(clause) for clause in self._clauses(function)]
        known = {b for run in runs for r in run.results if (b := blame(r))}
        for clause, run in zip(self._clauses(function), runs, strict=True):
            if called not in run.called:
                continue
            for result in self._results(runner, clause):
                found = blame(result)
                if found is not None and found not in known:
                    yield found

    def _unbroken(self, clause: Clause) -> Run:
        """Return what a clause comes to on the library itself."""
        if clause.id not in self._runs:
            _adapter(self._runner).called.clear()
            results = self._results(self._runner, clause)
            self._runs[clause.id] = Run(results, frozenset(_adapter(self._runner).called))
        return self._runs[clause.id]

    @staticmethod
    def _results(runner: Runner, clause: Clause) -> Sequence[Result]:
        return [*runner.run(clause, explained=lambda _: True), *runner.starts()]

    def _started(self, mutant: Mutant | None) -> Runner:
        broken = BrokenAdapter(self.adapter, self._subject, self.registry, mutant)
        return Runner(broken, self.registry, TOPICS, self.settings)

    def _clauses(self, function: Function) -> Sequence[Clause]:
        """Return the clauses of a function that can be judged, none where no call reaches it."""
        unjudged = self._runner.applicability.exclusion
        found = [c for c in function.clauses if c.kind is not Kind.EXPORT and not unjudged(c)]
        return found if any(not before_init(c) for c in found) else ()

    def suits(self, mutant: Mutant) -> bool:
        """Return whether there is a call on the library itself that the mutation can spoil."""
        function = self.registry.functions[mutant.function]
        if mutant.kind is mutants.Kind.POINTER and not self._speaks_of(mutant):
            self.silent_calls += 1
            return False
        if mutant.kind is mutants.Kind.ELEMENT and not self._takes_several(function, mutant):
            return False
        if mutant.fault is Fault.ACCEPTED:
            of_value = mutant.kind is mutants.Kind.VALUE
            asked = function, mutant.parameter, mutant.value
            refusing = self.drawing.refusing(*asked) if of_value else _refusals(function)
            return any(self._holds(c) and not self._fails(c) for c in refusing)
        if function.success and not self._holds(function.success):
            return False
        if mutant.fault is Fault.CUT and not self._uses(function, mutant):
            return False
        if mutant.fault is Fault.UNDONE and not self._shows(function):
            return False
        given_back = any(p.ownership == "consumes" for p in function.params)
        other = mutant.fault is Fault.CHANGED or (mutant.fault is Fault.FIRST and not given_back)
        if other and not any(self._effects(function)):
            return False
        if mutant.fault is Fault.REFUSED and self._is_refused(function):
            return False
        if mutant.kind is mutants.Kind.VALUE and function.success:
            pin = mutant.parameter, mutant.name
            results = self._unbroken(function.success).results
            came = {t.outcome for r in results for t in r.values if (t.axis, t.value) == pin}
            return not came or bool(came - {"lacking", "failed"})
        if mutant.name in LASTING:
            return _adapter(self._runner).most[mutant.name] > 1
        return True

    def _takes_several(self, function: Function, mutant: Mutant) -> bool:
        """Return whether the library takes lists with more than one element, as far as is tried."""
        lists = {p.name for p in function.params if p.length == mutant.parameter}
        allowing = (c for c in self._clauses(function) if _SUCCESS in c.status)
        results = (r for clause in allowing for r in self._unbroken(clause).results)
        tried = {(t.value, t.outcome) for r in results for t in r.values if t.axis in lists}
        several = {outcome for value, outcome in tried if not value.startswith(("no ", "1 "))}
        return not several or "judged" in several

    def _uses(self, function: Function, mutant: Mutant) -> bool:
        """Return whether it shows that the library goes by a size above the one it is cut to.

        It does not where the library takes what it has to refuse for it, where no clause says what
        comes of it, or where it is room for an answer that is never as long.
        """
        about = [
            c
            for c in _refusals(function)
            if c in self._clauses(function) and any(mutant.parameter in a.arguments for a in c.when)
        ]
        if any(self._fails(c) for c in about):
            return False
        if not any(self._holds(c) for c in about) and not any(self._effects(function)):
            return False
        longest = _adapter(self._runner).longest[function.name]
        return not 0 < longest <= mutant.value

    def _speaks_of(self, mutant: Mutant) -> bool:
        """Return whether a clause says what comes of memory that a mutant is wrong for.

        What conditions leave open, the values say that the suite tries success with.
        """
        calls = self._stated.get((mutant.function, mutant.parameter, mutant.name), ())
        if any(self._is_wrong(mutant, holding) for holding in calls):
            return True
        success = self.registry.functions[mutant.function].success
        results = self._unbroken(success).results if success else ()
        pin = f"memory of {mutant.parameter}", mutant.name
        return any(
            (t.axis, t.value) == pin and t.outcome == "judged" for r in results for t in r.values
        )

    def _is_wrong(self, mutant: Mutant, holding: Sequence[Clause]) -> bool:
        """Return whether a mutant's answer breaks what the library itself keeps to.

        Args:
            mutant: is wrong for a kind of memory.
            holding: the clauses that hold for a call with it; none: that it succeeds.

        """
        if not holding or any(c.is_success for c in holding):
            return True
        if mutant.fault is Fault.UNDONE and any(_SUCCESS in c.status for c in holding):
            return False
        return not all(self._fails(c) for c in holding)

    def _is_refused(self, function: Function) -> bool:
        """Return whether the library refuses what has to succeed, and nobody can say when."""
        success = self._unbroken(function.success).results if function.success else ()
        return any(blame(r) and r.check == "satisfied" and r.value is None for r in success)

    def _shows(self, function: Function) -> bool:
        """Return whether a success can be told from nothing: it has an output, or an effect."""
        return any(p.direction != "in" for p in function.params) or any(self._effects(function))

    def _effects(self, function: Function) -> Iterator[Clause]:
        """Yield what the library is seen to do when a call succeeds."""
        effects = (
            c
            for c in self._clauses(function)
            if c.kind is Kind.EFFECT and c.strength is not Strength.OBSERVED  # it binds nobody
        )
        shown = (c for c in effects if not c.slug.startswith(OTHERWISE) and c.id not in IDLE)
        return (c for c in shown if self._holds(c))

    def _holds(self, clause: Clause) -> bool:
        """Return whether a clause is judged on the library itself, and not broken altogether."""
        results = self._unbroken(clause).results if clause in self._clauses_of(clause) else ()
        return any(r.verdict in (Verdict.PASS, Verdict.IMITATED) for r in results)

    def _fails(self, clause: Clause) -> bool:
        """Return whether the library itself breaks a clause, be it for some input only."""
        return any(blame(r) for r in self._unbroken(clause).results)

    def _clauses_of(self, clause: Clause) -> Sequence[Clause]:
        return self._clauses(self.registry.functions[clause.function])


@dataclass(frozen=True)
class Run:
    """What a clause comes to on the library itself, and which functions are called for it."""

    results: Sequence[Result]
    called: frozenset[str]


def _why(hits: int, wrong: Collection[str]) -> str:
    """Return why a mutant survived that many calls, as far as a program can tell."""
    if not hits:
        return "never called so"
    return f"{'others blamed' if wrong else 'not noticed'}, {hits} calls"


def _refusals(function: Function) -> Sequence[Clause]:
    """Return the clauses by which a call has to be refused."""
    demanded = [c for c in function.clauses if c.strength in (Strength.MUST, Strength.SHOULD)]
    return [c for c in demanded if c.status and _SUCCESS not in c.status and not c.open]


def _adapter(runner: Runner) -> BrokenAdapter:
    adapter = runner.pool.adapter
    assert isinstance(adapter, BrokenAdapter)
    return adapter
