"""One runtime of one process: every function of the API, with raw integers in and out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from weakref import WeakValueDictionary

from hsa_reference.checks import argument_check
from hsa_reference.code import Code
from hsa_reference.effects import LOCK, Effect, needs_lock
from hsa_reference.kernels import Executor, load_kernels
from hsa_reference.machine import Machine
from hsa_reference.modelling import DEFAULT, load_machine
from hsa_reference.state import State
from hsa_reference.status import Answer
from hsa_reference.topics import effects, parts
from hsa_spec import Function, Registry, Strength, load
from hsa_spec.evaluation import compile_clause

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
            variable HSA_REFERENCE_KERNELS names; without it no kernel can be dispatched.

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
    ) -> None:
        self.registry = registry or load()
        self.machine = machine or load_machine(
            os.environ.get(MACHINE_VARIABLE, DEFAULT), self.registry
        )
        # Weak, so that the state of a runtime that nobody holds does not hold its own functions.
        named: WeakValueDictionary[str, Callable[..., int]] = WeakValueDictionary()
        if executors is None:
            file = os.environ.get(KERNELS_VARIABLE)
            executors = [load_kernels(Path(file))] if file else []
        code = Code(named, self.registry)
        self.state = State(self.machine, self.registry, parts(), code, executors)
        functions = {
            name: _bind(self.state, self.registry.functions[name], effect)
            for name, effect in effects().items()
        }
        if os.environ.get(CHECK_VARIABLE, "0") not in ("", "0"):
            functions = _checked(self.state, functions)
        self._functions = MappingProxyType(functions)
        named.update(self._functions)

    def functions(self) -> Mapping[str, Callable[..., int]]:
        """Return the functions by name. Arguments and results are raw integers, as in C."""
        return self._functions


def _checked(
    state: State, functions: Mapping[str, Callable[..., int]]
) -> dict[str, Callable[..., int]]:
    from hsa_reference.checking import Checker

    checker = Checker(state.registry, state)
    return {name: checker.checked(name, function) for name, function in functions.items()}


def _bind(state: State, function: Function, effect: Effect) -> Callable[..., int]:
    registry, check = state.registry, argument_check(function, state.registry)
    values: dict[Answer, int] = {s: registry.status(s) for c in function.clauses for s in c.status}
    undefined = [
        compile_clause(c, function)
        for c in function.clauses
        if c.strength is Strength.UNDEFINED and c.when
    ]

    def call(*args: int) -> int:
        error = check(state, args)
        if error is not None:
            return error
        answer = effect(state, *args)
        try:
            return values[answer]
        except KeyError:
            if isinstance(answer, int):
                return answer
            if any(holds(state, args) for holds in undefined):
                return registry.status(answer)
            raise AnswerError(function.name, answer) from None

    def call_alone(*args: int) -> int:
        with LOCK:
            return call(*args)

    bound = call_alone if needs_lock(effect) else call
    bound.__name__ = bound.__qualname__ = function.name
    return bound
