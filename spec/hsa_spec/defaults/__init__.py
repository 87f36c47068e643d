"""What a document need not say, because the rest of it says so already.

A document says what is special to a function. Before the registry is built, each document is
completed by these rules; whatever is written goes before what a rule would say.

| Not written | Stands for |
| --- | --- |
| `header` of a document | the header of its folder |
| `header` of a source | the header that declares what the source names, or the document's own |
| `export`, `params`, `documented`, `clauses` | `linker`, none |
| `direction` of a parameter | `in` |
| `HSA_STATUS_` of a status | itself |
| `initialized()` in `when` | the first condition, unless initialisation is mentioned or `anytime` |
| `strength` | `must`; `should` for a status that the list of the function lacks |
| `source` of one listed status, or all of it but a `note` | the entry of the list |
| `needs` of `threads` | those of `success` |
| `untestable` of what is undefined | that it is recorded and never judged |
| `status` of a call in the `transitions` of a rule | SUCCESS |
| `about` of a clause of a rule | that of the rule |
| `strength` of a clause of a rule | `must`; `should` where the specification alone says it |
| `since` of what AMD's extension declares, or says of a function of hsa.h | its first interface |
| `since` of what hsa_ext.h declares | HSA 1.1, and no release of ROCm |

Some clauses say a thing that many functions have in common, so their name alone says it: `bodies`
has the rules. Some of these follow from the parameters or the list, and need no name either:
`implied_clauses` has the rules, and where such clauses stand. What is named stands where it is
named; `without` lists what a function lacks although a rule implies it.

What attributes stand for is in `relations`.

The clause `success` holds when no other clause says otherwise, see `success`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hsa_spec.defaults.complete import completed_function
from hsa_spec.defaults.extension import dated
from hsa_spec.defaults.facts import Facts, declared, gather
from hsa_spec.defaults.relations import with_relations
from hsa_spec.defaults.rules import completed_rule
from hsa_spec.documents import Document


def completed(documents: Sequence[Document]) -> list[Document]:
    """Return the documents in full: every key that a rule implies is there.

    Args:
        documents: what was read and agrees with the schema, families expanded.

    Raises:
        RegistryError: a rule is missing a fact, or what is written has no meaning here.

    """
    documents = [declared(d) for d in with_relations(documents)]
    facts = gather(documents)
    return [dated(_whole(document, facts)) for document in documents]


def _whole(document: Document, facts: Facts) -> Document:
    if "function" in document.data:
        return completed_function(document, facts)
    return completed_rule(document, facts) if "rule" in document.data else document
