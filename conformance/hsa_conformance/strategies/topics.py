"""Everything that the topics give to the generators of conditions.

A term that is not here cannot be made, and a clause that needs it says so. Look-ups that only lead
to attributes are made true by their statements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hsa_conformance.strategies import numbers
from hsa_conformance.strategies.amd import (
    copies,
    descriptors,
    dmabuf,
    events,
    files,
    interop,
    ipc,
    locks,
    migration,
    pointers,
    pools,
    profiling,
    settings,
    spm,
    svm,
    vmem,
)
from hsa_conformance.strategies.amd import images as amd_images
from hsa_conformance.strategies.amd import queues as amd_queues
from hsa_conformance.strategies.amd import signals as amd_signals
from hsa_conformance.strategies.builder import Builder, CannotMake, Stock
from hsa_conformance.strategies.core import (
    agents,
    caches,
    code,
    code_objects,
    executables,
    extensions,
    isas,
    memory,
    queues,
    signals,
)
from hsa_conformance.strategies.images import conditions as images
from hsa_conformance.strategies.images import samplers
from hsa_conformance.strategies.images.survey import survey
from hsa_conformance.strategies.makers import Comparer, Makers
from hsa_conformance.strategies.pc_sampling import pc_sampling

#: What is decided by the process that an example runs in, before anything is built.
STATE_TERMS = frozenset({"initialized", "references", "supports", "exhausted"})


def _cannot(_: Builder, *__: str) -> None:
    raise CannotMake("no input can decide this")


#: Generators by term.
MAKERS: Mapping[str, Makers] = {
    **{term: Makers(_cannot, _cannot) for term in STATE_TERMS},
    **numbers.MAKERS,
    **agents.MAKERS,
    **memory.MAKERS,
    **code_objects.MAKERS,
    **executables.MAKERS,
    **copies.MAKERS,
    **migration.MAKERS,
    **svm.MAKERS,
    **pools.MAKERS,
    **vmem.MAKERS,
    **signals.MAKERS,
    **isas.MAKERS,
    **caches.MAKERS,
    **locks.MAKERS,
    **ipc.MAKERS,
    **dmabuf.MAKERS,
    **files.MAKERS,
    **profiling.MAKERS,
    **spm.MAKERS,
    **pc_sampling.MAKERS,
    **memory.MAKERS,
    **queues.MAKERS,
    **extensions.MAKERS,
    **events.MAKERS,
    **pointers.MAKERS,
    **settings.MAKERS,
    **amd_signals.MAKERS,
    **amd_queues.MAKERS,
    **descriptors.MAKERS,
    **images.MAKERS,
    **samplers.MAKERS,
    **amd_images.MAKERS,
    **interop.MAKERS,
}

#: What has to be asked of the machine before a function of a topic is called; each asks once.
SURVEYS: Mapping[str, Callable[[Stock], None]] = {
    "amd/files": files.survey,
    "amd/spm": spm.survey,
    "amd/profiling": queues.survey,
    "pc_sampling/pc_sampling": pc_sampling.survey,
    "core/isas": isas.survey,
    "core/memory": memory.survey,
    "amd/dmabuf": dmabuf.survey,
    "core/queues": queues.survey,
    "core/extensions": extensions.survey,
    "amd/settings": settings.survey,
    "core/code_objects": code.ask_processors,
    "core/executables": code.ask_processors,
    "loader/loader": code.ask_processors,
    "amd/queues": amd_queues.survey,
    "amd/copies": copies.survey,
    "amd/migration": migration.survey,
    "amd/svm": svm.survey,
    "images/images": survey,
    "images/samplers": survey,
    "amd/images": survey,
}

#: Generators of comparisons by the term whose value, or whose attribute, is compared.
COMPARERS: Mapping[str, Comparer] = {
    **agents.COMPARERS,
    **memory.COMPARERS,
    **executables.COMPARERS,
    **copies.COMPARERS,
    **pools.COMPARERS,
    **pointers.COMPARERS,
    **vmem.COMPARERS,
    **amd_queues.COMPARERS,
    **descriptors.COMPARERS,
}
