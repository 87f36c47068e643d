"""Programs of HSAIL: judged where there is a finalizer, and a mistake is blamed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping

import pytest

from hsa_conformance import subjects
from hsa_conformance.engine.running.runner import Runner
from hsa_conformance.subjects import Options
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import Functions, Mistake, verdicts
from tests.wrong.inside import results, running

PREFIX = "hsa_ext_program_"


@pytest.fixture(scope="module")
def runner(registry: Registry) -> Iterator[Runner]:
    """A runner over the reference on a machine with a finalizer."""
    adapter = subjects.reference(Options(machine="two_gpus"), registry)
    with running(adapter, registry) as runner:
        yield runner


def test_the_references_programs_are_judged_and_pass(registry: Registry, runner: Runner) -> None:
    functions = [f for f in registry.functions.values() if f.topic == "finalizer/programs"]
    # Drivers that refuse and threads, which every function meets, have tests of their own.
    apart = {"driver-refuses", "threads"}
    clauses = [c for f in functions for c in f.clauses if c.slug not in apart]
    found = {c.id: {r.verdict for r in runner.run(c)} for c in clauses}
    assert set() == {v for verdicts in found.values() for v in verdicts} - {"PASS", "UNTESTED"}
    judged = {c for c, verdicts in found.items() if "PASS" in verdicts}
    assert 56 == len(judged)


def test_without_a_finalizer_there_is_nothing_to_judge(registry: Registry) -> None:
    adapter = subjects.reference(Options(machine="one_gpu"), registry)
    [result] = results(adapter, registry, f"{PREFIX}create/out-of-resources")
    assert (
        "NOT_APPLICABLE",
        "HSA_SYSTEM_INFO_EXTENSIONS has no bit for HSA_EXTENSION_FINALIZER",
    ) == (
        result.verdict,
        result.reason,
    )


def last_module_left_out(right: Functions) -> dict[str, Callable[..., int]]:
    """Report no module from the third on."""
    callback = ctypes.CFUNCTYPE(ctypes.c_uint32, *[ctypes.c_uint64] * 3)

    def iterate(program: int, address: int, data: int) -> int:
        seen = []

        def each(of: int, module: int, given: int) -> int:
            seen.append(module)
            return callback(address)(of, module, given) if len(seen) < 3 else 0

        kept = callback(each)
        pointer = ctypes.cast(kept, ctypes.c_void_p).value
        return right[f"{PREFIX}iterate_modules"](program, pointer if address else 0, data)

    return {f"{PREFIX}iterate_modules": iterate}


def always_near(right: Functions) -> dict[str, Callable[..., int]]:
    """Forget a rounding mode that is not the usual one."""

    def create(model: int, profile: int, rounding: int, options: int, program: int) -> int:
        usual = 2 if rounding == 1 else rounding
        return right[f"{PREFIX}create"](model, profile, usual, options, program)

    return {f"{PREFIX}create": create}


MISTAKES: Mapping[str, Mistake] = {
    "iterate_modules/each-once": last_module_left_out,
    "create/reads-back": always_near,
}


@pytest.mark.parametrize("clause", MISTAKES)
def test_a_mistake_with_programs_is_blamed(registry: Registry, clause: str) -> None:
    assert Verdict.FAIL in verdicts(registry, MISTAKES[clause], f"{PREFIX}{clause}")
