"""Reference pages in Markdown: of functions, types, statuses, rules and terms, with an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_spec.model import Registry
from hsa_spec.pages.function import function_page
from hsa_spec.pages.index import index_page
from hsa_spec.pages.markup import (
    INDEX,
    RULES,
    STATUSES,
    TERMS,
    Words,
    page_of,
    rule_page_of,
    topics,
    types_page_of,
)
from hsa_spec.pages.rules import rule_page, rules_page
from hsa_spec.pages.statuses import statuses_page
from hsa_spec.pages.terms import terms_page
from hsa_spec.pages.types import has_types, types_page
from hsa_spec.text_defects import TextDefect

#: The first line of each page, by which a page is known to be generated.
MARK = "<!-- Written by `hsa-conformance spec pages`: change the registry, not this page. -->"


def pages(registry: Registry, defects: Sequence[TextDefect]) -> Mapping[str, str]:
    """Return the text of every page by its path, relative to the folder of the pages.

    Args:
        registry: what the pages are about.
        defects: what is wrong with the headers' text; those that a clause shows are left out,
            since the clause says so.

    """
    made = {INDEX: index_page(registry, Words(registry, INDEX))}
    made[TERMS] = terms_page(registry, Words(registry, TERMS))
    made[STATUSES] = statuses_page(registry, Words(registry, STATUSES))
    made[RULES] = rules_page(registry, Words(registry, RULES))
    for rule in registry.rules.values():
        path = rule_page_of(rule)
        made[path] = rule_page(registry, rule, Words(registry, path))
    for function in registry.functions.values():
        path = page_of(function)
        mine = [d for d in defects if d.function == function.name and d.clause is None]
        made[path] = function_page(registry, function, mine, Words(registry, path))
    for topic in topics(registry):
        if has_types(registry, topic):
            path = types_page_of(topic)
            made[path] = types_page(registry, topic, Words(registry, path))
    return {path: f"{MARK}\n\n{text}" for path, text in made.items()}


__all__ = ["MARK", "pages"]
