"""Questions that every process asks first, asked by many threads at one time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hsa_adapters.calls import Outcome
from hsa_conformance.engine.calls.arguments import PreparedCall
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.shared.histories import histories

proves = Proofs()

#: Threads that ask.
THREADS: Final = 16
#: What every process asks before anything else.
QUESTIONS: Final = ("hsa_iterate_agents", "hsa_amd_agent_iterate_memory_pools")


@proves.each(QUESTIONS, "threads", initialised=False, examples=0.1, once=True, chance=True)
def threads_that_ask_first_are_answered_as_later(scene: Scene) -> None:
    """Sixteen threads ask a runtime that was just initialised: all are answered as one is later."""
    session, name = scene.session, scene.clause.function
    asked: list[str] = []

    def meanwhile(prepared: PreparedCall, ask: Callable[[], Outcome]) -> Outcome:
        if asked or prepared.function.name != name:
            return ask()
        asked.append(name)
        answers: list[Answer] = []
        for _ in histories(scene):
            answers += [event.answer for event in session.repeated(prepared, THREADS)]
        alone = ask()
        summary = f"{name} answers one of several threads that ask first otherwise than later"
        for answer in answers:
            scene.require(answer.status == alone.result, summary, answer.name)
            same = sorted(answer.callbacks) == sorted(alone.callbacks)
            scene.require(same, summary, answer.callbacks)
        return alone

    scene.set_up("hsa_init")
    session.meanwhile = meanwhile
    try:
        session.discover(session)
    finally:
        session.meanwhile = None
    if not asked:
        raise CannotMake(f"the machine is described without {name}")
