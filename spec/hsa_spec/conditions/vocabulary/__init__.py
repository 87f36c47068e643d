"""The words of conditions, by topic."""

from hsa_spec.conditions.vocabulary import (
    code,
    copies,
    images,
    isas,
    memory,
    queues,
    sharing,
    signals,
    tools,
)
from hsa_spec.conditions.vocabulary.words import words

#: All words that are not about agents, pools and virtual memory.
WORDS = words(
    code.WORDS,
    copies.WORDS,
    images.WORDS,
    isas.WORDS,
    memory.WORDS,
    queues.WORDS,
    sharing.WORDS,
    signals.WORDS,
    tools.WORDS,
)
