"""Where the pages are, and the names in their text as code and links."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import dirname, relpath

from hsa_spec import markdown
from hsa_spec.model import Clause, Declared, Function, Registry, Rule

INDEX = "README.md"
TERMS = "terms.md"
RULES = "rules.md"
STATUSES = "statuses.md"
_NAME = re.compile(r"\bhsa\.h\b|\b(?:hsa|HSA|MEMORY_TYPE)_\w+(?:\.h\b)?")


def page_of(function: Function) -> str:
    """Return the path of a function's page."""
    return f"{function.topic}/{function.name}.md"


def rule_page_of(rule: Rule) -> str:
    """Return the path of a rule's page."""
    return f"rules/{rule.name}.md"


def types_page_of(topic: str) -> str:
    """Return the path of the page with a topic's types."""
    return f"{topic}/types.md"


def topics(registry: Registry) -> tuple[str, ...]:
    """Return every topic, those of the core first."""
    found = {
        item.topic for group in (registry.functions, *types(registry)) for item in group.values()
    }
    return tuple(sorted(found, key=lambda topic: (not topic.startswith("core/"), topic)))


def types(registry: Registry) -> tuple[Mapping[str, Declared], ...]:
    """Return everything by name that stands on the pages of types, by its sort."""
    return (
        registry.enums,
        registry.structs,
        registry.callbacks,
        registry.typedefs,
        registry.tables,
        registry.macros,
        registry.retired,
    )


def topic_anchor(topic: str) -> str:
    """Return the anchor that GitHub gives to a heading with the name of a topic."""
    return topic.replace("/", "")


def code(name: str) -> str:
    """Return a name as code."""
    return f"`{name}`"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, without the columns that are empty in every row."""
    kept = list(rows)
    used = [i for i in range(len(heads)) if any(row[i] for row in kept)]
    cells = ([row[i].replace("|", "\\|") for i in used] for row in kept)
    return markdown.table([heads[i] for i in used], cells)


class Words:
    """Turns names in the text of one page into code, and into links where a page has them.

    Args:
        registry: where names are looked up.
        page: the path of the page that the text is for.

    """

    def __init__(self, registry: Registry, page: str) -> None:
        self._page = page
        self._places = {f.name: page_of(f) for f in registry.functions.values()}
        self._rules = {r.name: rule_page_of(r) for r in registry.rules.values()}
        for group in types(registry):
            for item in group.values():
                # Where a macro has the name of something else, the other is meant.
                anchor = f"{types_page_of(item.topic)}#{item.name.lower()}"
                self._places.setdefault(item.name, anchor)

    def url(self, place: str) -> str:
        """Return the address of a page, with or without an anchor, as seen from this one."""
        path, _, anchor = place.partition("#")
        relative = "" if path == self._page else relpath(path, dirname(self._page) or ".")
        return f"{relative}#{anchor}" if anchor else relative

    def link(self, name: str, place: str) -> str:
        """Return a name as code, linked to a place."""
        return f"[{code(name)}]({self.url(place)})"

    def clause(self, clause: Clause) -> str:
        """Return the id of a clause as code, linked to where it is."""
        page = self._rules.get(clause.subject) or self._places[clause.subject]
        return self.link(clause.id, f"{page}#{clause.slug}")

    def name(self, name: str) -> str:
        """Return a name as code, linked to its page unless that is this one."""
        return self.ctype(name) if self._places.get(name) != self._page else code(name)

    def ctype(self, ctype: str) -> str:
        """Return a C type as code, linked to the structure or enumeration in it."""
        bare = ctype.removeprefix("callback:")
        for name in re.findall(r"\w+", bare):
            if name in self._places:
                return self.link(bare, self._places[name])
        return code(bare)

    def prose(self, text: str, params: Collection[str] = ()) -> str:
        """Return a text with the names of the API, and of these parameters, marked.

        A parameter that could be an ordinary word is marked only where the text calls it one.
        """
        marked = _NAME.sub(lambda found: self.name(found[0]), text)
        for param in params:
            before = r"(?<![`\w])" if "_" in param else "(?<=@param )|(?<=parameter )"
            marked = re.sub(rf"(?:{before}){param}(?![`\w])", code(param), marked)
        return marked
