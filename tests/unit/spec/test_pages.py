"""The reference pages: complete, and with links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from hsa_spec import Registry, load
from hsa_spec.pages import MARK, pages
from hsa_spec.text_defects import TextDefect, text_defects
from tests.unit.spec.registry_texts import write

LINK = re.compile(r"\]\(([^)]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def made(registry: Registry) -> Mapping[str, str]:
    return pages(registry, text_defects(registry))


def anchors(text: str) -> list[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    return [re.sub(r"[^\w -]", "", h).replace(" ", "-").lower() for h in HEADING.findall(text)]


def section(text: str, slug: str) -> str:
    """Return what a page says of a clause."""
    return text.split(f"\n### {slug}\n", 1)[1].split("\n### ", 1)[0]


def test_pages_are_made_of_what_the_registry_has(
    registry: Registry, made: Mapping[str, str]
) -> None:
    """Each function, each rule and the types of each topic have a page."""
    functions = {f"{each.topic}/{each.name}.md" for each in registry.functions.values()}
    rules = {f"rules/{name}.md" for name in registry.rules}
    declared = (
        *(registry.enums, registry.structs, registry.callbacks, registry.typedefs),
        *(registry.tables, registry.macros, registry.retired),
    )
    types = {f"{each.topic}/types.md" for kind in declared for each in kind.values()}
    general = {"README.md", "rules.md", "statuses.md", "terms.md"}
    assert functions | rules | types | general == made.keys()
    assert {path for path, text in made.items() if not text.startswith(f"{MARK}\n\n# ")} == set()


def test_every_link_leads_to_a_heading(made: Mapping[str, str]) -> None:
    """Each link between pages names a page that is written, and a heading that it has."""
    dead = []
    for path, text in made.items():
        for link in LINK.findall(text):
            target, _, anchor = link.partition("#")
            page = normpath(join(dirname(path), target)) if target else path
            if page not in made or (anchor and anchor not in anchors(made[page])):
                dead.append(f"{path}: {link}")
    assert [] == dead


def test_headings_are_unique(made: Mapping[str, str]) -> None:
    """No two headings of a page share an anchor, so a link to a clause is never ambiguous."""
    for path, text in made.items():
        found = anchors(text)
        assert sorted(set(found)) == sorted(found), path


def test_every_page_is_reached_from_the_index(made: Mapping[str, str]) -> None:
    """The index links every function and every page of types."""
    assert made.keys() - {"README.md"} == {
        link for link in LINK.findall(made["README.md"]) if link in made
    }


def test_every_clause_is_shown_in_order(registry: Registry, made: Mapping[str, str]) -> None:
    """A function's page has its clauses in the order of the registry, each with its strength."""
    for function in registry.functions.values():
        text = made[f"{function.topic}/{function.name}.md"]
        shown = re.findall(r"^- Id: `(.+)`$", text, re.MULTILINE)
        assert [c.id for c in function.clauses] == shown
        for clause in function.clauses:
            said = section(text, clause.slug)
            assert f"**{clause.strength.capitalize()}.** " in said
            assert "\n- Source: " in said
            assert bool(clause.contested) == ("\n- Contested: " in said)
            assert bool(clause.untestable) == ("\n- Not tested: " in said)
            assert bool(clause.needs) == ("\n- Needs: " in said)


def test_every_type_is_shown(registry: Registry, made: Mapping[str, str]) -> None:
    """The pages of types have each enumerator and each member of a structure as a row."""
    for enum in registry.enums.values():
        rows = made[f"{enum.topic}/types.md"].splitlines()
        for enumerator in enum.enumerators:
            row = next(r for r in rows if f" | `{enumerator.name}` | " in r)
            assert enumerator.value == int(row.split("|")[1], 0)
    for struct in registry.structs.values():
        text = made[f"{struct.topic}/types.md"].split(f"\n## {struct.name}\n")[1]
        assert f"{struct.size} bytes, aligned to {struct.alignment}" in text
        for field in () if struct.handle else struct.fields:
            row = next(r for r in text.splitlines() if f"| `{field.name}` |" in r)
            assert row.startswith(f"| {field.offset} | {field.size} | ")


def test_page_of_a_small_function(tmp_path: Path, cache: Path) -> None:
    """The page of a function can be read on its own."""
    registry = load(write(tmp_path / "registry"))
    defects = [
        TextDefect("hsa_do", "The parameter count is odd.", "So be it."),
        TextDefect("hsa_do", "Shown by a clause.", "Not repeated.", "hsa_do/count-zero"),
    ]
    text = pages(registry, defects)["core/do/hsa_do.md"]
    assert f"""{MARK}

# hsa_do

Do something.

```c
#include <hsa/hsa.h>

hsa_status_t hsa_do(uint32_t count);
```

- Topic: [core/do](../../README.md#coredo)
- Header: `hsa.h`, exported symbol

## Parameters

| Name | Type | Direction |
| --- | --- | --- |
| `count` | `uint32_t` | in |

## Results

| Status | Meaning | Listed by the text | Clauses |
| --- | --- | --- | --- |
| `HSA_STATUS_SUCCESS` | All is well. | yes | [success](#success) |
| `HSA_STATUS_ERROR` | Something is wrong. | yes | [count-zero](#count-zero) |

## Defects of the text

The parameter `count` is odd. So be it.

## Clauses
""" == text.split("\n### ", 1)[0]
    assert """
**Must.** The call answers `HSA_STATUS_ERROR` when the runtime is initialised, and `count` is 0.

- Id: `hsa_do/count-zero`
- Source: `hsa.h`, `hsa_do`, @retval `HSA_STATUS_ERROR`
""" == section(text, "count-zero")


def test_callback_is_declared_in_full(made: Mapping[str, str]) -> None:
    """A prototype spells a callback out, and the table of parameters links its type."""
    text = made["core/agents/hsa_iterate_agents.md"]
    assert "    hsa_status_t (*callback)(hsa_agent_t agent, void* data),\n    void* data);" in text
    assert "| `callback` | [`hsa_agent_callback`](types.md#hsa_agent_callback) | in |" in text


def test_status_missing_from_the_text_is_told(made: Mapping[str, str]) -> None:
    """A status that a clause names and the function's text does not list is marked as such."""
    text = made["amd/vmem/hsa_amd_vmem_get_access.md"]
    row = next(r for r in text.splitlines() if r.startswith("| `HSA_STATUS_ERROR_NOT_INIT"))
    assert row.endswith("| no | [not-initialized](#not-initialized) |")
