"""Text from a library, made fit to show."""

from __future__ import annotations

from unicodedata import category

from hypothesis import given
from hypothesis import strategies as st

from hsa_reports.text import for_xml, one_line, visible

anything = st.text(st.characters())


@given(anything)
def test_visible_text_has_no_control_characters(text: str) -> None:
    assert all(c in "\n\t" or category(c) != "Cc" for c in visible(text))


def test_control_characters_are_shown_as_escapes() -> None:
    assert visible("\x1b[31mred\0") == r"\x1b[31mred\x00"


def test_characters_that_turn_the_direction_of_writing_are_shown() -> None:
    assert visible("size\u202e0") == r"size\u202e0"


def test_long_text_is_clipped_and_says_by_how_much() -> None:
    assert visible("a" * 1_234_567, limit=4) == "aaaa … (1,234,563 more characters)"


def test_one_line_has_no_line_breaks() -> None:
    assert one_line("a\r\nb\n\n\tc\n") == "a b c"


@given(anything)
def test_xml_text_holds_only_what_xml_allows(text: str) -> None:
    kept = for_xml(text)
    assert all(c in "\t\n\r" or ord(c) >= 0x20 for c in kept)
    kept.encode("utf-8")


def test_xml_text_is_clipped_and_says_by_how_much() -> None:
    assert for_xml("abcde", limit=2) == "ab ... (3 more characters)"
