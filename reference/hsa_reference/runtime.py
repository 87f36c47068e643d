"""One runtime of one process: every function of the API, with raw integers in and out."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hsa_reference.checks import argument_check
from hsa_reference.code import Code
from hsa_reference.effects import LOCK, Effect, needs_lock
from hsa_reference.kernels import DeviceExecutor, Executor, lacking, load_kernels
from hsa_reference.machine import Machine
from hsa_reference.modelling import DEFAULT, load_machine
from hsa_reference.state import State
from hsa_reference.status import OUT_OF_RESOURCES
from hsa_reference.topics import effects, parts
from hsa_spec import Function, Registry, Strength, load
from hsa_spec.evaluation import compile_clause

if TYPE_CHECKING:
    from hsa_reference.checking import Checker

MACHINE_VARIABLE = "HSA_REFERENCE_MACHINE"
#: Set, and not to 0, it has each call of a client checked.
CHECK_VARIABLE = "HSA_REFERENCE_CHECK"
KERNELS_VARIABLE = "HSA_REFERENCE_KERNELS"


class AnswerError(RuntimeError):
    """Hand-written code answered with a status that no clause gives, though one applies."""

    def __init__(self, function: str, status: str) -> None:
        super().__init__(
            f"{function} answered {status}, which none of its clauses gives; add the clause or "
            "correct the function"
        )


class Runtime:
    """A runtime.

    Args:
        machine: the machine that it models, by default the one that the environment variable
            HSA_REFERENCE_MACHINE names (or the path of its file), else two_gpus.
        registry: the specification that it follows, by default the one of hsa_spec.
        executors: what runs kernels, by default the host for those of the file that the environment
            variable HSA_REFERENCE_KERNELS names; without it the device in software.
        entries: addresses of code that calls its functions, by their names, for tables of
            functions; the code of others is made.

    Raises:
        MachineError: the machine's file breaks a rule.
        KernelsError: the file of kernels does, or names what cannot be loaded.
        NativeError: there is no C compiler for the atomic operations, or it fails.

    """

    def __init__(
        self,
        machine: Machine | None = None,
        registry: Registry | None = None,
        executors: Sequence[Executor] | None = None,
        entries: Mapping[str, int] | None = None,
    ) -> None:
        self.registry = registry or load()
        self.machine = machine or load_machine(
            os.environ.get(MACHINE_VARIABLE, DEFAULT), self.registry
        )
        self._functions = _Functions()
        # Weak, so that the state of a runtime that nobody holds does not hold its own functions.
        code = Code(weakref.proxy(self._functions), self.registry, entries or {})
        if executors is None:
            file = os.environ.get(KERNELS_VARIABLE)
            executors = [load_kernels(Path(file)) if file else DeviceExecutor()]
        self.state = State(self.machine, self.registry, parts(), code, executors)
        self._functions.state = self.state
        if os.environ.get(CHECK_VARIABLE, "0") not in ("", "0"):
            from hsa_reference.checking import Checker

            self._functions.checker = Checker(self.registry, self.state)

    def executes_code(self) -> bool:
        """Return whether kernels that are the code of each of its GPUs can run here."""
        first = [a.isas[0].name for a in self.machine.agents if a.device == "gpu" and a.isas]
        processors = [n.removeprefix(self.machine.isa_prefix).partition(":")[0] for n in first]
        return not os.environ.get(KERNELS_VARIABLE) and not any(map(lacking, processors))

    def functions(self) -> Mapping[str, Callable[..., int]]:
        """Return the functions by name. Arguments and results are raw integers, as in C."""
        return self._functions


class _Functions(Mapping[str, Callable[..., int]]):
    """The functions of a runtime; each is put together when it is first asked for.

    Attributes:
        state: of the runtime.
        checker: what says what a client does wrong, if anything does.

    """

    state: State
    checker: Checker | None = None

    def __init__(self) -> None:
        self._effects = effects()
        self._bindings: dict[str, Callable[..., int]] = {}

    def holdings(self) -> Mapping[str, int]:
        """Return how much the runtime holds, by what one of it is called."""
        return self.state.holdings()

    def __getitem__(self, name: str) -> Callable[..., int]:
        """Return a function, which stays the same."""
        found = self._bindings.get(name)
        if found is None:
            made = _bind(self.state, self.state.registry.functions[name], self._effects[name])
            if self.checker:
                made = self.checker.checked(name, made)
            found = self._bindings.setdefault(name, made)  # another thread may have been faster
        return found

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a function."""
        return name in self._effects

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the functions."""
        return iter(self._effects)

    def __len__(self) -> int:
        """Return how many functions there are."""
        return len(self._effects)


def _bind(state: State, function: Function, effect: Effect) -> Callable[..., int]:
    registry = state.registry
    check = argument_check(function, registry, state.machine.waived)
    # What every function may answer that is refused something: hsa.h gives it this meaning.
    answers = function.answers | {OUT_OF_RESOURCES}

    def refused(args: Sequence[int]) -> int | None:
        with LOCK:  # what one condition has found, the next one finds, too
            return check(state, args)

    def call(*args: int) -> int:
        error = refused(args)
        if error is not None:
            return error
        try:
            answer = effect(state, *args)
        except KeyError as missing:
            # Another thread may have destroyed, since the check, what an argument names.
            gone = None if set(missing.args).isdisjoint(args) else refused(args)
            if gone is None:
                raise
            return gone
        if isinstance(answer, int):
            return answer
        if answer in answers or _is_undefined(function, state, args):
            return registry.status(answer)
        raise AnswerError(function.name, answer)

    def call_alone(*args: int) -> int:
        with LOCK:
            return call(*args)

    bound = call_alone if needs_lock(effect) else call
    bound.__name__ = bound.__qualname__ = function.name
    return bound


def _is_undefined(function: Function, state: State, args: Sequence[int]) -> bool:
    """Return whether a clause leaves open what a call does."""
    return any(
        compile_clause(clause, function)(state, args)
        for clause in function.clauses
        if clause.strength is Strength.UNDEFINED
    )
