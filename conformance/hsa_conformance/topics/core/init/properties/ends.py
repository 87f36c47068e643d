"""The end of a process, whatever of the runtime still lives, and what is there afterwards."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.recording import recorded
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.init.fixtures import pass_through, require_orderly
from hsa_conformance.topics.core.init.live_objects import living
from hsa_reports.demands import InheritsNothing

proves = Proofs()

#: Fewer examples than usual: each kind of object is tried with what has to be tried.
FEW: Final = 0.1
#: How a process ends that nobody asks for more.
WAYS: Final = {"exit": "exit", "abort": "abort", "SIGKILL": "kill"}


@proves("runtime/ends-by-exit", fresh=True, examples=FEW)
def a_process_ends_by_exit_with_what_lives(scene: Scene) -> None:
    """A process that calls exit while something lives in its runtime ends with the status given."""
    scene.session.need_own_process()
    scene.each("object", living(scene))()
    require_orderly(scene, scene.session.end_by("exit"), "the process")


@proves("runtime/ends-by-exit", initialised=False, fresh=True, examples=FEW)
def a_process_ends_by_exit_at_any_time(scene: Scene) -> None:
    """A process that calls exit before hsa_init, or after hsa_shut_down, ends as it was told to."""
    scene.session.need_own_process()
    pass_through(scene)
    require_orderly(scene, scene.session.end_by("exit"), "the process")


@proves("runtime/unloaded", initialised=False, fresh=True, examples=FEW)
def a_process_goes_on_without_the_library(scene: Scene) -> None:
    """A process that unloads the library before hsa_init or after hsa_shut_down ends by itself.

    Between that and its end it sleeps for a moment, in which threads that were left would run.
    """
    scene.session.need_own_process()
    pass_through(scene)
    require_orderly(scene, scene.session.end_by("unload"), "the process without the library")


@proves("runtime/leaves-nothing", initialised=False, fresh=True, examples=FEW)
def nothing_stays_of_a_process_that_has_ended(scene: Scene) -> None:
    """Of a process that has ended with something alive, no shared memory, file or process stays.

    Files count that it had open or mapped, which are new and lie where nothing is meant to stay.
    """
    scene.session.need_own_process()
    peer = Scene(scene.session.initialised_peer(), scene.draw, scene.clause)
    scene.each("object", living(peer))()
    holdings = peer.session.process.holdings()
    peer.session.end_by(scene.each("end", WAYS))
    left = scene.session.process.left_by(holdings)
    scene.require(not left, f"{', '.join(left)} stay", ", ".join(left))


@proves("runtime/programs-inherit-nothing", fresh=True, examples=FEW)
def a_program_inherits_no_descriptor_of_the_runtime(scene: Scene) -> None:
    """All descriptors but those that the caller was given are closed when a program is executed."""
    scene.session.need_own_process()
    scene.each("object", living(scene))()
    given = scene.session.model.descriptors
    inherited = scene.session.inherited()
    # A socket or a pipe has a number, which is another one in each process.
    left = [to.partition(":[")[0] for number, to in inherited.items() if number not in given]
    words = ", ".join(sorted(left))
    demand = InheritsNothing(tuple(recorded(number) for number in given))
    scene.require(not left, f"a program that is executed has {words}", words, demand)
