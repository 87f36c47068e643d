"""The tests of executables over small Python functions, honest ones and ones with a fault."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from hsa_adapters import InProcessAdapter
from hsa_adapters.calls import Call, Outcome
from hsa_conformance import subjects
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.generation.drawing import Sampler
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.topics import TOPICS
from hsa_conformance.topics.core.executables.fixtures import LOAD, half_defined
from hsa_reference import Runtime
from hsa_spec import Registry
from tests.wrong.inside import results

ARGUMENT, EXECUTABLE, FROZEN, DEFINED, UNDEFINED = 0x1001, 0x1011, 0x1012, 0x1014, 0x1015
PREFIX = "hsa_executable_"
CLAUSES = (
    "create_alt/unfrozen",
    "freeze/is-frozen",
    "global_variable_define/defined-once",
    "get_info/value-size",
)

Functions = dict[str, Callable[..., int]]


def _put(address: int, value: int, kind: Any = ctypes.c_uint64) -> None:
    kind.from_address(address).value = value


class Executables:
    """Executables with variables of the whole program; `fault` names what is done wrong."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.live: dict[int, dict[bytes, int]] = {}
        self.frozen: set[int] = set()
        self.count = 0

    def create(self, profile: int, rounding: int, _: int, out: int) -> int:
        if not out or profile > 1 or rounding > 2:
            return ARGUMENT
        self.count += 16
        self.live[self.count] = {}
        _put(out, self.count)
        return 0

    def destroy(self, handle: int) -> int:
        return EXECUTABLE if self.live.pop(handle, None) is None else 0

    def freeze(self, handle: int, _: int) -> int:
        if handle not in self.live:
            return EXECUTABLE
        if handle in self.frozen:
            return FROZEN
        if self.fault != "freezes nothing":
            self.frozen.add(handle)
        return 0

    def info(self, handle: int, attribute: int, out: int) -> int:
        if handle not in self.live or not out or attribute not in (1, 2, 3):
            return EXECUTABLE if handle not in self.live else ARGUMENT
        wide = ctypes.c_uint64 if self.fault == "writes too much" else ctypes.c_uint32
        _put(out, {1: 0, 2: int(handle in self.frozen), 3: 2}[attribute], wide)
        return 0

    def define(self, handle: int, name: int, address: int) -> int:
        if handle not in self.live or not name or not address:
            return EXECUTABLE if handle not in self.live else ARGUMENT
        key = ctypes.string_at(name)
        if handle in self.frozen:
            return FROZEN
        if key in self.live[handle] and self.fault != "defines again":
            return DEFINED
        self.count += 16
        self.live[handle][key] = self.count
        return 0

    def functions(self) -> Functions:
        return {
            "create_alt": self.create,
            "destroy": self.destroy,
            "freeze": self.freeze,
            "get_info": self.info,
            "global_variable_define": self.define,
        }


def _run(registry: Registry, *clauses: str, fault: str = "") -> Mapping[str, set[str]]:
    def make() -> Functions:
        fakes = Executables(fault).functions()
        return {
            **Runtime(registry=registry).functions(),
            **{PREFIX + name: function for name, function in fakes.items()},
        }

    adapter = InProcessAdapter("fake", make, registry)
    found: dict[str, set[str]] = {}
    for result in results(adapter, registry, *(PREFIX + name for name in clauses)):
        found.setdefault(result.clause.removeprefix(PREFIX), set()).add(str(result.verdict))
    return found


def test_honest_executables_pass(registry: Registry) -> None:
    """Every clause is judged, and none fails."""
    assert {name: {"PASS"} for name in CLAUSES} == _run(registry, *CLAUSES)


@pytest.mark.parametrize(
    ("fault", "clause"),
    [
        ("freezes nothing", "freeze/is-frozen"),
        ("writes too much", "get_info/value-size"),
        ("defines again", "global_variable_define/defined-once"),
    ],
)
def test_a_fault_is_blamed_on_its_clause(registry: Registry, fault: str, clause: str) -> None:
    """The clause that speaks of what is wrong fails."""
    assert "FAIL" in _run(registry, clause, fault=fault)[clause]


def test_nobody_knows_what_is_in_an_executable_after_a_load_that_failed(
    registry: Registry,
) -> None:
    """No text says what code leaves that is refused for want of a definition."""
    adapter = subjects.reference(None, registry)
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    with pool.session(initialised=True, fresh=True) as session:
        refuse = session.process.call

        def call(call: Call) -> Outcome:
            return Outcome(UNDEFINED, (bytes(8),)) if call.function == LOAD else refuse(call)

        session.process.call = call  # type: ignore[method-assign]
        with pytest.raises(Unavailable):
            half_defined(Fixtures(session, next(Sampler("0").examples())))
        assert [True] == [thing.load_failed for thing in session.model.live("executable")]
    pool.close()
