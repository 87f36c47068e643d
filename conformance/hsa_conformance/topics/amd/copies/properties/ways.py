"""The functions that copy a row of bytes, behind one face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.symbols import label_of
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.topics.amd.copies.generators import (
    MOST,
    engines,
    reached,
    shared_block,
    shared_pools,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import Place, linear, wait, waiting

ON_ENGINE: Final = "hsa_amd_memory_async_copy_on_engine"


def _route(scene: Scene, pairs: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Draw a destination and a source of those between which copies can be made.

    Raises:
        Unavailable: there are none.

    """

    def words(pair: tuple[int, int]) -> str:
        to, of = map(label_of, pair)
        return " to ".join(label.words for label in (of, to) if label)

    return scene.some_sort("route", scene.require_any(pairs, "copies between two agents"), words)


class Copy:
    """A copy by the function that the property's clause is about, between memory of the host.

    Args:
        scene: the property's scene.
        size: how many bytes.

    Raises:
        Unavailable: the machine has no copy engine for it.

    """

    def __init__(self, scene: Scene, size: int) -> None:
        self.scene = scene
        self.size = size
        self.function = scene.clause.function
        self.engine: dict[str, Value] = {}
        gpus = {gpu.handle for gpu in known_agents(scene, "gpu")}
        no_kernels = not scene.session.runs_kernels
        if self.function == ON_ENGINE:
            some_gpu(scene)
            ways: dict[tuple[int, int], list[int]] = {}
            for to, of, engine in engines(scene):
                ways.setdefault((to, of), []).append(engine)
            to, of = _route(scene, list(ways))
            engine = scene.each("engine", {f"{engine:#x}": engine for engine in ways[to, of]})
            self.engine = {"engine_id": engine, "force_copy_on_sdma": scene.choose([0, 1])}
        else:
            to, of = _route(
                scene,
                [
                    (a.handle, b.handle)
                    for a in known_agents(scene)
                    for b in known_agents(scene)
                    # Whatever is large may be copied among GPUs by a kernel.
                    if not (a.device == b.device == "gpu" and size > MOST and no_kernels)
                    if "gpu" in (a.device, b.device) or a.device == b.device == "cpu"
                ],
            )
        self._by_gpu = not gpus.isdisjoint((to, of))
        room = max(MOST, size + 1)
        self.source: Place = reached(scene, room, location="cpu"), of
        self.target: Place = reached(scene, room, location="cpu"), to

    def start(self, done: int, after: tuple[int, ...] = ()) -> None:
        """Make the call that the property is about.

        Args:
            done: the completion signal.
            after: the signals that the copy has to wait for.

        Raises:
            Blocked: it does not succeed.

        """
        room = {**linear(self.target, self.source, self.size), **waiting(after), **self.engine}
        answer = self.scene.call(self.function, **room, completion_signal=done)
        if not answer.ok:
            raise self.scene.session.refusal(answer)

    def run(self) -> None:
        """Start it and wait for its end, for a property that is not about the signal."""
        done = signal(self.scene, 1)
        self.start(done)
        left = wait(self.scene, done)
        if left != 0:
            raise Blocked(f"{self.function}/completion", f"a completion signal of {left}")

    def through_gpu(self) -> bool:
        """Copy to memory of a GPU and from there on, if one takes part and has some that suits."""
        if not self._by_gpu or not shared_pools(self.scene, "gpu"):
            return False
        target, way = self.target[0], shared_block(self.scene, "gpu")
        self.target = way, self.target[1]
        self.run()
        self.source, self.target = (way, self.source[1]), (target, self.target[1])
        self.run()
        return True
