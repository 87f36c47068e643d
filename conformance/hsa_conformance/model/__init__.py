"""What the suite knows about the process it drives, kept up call by call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from hsa_conformance.model.amd import (
    copies,
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
from hsa_conformance.model.amd import images as amd_images
from hsa_conformance.model.amd import queues as amd_queues
from hsa_conformance.model.amd import signals as amd_signals
from hsa_conformance.model.core import (
    code_objects,
    executables,
    extensions,
    init,
    isas,
    memory,
    queues,
    signals,
)
from hsa_conformance.model.images import images, samplers
from hsa_conformance.model.pc_sampling import pc_sampling
from hsa_conformance.model.state import Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer

#: What a successful call changes, by function.
RECORD: Mapping[str, Callable[[Model, Answer], None]] = {
    **code_objects.RECORD,
    **executables.RECORD,
    **init.RECORD,
    **memory.RECORD,
    **copies.RECORD,
    **migration.RECORD,
    **svm.RECORD,
    **pools.RECORD,
    **vmem.RECORD,
    **signals.RECORD,
    **isas.RECORD,
    **queues.RECORD,
    **locks.RECORD,
    **ipc.RECORD,
    **dmabuf.RECORD,
    **spm.RECORD,
    **events.RECORD,
    **settings.RECORD,
    **amd_signals.RECORD,
    **amd_queues.RECORD,
    **images.RECORD,
    **samplers.RECORD,
    **amd_images.RECORD,
    **interop.RECORD,
}

#: How an object is given back, by kind: the function, and the parameters that take its key.
RELEASE: Mapping[str, tuple[str, ...]] = {
    **executables.RELEASE,
    **code_objects.RELEASE,
    **amd_queues.RELEASE,
    **queues.RELEASE,  # a queue may use a signal
    **images.RELEASE,
    **samplers.RELEASE,
    **interop.RELEASE,
    **copies.RELEASE,
    **memory.RELEASE,
    **signals.RELEASE,
    **locks.RELEASE,
    **ipc.RELEASE,
    **spm.RELEASE,
}

#: Named facts of conditions.
FACTS: Mapping[str, Fact] = {
    **code_objects.FACTS,
    **executables.FACTS,
    **isas.FACTS,
    **copies.FACTS,
    **migration.FACTS,
    **svm.FACTS,
    **memory.FACTS,
    **locks.FACTS,
    **ipc.FACTS,
    **dmabuf.FACTS,
    **files.FACTS,
    **profiling.FACTS,
    **spm.FACTS,
    **pc_sampling.FACTS,
    **queues.FACTS,
    **extensions.FACTS,
    **events.FACTS,
    **pointers.FACTS,
    **pools.FACTS,
    **vmem.FACTS,
    **settings.FACTS,
    **amd_signals.FACTS,
    **amd_queues.FACTS,
    **images.FACTS,
    **samplers.FACTS,
    **amd_images.FACTS,
    **interop.FACTS,
}

#: Kinds of objects that are forgotten when an example begins, so that none depends on another.
PASSING: Collection[str] = images.PASSING

__all__ = ["FACTS", "PASSING", "RECORD", "RELEASE", "Model"]
