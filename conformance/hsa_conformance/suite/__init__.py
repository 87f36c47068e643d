"""The hand-written part of the suite, by topic, and the pytest module that runs all of it."""

from __future__ import annotations

from importlib import import_module

#: The modules that hold properties; each is named after its topic in the registry.
TOPICS = (
    "core.init",
    "core.status",
    "core.system",
    "core.agents",
    "core.signals",
    "core.isas",
    "core.caches",
    "core.memory",
    "core.queues",
    "core.extensions",
    "core.executables",
    "core.code_objects",
    "amd.agents",
    "amd.copies",
    "amd.svm",
    "amd.migration",
    "amd.pools",
    "amd.pointers",
    "amd.events",
    "amd.settings",
    "amd.coherency",
    "amd.userdata",
    "amd.vmem",
    "amd.locks",
    "amd.ipc",
    "amd.dmabuf",
    "amd.files",
    "amd.profiling",
    "amd.spm",
    "pc_sampling.pc_sampling",
    "amd.signals",
    "amd.queues",
    "images.images",
    "images.samplers",
    "amd.images",
    "amd.interop",
)

#: The same topics by the names that the registry gives them.
NAMES = frozenset(topic.replace(".", "/") for topic in TOPICS)


def load() -> None:
    """Import every topic, so that its properties are registered."""
    for topic in TOPICS:
        import_module(f"{__name__}.{topic}")
