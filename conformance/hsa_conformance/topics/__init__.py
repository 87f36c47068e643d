"""What the suite knows of each topic of the API, one room for each."""

from __future__ import annotations

from hsa_conformance.engine.topic import Topics
from hsa_conformance.topics.amd.agents import TOPIC as AMD_AGENTS
from hsa_conformance.topics.amd.coherency import TOPIC as AMD_COHERENCY
from hsa_conformance.topics.amd.copies import TOPIC as AMD_COPIES
from hsa_conformance.topics.amd.dmabuf import TOPIC as AMD_DMABUF
from hsa_conformance.topics.amd.events import TOPIC as AMD_EVENTS
from hsa_conformance.topics.amd.files import TOPIC as AMD_FILES
from hsa_conformance.topics.amd.images import TOPIC as AMD_IMAGES
from hsa_conformance.topics.amd.interop import TOPIC as AMD_INTEROP
from hsa_conformance.topics.amd.ipc import TOPIC as AMD_IPC
from hsa_conformance.topics.amd.locks import TOPIC as AMD_LOCKS
from hsa_conformance.topics.amd.migration import TOPIC as AMD_MIGRATION
from hsa_conformance.topics.amd.pointers import TOPIC as AMD_POINTERS
from hsa_conformance.topics.amd.pools import TOPIC as AMD_POOLS
from hsa_conformance.topics.amd.profiling import TOPIC as AMD_PROFILING
from hsa_conformance.topics.amd.queues import TOPIC as AMD_QUEUES
from hsa_conformance.topics.amd.settings import TOPIC as AMD_SETTINGS
from hsa_conformance.topics.amd.signals import TOPIC as AMD_SIGNALS
from hsa_conformance.topics.amd.spm import TOPIC as AMD_SPM
from hsa_conformance.topics.amd.svm import TOPIC as AMD_SVM
from hsa_conformance.topics.amd.userdata import TOPIC as AMD_USERDATA
from hsa_conformance.topics.amd.vmem import TOPIC as AMD_VMEM
from hsa_conformance.topics.aqlprofile.aqlprofile import TOPIC as AQLPROFILE_AQLPROFILE
from hsa_conformance.topics.core.agents import TOPIC as CORE_AGENTS
from hsa_conformance.topics.core.caches import TOPIC as CORE_CACHES
from hsa_conformance.topics.core.code_objects import TOPIC as CORE_CODE_OBJECTS
from hsa_conformance.topics.core.executables import TOPIC as CORE_EXECUTABLES
from hsa_conformance.topics.core.extensions import TOPIC as CORE_EXTENSIONS
from hsa_conformance.topics.core.init import TOPIC as CORE_INIT
from hsa_conformance.topics.core.isas import TOPIC as CORE_ISAS
from hsa_conformance.topics.core.memory import TOPIC as CORE_MEMORY
from hsa_conformance.topics.core.queues import TOPIC as CORE_QUEUES
from hsa_conformance.topics.core.signals import TOPIC as CORE_SIGNALS
from hsa_conformance.topics.core.status import TOPIC as CORE_STATUS
from hsa_conformance.topics.core.system import TOPIC as CORE_SYSTEM
from hsa_conformance.topics.finalizer.programs import TOPIC as FINALIZER_PROGRAMS
from hsa_conformance.topics.images.images import TOPIC as IMAGES_IMAGES
from hsa_conformance.topics.images.samplers import TOPIC as IMAGES_SAMPLERS
from hsa_conformance.topics.loader.loader import TOPIC as LOADER_LOADER
from hsa_conformance.topics.pc_sampling.pc_sampling import TOPIC as PC_SAMPLING_PC_SAMPLING

#: Every topic of the suite. What stands on others comes after them; see `Topics`.
TOPICS = Topics(
    (
        CORE_INIT,
        CORE_STATUS,
        CORE_SYSTEM,
        CORE_AGENTS,
        CORE_CACHES,
        CORE_ISAS,
        CORE_EXTENSIONS,
        AMD_AGENTS,
        AMD_COHERENCY,
        AMD_POOLS,
        AMD_POINTERS,
        AMD_VMEM,
        AMD_SPM,
        AMD_IPC,
        AMD_LOCKS,
        AMD_DMABUF,
        AMD_FILES,
        AMD_EVENTS,
        AMD_SETTINGS,
        AMD_USERDATA,
        CORE_SIGNALS,
        AMD_SIGNALS,
        CORE_MEMORY,
        AMD_COPIES,
        AMD_SVM,
        AMD_MIGRATION,
        AMD_INTEROP,
        AMD_PROFILING,
        PC_SAMPLING_PC_SAMPLING,
        AQLPROFILE_AQLPROFILE,
        IMAGES_SAMPLERS,
        IMAGES_IMAGES,
        AMD_IMAGES,
        CORE_QUEUES,
        AMD_QUEUES,
        CORE_CODE_OBJECTS,
        FINALIZER_PROGRAMS,
        CORE_EXECUTABLES,
        LOADER_LOADER,
    )
)
