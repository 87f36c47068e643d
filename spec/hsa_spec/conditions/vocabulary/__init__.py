"""The vocabulary of conditions: every term with its evaluator and its English, by topic.

The third face of a term, the generators that make it true or only just false, needs Hypothesis and
lives with the suite, under the same names; a test holds the two lists together.
"""

from hsa_spec.conditions.vocabulary import general
from hsa_spec.conditions.vocabulary.amd import (
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
    vmem,
)
from hsa_spec.conditions.vocabulary.amd import images as amd_images
from hsa_spec.conditions.vocabulary.amd import queues as amd_queues
from hsa_spec.conditions.vocabulary.amd import signals as amd_signals
from hsa_spec.conditions.vocabulary.aqlprofile import aqlprofile
from hsa_spec.conditions.vocabulary.core import (
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
)
from hsa_spec.conditions.vocabulary.counters import counters
from hsa_spec.conditions.vocabulary.finalizer import programs
from hsa_spec.conditions.vocabulary.images import images, samplers
from hsa_spec.conditions.vocabulary.loader import loader
from hsa_spec.conditions.vocabulary.pc_sampling import pc_sampling
from hsa_spec.conditions.vocabulary.profiling_events import events as profiling_events
from hsa_spec.conditions.vocabulary.words import words

#: The topics that have words of their own; the words of no topic are `general`.
TOPICS = (
    init,
    agents,
    memory,
    signals,
    queues,
    isas,
    caches,
    extensions,
    code_objects,
    executables,
    pools,
    vmem,
    pointers,
    copies,
    svm,
    locks,
    migration,
    interop,
    ipc,
    dmabuf,
    events,
    files,
    fabric,
    semaphores,
    spm,
    settings,
    amd_signals,
    amd_queues,
    profiling,
    amd_images,
    images,
    samplers,
    programs,
    loader,
    aqlprofile,
    pc_sampling,
    counters,
    profiling_events,
)

_WORDS = words(general.WORDS, *(topic.WORDS for topic in TOPICS))

#: Every term by its name.
TERMS = _WORDS.terms

#: What can be asked of the things that look-ups find.
VIEWS = _WORDS.views

#: How a view's attribute reads, with {0} for the thing.
ATTRIBUTES = _WORDS.attributes

TEXTS = general.TEXTS

__all__ = ["ATTRIBUTES", "TERMS", "TEXTS", "TOPICS", "VIEWS"]
