"""The functions of the API with checks around them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from hsa_reference import checks
from hsa_reference.checking import lifetimes
from hsa_reference.checking.call_checks import CHANGES, WAITS, CallChecks, Context
from hsa_reference.checking.doorbells import Doorbells
from hsa_reference.checking.ledger import Ledger
from hsa_reference.checking.plans import Plan
from hsa_reference.checking.report import Mistake, Report, named
from hsa_reference.checking.stacks import Stacks
from hsa_reference.checking.world import LedgerWorld, StateWorld
from hsa_reference.state import State
from hsa_spec import Function, Registry
from hsa_spec.releases import Release

Call = Callable[..., int]

_LOCK = threading.RLock()
# A thread that forks while another one holds the lock would leave the child with a lock that
# nobody gives back.
os.register_at_fork(
    before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
)


class Checker:
    """Checks the calls of one client.

    Args:
        registry: the specification.
        state: what the implementation knows, None where it cannot be asked.
        report: where mistakes go.
        watch: is told the signals whose changes matter, and which do so no more.
        release: what the implementation says that it is, by default what the reference does.

    """

    def __init__(
        self,
        registry: Registry,
        state: State | None = None,
        report: Report | None = None,
        watch: Callable[[int, bool], None] = lambda _signal, _on: None,
        release: Release | None = None,
    ) -> None:
        ledger = Ledger()
        self.context = Context(
            registry,
            release or checks.release(),
            ledger,
            Doorbells(ledger, watch),
            LedgerWorld(ledger) if state is None else StateWorld(state),
            report or Report(),
            Stacks(),
            lifetimes.tracked(registry),
            self.end,
        )

    def checked(self, name: str, original: Call) -> Call:
        """Return a function of the API with the checks around it, or as it is if none fits.

        Args:
            name: of the function.
            original: what makes the call, with raw integers.

        """
        function = self.context.registry.functions[name]
        if CHANGES.fullmatch(name):
            return _named(name, self._change(function, original))
        if function.result != "hsa_status_t" and name not in WAITS:
            return original
        plan = Plan.of(function, self.context.registry, self.context.release)

        def call(*args: int) -> int:
            made = CallChecks(self.context, plan, args)
            guarded(made.before)
            answer = original(*args)
            guarded(made.after, answer)
            return answer

        def guarded(check: Callable[..., None], *values: int) -> None:
            try:
                with _LOCK:
                    check(*values)
            except Exception as error:  # a client must not notice that it is checked
                self.context.report.defect(name, error)

        return _named(name, call)

    def end(self) -> None:
        """Say what was left, as the last hsa_shut_down does, and forget everything."""
        with _LOCK:
            for thing in self.context.ledger:
                if thing.kind != "mapping" and thing.process == os.getpid():
                    what = f"left at shut down: {named(thing)} was never given back"
                    self.context.report.say(Mistake(thing.creation, what))
            self.context.report.end()
            self.context.doorbells.clear()
            self.context.ledger.clear()

    def _change(self, function: Function, original: Call) -> Call:
        plan = Plan.of(function, self.context.registry, self.context.release)

        def call(*args: int) -> int:
            try:
                with _LOCK:
                    CallChecks(self.context, plan, args).changes()
            except Exception as error:  # as above
                self.context.report.defect(function.name, error)
            return original(*args)

        return call


def _named(name: str, call: Call) -> Call:
    call.__name__ = call.__qualname__ = name
    return call
