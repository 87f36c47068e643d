"""What hsa_amd_queue_get_info says of a queue."""

from __future__ import annotations

from typing import Final

from hsa_conformance.checks.properties import Scene, proves
from hsa_conformance.strategies.core import queues
from hsa_conformance.suite.attributes import number

GET: Final = "hsa_amd_queue_get_info"
UNCOUNTED: Final = 2**32 - 1
NO_VERSION: Final = 255


@proves(f"{GET}/agent")
def the_agent_is_the_one_of_the_creation(scene: Scene) -> None:
    """Of several GPUs, too."""
    queue = queues.queue(scene)
    found = number(scene, GET, "HSA_AMD_QUEUE_INFO_AGENT", queue=queue.handle)
    scene.require(found == queue.agent, f"the agent is not {queue.agent}", f"{found:#x}")
