"""Documents, help, errors, properties and clauses are in plain English."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from tests.unit.language import allowance
from tests.unit.language.patterns import Finding, Pattern, findings, patterns
from tests.unit.language.texts import Text, of_markdown, of_python, texts

HELP = "python -m tests.unit.language"
every_pattern = pytest.mark.parametrize("pattern", patterns(), ids=lambda pattern: pattern.name)


@cache
def found() -> tuple[Finding, ...]:
    """Return the findings in all texts."""
    return tuple(findings(texts()))


def names(words: str) -> list[str]:
    """Return the names of the patterns that are found in a text."""
    return [finding.pattern.name for finding in findings([Text("page.md", 1, words)])]


def test_no_finding_is_new() -> None:
    """Each place has at most as many findings of a pattern as the list allows."""
    new = allowance.counted(found()) - allowance.read()
    shown = [str(one) for one in found() if (one.text.place, one.pattern.name) in new]
    assert [] == shown, f"write them in plain English; `{HELP} PLACE` shows those of one place"


def test_no_allowed_finding_is_gone() -> None:
    """The list is as short as it can be."""
    gone = allowance.read() - allowance.counted(found())
    assert Counter() == gone, f"`{HELP} --shorten` removes them from the list"


def test_the_pages_to_begin_with_and_the_help_have_no_finding() -> None:
    places = {place for place, _ in allowance.read()}
    begin = {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}
    assert set() == {place for place in places if place in begin or place.endswith("--help")}


@every_pattern
def test_a_pattern_finds_its_example_and_nothing_in_the_better_words(pattern: Pattern) -> None:
    assert pattern.name in names(pattern.instead_of)
    assert [] == names(pattern.write)


def test_names_of_patterns_are_different() -> None:
    assert len(patterns()) == len({pattern.name for pattern in patterns()})


def test_questions_and_headings_may_begin_with_what() -> None:
    assert [] == names("What does the library return?")
    assert [] == names("What the text says")
    assert ["what-first"] == names("What the text says is checked.")


def test_code_of_a_document_is_left_out() -> None:
    """Headings, paragraphs and cells are read, with the line where each begins."""
    page = "# One\n\nText with `mended` and\n[a link](alike.md).\n\n    alike\n\n```\nalike\n```\n"
    expected = [("One", 1, True), ("Text with `…` and a link.", 3, False)]
    assert expected == [(t.words, t.line, t.heading) for t in of_markdown("page.md", page)]
    table = "| a | b |\n| - | - |\n| alike | c |\n"
    assert ["a", "b", "alike", "c"] == [t.words for t in of_markdown("page.md", table)]


def test_messages_of_errors_and_docstrings_of_properties_are_read() -> None:
    """Other strings are not; a value in a message is left out."""
    source = '''
"""A module."""
def refuse(value):
    """Refuse."""
    print("other")
    if value:
        raise ValueError(f"{value} is wrong: " "write another")
    return CommandError("first", second="second")

@proves("hsa_init/success")
def starts(scene):
    """Start; it has to succeed."""
'''
    expected = ["`…` is wrong: write another", "first", "second", "Start; it has to succeed."]
    assert expected == [text.words for text in of_python("module.py", source)]


def test_a_list_gets_shorter_and_never_longer() -> None:
    known = Counter({("a.md", "alike"): 3, ("b.md", "alike"): 1})
    now = Counter({("a.md", "alike"): 2, ("c.md", "alike"): 1})
    assert {("a.md", "alike"): 2} == allowance.shortened(known, now)
    assert "2 alike a.md\n" == allowance.as_text(allowance.shortened(known, now))


def test_every_kind_of_text_is_read() -> None:
    """The list of allowed findings must not be short because a folder has moved."""
    kinds = Counter(re.sub(r".*(\.md|\.py|\.yaml|--help)$", r"\1", t.place) for t in texts())
    assert {".md", ".py", ".yaml", "--help"} == kinds.keys()
    assert min(kinds.values()) > 200
