"""Roll-backs that the reference leaves out: a lack of something has to show each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from random import Random
from typing import Final

import pytest

from hsa_conformance import subjects
from hsa_conformance.engine.checks.case import FAILING
from hsa_conformance.engine.running.runner import Runner
from hsa_reports import Verdict
from hsa_reports.verdicts import BROKEN
from hsa_spec import Clause, Registry
from tests.samples import WHOLE
from tests.wrong.drawing import draw
from tests.wrong.inside import running
from tests.wrong.rollbacks import Place, noting, places, without

#: How many roll-backs a seed draws, where not each is left out.
DRAWN: Final = 12
SEED: Final = int(os.environ.get("HSA_TEST_SEED", "0"))

#: Roll-backs that no check meets, each with the reason.
UNMET: Final = {
    "amd/queues/interception.py, start: self._end_processor": "nothing is refused beside tools",
    "amd/vmem/__init__.py, hsa_amd_vmem_address_reserve_align: memory.unmap(start, size)": (
        "no text of it knows a lack of memory"
    ),
    "core/signals/shared_signals.py, create: os.close(descriptor)": "the system alone refuses it",
    "memory.py, create: os.close(descriptor)": "the system alone refuses it",
    "memory.py, allocate: unmap(address, size)": "the system alone refuses it",
}

#: Those that no caller misses, or that cannot be left out in this process, each with the reason.
UNSEEN: Final = {
    "amd/copies/worker.py, __init__: signals.destroy(self._bell)": "a runtime loses it once",
    "amd/queues/__init__.py, _create: core_queues.hsa_queue_destroy(state, made.address)": (
        "the suite leaves the queues of calls that succeed as well"
    ),
    "amd/spm.py, acquire: os.close(descriptor)": "met where another process has the counters",
    "amd/vmem/__init__.py, hsa_amd_vmem_map: memory.clear(va, size)": "no access is allowed yet",
    "amd/vmem/__init__.py, hsa_amd_vmem_set_access: restore": "of several mappings alone",
    "state.py, begin: self.release_everything": "there is one thing to take",
    "core/queues/state.py, create_soft: self._unplace(queue)": "the ring is given back twice",
}

Reached = Mapping[Place, Sequence[Clause]]


def the_reference(registry: Registry) -> closing[Runner]:
    """Return a runner over the reference."""
    return running(subjects.reference(None, registry), registry)


def verdicts(runner: Runner, clause: Clause) -> set[Verdict]:
    """Return what the reference gets for a clause."""
    return {Verdict(result.verdict) for result in runner.run(clause, 1.0)}


@pytest.fixture(scope="module")
def reached(registry: Registry) -> Reached:
    """Return the clauses in whose checks something is undone, by the place where it is."""
    found: dict[Place, list[Clause]] = {}
    lacking = [clause for clause in registry.clauses.values() if FAILING in clause.needs]
    met: set[Place] = set()

    def note(place: Place) -> bool:
        met.add(place)
        return True

    with noting(note), the_reference(registry) as runner:
        for clause in lacking:
            assert BROKEN.isdisjoint(verdicts(runner, clause)), clause.id
            for place in met:
                found.setdefault(place, []).append(clause)
            met.clear()
    return found


def drawn() -> Sequence[Place]:
    """Return the places that the seed draws, evenly over the files."""
    shown = [place for place in places() if str(place) not in {**UNMET, **UNSEEN}]
    order = list(draw(shown, lambda place: ("", place.path), Random(SEED)))
    return order if WHOLE else order[:DRAWN]


@pytest.mark.parametrize("place", drawn(), ids=str)
def test_a_roll_back_that_is_left_out_is_blamed(
    place: Place, reached: Reached, registry: Registry
) -> None:
    with without(place), the_reference(registry) as runner:
        assert any(verdicts(runner, clause) & BROKEN for clause in reached[place])


def test_each_roll_back_is_met_but_those_that_have_a_reason(reached: Reached) -> None:
    assert UNMET.keys() == {str(place) for place in places() if place not in reached}


def test_what_nobody_can_see_is_there() -> None:
    assert UNSEEN.keys() <= {str(place) for place in places()}
