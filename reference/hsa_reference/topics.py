"""The topics that the reference has, in modules named like those of the registry.

A topic's module has a function for each function of the API, named as in C, which runs when the
argument check has passed; as `PART` what the topic keeps in the state, if it keeps anything; as
`DIRECT` which of its functions C can answer alone; and as `AT_ONCE` what its waits answer where
they must not sleep.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import ModuleType

from hsa_reference.amd import (
    coherency,
    copies,
    dmabuf,
    events,
    fabric,
    files,
    interop,
    ipc,
    locks,
    migration,
    pointers,
    pools,
    profiling,
    semaphores,
    settings,
    spm,
    svm,
    userdata,
    vmem,
)
from hsa_reference.amd import (
    images as amd_images,
)
from hsa_reference.amd import (
    queues as amd_queues,
)
from hsa_reference.amd import (
    signals as amd_signals,
)
from hsa_reference.aqlprofile import aqlprofile
from hsa_reference.core import (
    agents,
    caches,
    code_objects,
    executables,
    extensions,
    init,
    isas,
    memory,
    queues,
    signals,
    status,
    system,
)
from hsa_reference.effects import Effect
from hsa_reference.finalizer import programs
from hsa_reference.images import images, samplers
from hsa_reference.loader import loader
from hsa_reference.native import Direct
from hsa_reference.pc_sampling import pc_sampling
from hsa_reference.state import Part
from hsa_spec import Registry

TOPICS: tuple[ModuleType, ...] = (
    init,
    status,
    system,
    agents,
    caches,
    isas,
    extensions,
    memory,
    signals,
    amd_signals,
    executables,
    code_objects,
    loader,
    queues,
    amd_queues,
    pools,
    coherency,
    migration,
    semaphores,
    events,
    locks,
    pointers,
    userdata,
    vmem,
    fabric,
    dmabuf,
    files,
    interop,
    ipc,
    copies,
    svm,
    profiling,
    spm,
    pc_sampling,
    aqlprofile,
    programs,
    settings,
    images,
    samplers,
    amd_images,
)

#: The topics that the reference leaves out, and why; its queries say that it lacks the extension.
NOT_MODELLED: Mapping[str, str] = {
    "counters/counters": "performance counters count what a device does, and no device is modelled",
    "profiling_events/events": "no agent of the machines produces profiling events",
    "finalizer/isas": "the finalizer of HSA 1.1 is another extension, which it does not have",
    "finalizer/writers": "the finalizer of HSA 1.1 is another extension, which it does not have",
}


@cache
def effects() -> Mapping[str, Effect]:
    """Return the hand-written part of every function, by the function's name."""
    return {
        name: effect
        for topic in TOPICS
        for name, effect in vars(topic).items()
        if name.startswith("hsa_")
    }


def parts() -> tuple[type[Part], ...]:
    """Return what the topics keep in the state of a runtime."""
    return tuple(topic.PART for topic in TOPICS if hasattr(topic, "PART"))


def direct() -> Mapping[str, Direct]:
    """Return the functions that C can answer alone, by name."""
    return {name: d for topic in TOPICS for name, d in getattr(topic, "DIRECT", {}).items()}


def at_once() -> Mapping[str, str]:
    """Return what C answers for functions that would wait where they cannot, by name."""
    return {name: c for topic in TOPICS for name, c in getattr(topic, "AT_ONCE", {}).items()}


def implemented(registry: Registry) -> Registry:
    """Return the part of a registry whose functions the reference has."""
    written = effects()
    functions = {name: f for name, f in registry.functions.items() if name in written}
    return replace(registry, functions=functions)
