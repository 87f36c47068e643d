"""What all functions share that call back for each of several handles."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Answer, Value
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import OutOfReach, Unsuitable
from hsa_conformance.engine.judging.statuses import SUCCESS as HSA_SUCCESS
from hsa_reports.demands import Answers

SUCCESS = 0


def require_known(scene: Scene, answers: Sequence[Answer], unknown: str) -> None:
    """Demand that what a traversal reports can be queried.

    Where the query refuses everything, and not as unknown, it may be the query that is wrong.

    Args:
        scene: the property's scene.
        answers: the answers of a query, one for each handle.
        unknown: what it answers for a handle that it does not know.

    Raises:
        Blocked: nothing can be queried.

    """
    if answers and all(not answer.ok and answer.name != unknown for answer in answers):
        raise Blocked(f"{answers[0].function.name}/success", answers[0].name)
    reported = {f"number {number}": answer for number, answer in enumerate(answers, 1)}
    for answer in scene.parts("reported", reported):
        scene.require_status(answer, HSA_SUCCESS)


class Traversal:
    """A traversal that a property looks at.

    Args:
        scene: the property's scene.
        function: a function with the parameters `callback` and `data`.
        callback: type of the callback; its last parameters are a handle and `data`.
        subject: the other arguments of the function.

    """

    def __init__(self, scene: Scene, function: str, callback: str, **subject: int) -> None:
        self.scene = scene
        self.function = function
        self.callback = callback
        self.subject = subject

    def handles(self) -> list[int]:
        """Return what a traversal reports that is not ended early.

        Raises:
            Blocked: the call does not succeed.

        """
        return [handle for *_, handle, _ in self._complete(data=0).callbacks]

    def reports_once(self, known: set[int]) -> None:
        """Demand that each handle is reported once, those that an earlier traversal showed too."""
        handles = self.handles()
        names = [f"{handle:#x}" for handle in handles]
        self.scene.require(
            len(handles) == len(set(handles)), "a handle is reported twice", ", ".join(names)
        )
        self.scene.require(
            known == set(handles),
            "two traversals of the same machine report different handles",
            f"{len(known)} handles earlier, now {', '.join(names) or 'none'}",
        )

    def passes_data(self) -> None:
        """Demand that every call of the callback receives `data`."""
        data = self.scene.draw(drawing.integers(0, 2**64 - 1))
        calls = self._complete(data).callbacks
        if not calls:
            raise Unsuitable("there is nothing to traverse")
        self.scene.require(
            all(received == data for *_, received in calls),
            f"the callback received other data than {data:#x}",
            ", ".join(f"{received:#x}" for *_, received in calls),
        )

    def stops(self) -> None:
        """Demand that the callback is not called again once it has ended the traversal."""
        count = len(self.handles())
        if count < 2:
            raise OutOfReach("a traversal of one handle cannot be ended early")
        last = self.scene.draw(drawing.integers(1, count - 1))
        calls = self._ended(last, self._status()).callbacks
        self.scene.require(
            len(calls) <= last,
            f"the callback was called again after its call {last} ended the traversal",
            f"{len(calls)} calls",
        )

    def returns_callback_status(self) -> None:
        """Demand that the call answers the status with which the callback ended the traversal."""
        count = len(self.handles())
        if count == 0:
            raise Unsuitable("there is nothing to traverse")
        status = self._status()
        answer = self._ended(self.scene.draw(drawing.integers(1, count)), status)
        wanted = self.scene.session.registry.status_name(status)
        self.scene.require(
            answer.status == status,
            f"answered {answer.name} when the callback ended the traversal with {wanted}",
            answer.name,
            Answers((wanted,)),
        )

    def _status(self) -> int:
        values = self.scene.session.registry.enums["hsa_status_t"].values
        status: int = self.scene.draw(drawing.sampled_from(sorted(values - {SUCCESS})))
        return status

    def _ended(self, last: int, status: int) -> Answer:
        """Traverse with a callback that answers `status` from its call number `last` on."""
        answers = (SUCCESS,) * (last - 1) + (status,)
        return self.scene.call(self.function, **self._arguments(answers, data=0))

    def _complete(self, data: int) -> Answer:
        return self.scene.set_up(self.function, **self._arguments((SUCCESS,), data))

    def _arguments(self, answers: tuple[int, ...], data: int) -> dict[str, Value]:
        return {**self.subject, "callback": Callback(self.callback, answers), "data": data}
