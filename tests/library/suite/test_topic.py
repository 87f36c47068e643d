"""Topics put together: each thing is said by one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hsa_conformance.engine.topic import Topic, Topics

#: A part of a topic, and what it is called where two topics have it.
PARTS: Mapping[str, str] = {
    "transitions": "a transition of it",
    "facts": "the fact it",
    "plural": "a further call of it",
    "memory": "the kind of memory it",
    "generators": "generators of it",
    "comparisons": "a comparison with it",
    "types": "the term of it",
    "machine": "the objects of it",
    "addresses": "addresses for it",
    "holders": "the holders of it",
}


def both(**part: Any) -> Topics:
    return Topics([Topic("core/first", **part), Topic("amd/second", **part)])


@pytest.mark.parametrize("part", PARTS)
def test_what_two_topics_say_is_refused_and_named(part: str) -> None:
    wanted = f"the topics core/first and amd/second both have {PARTS[part]}: leave one of them out"
    with pytest.raises(ValueError, match=f"^{wanted}$"):
        both(**{part: {"it": None}})


def test_two_topics_of_one_short_name_are_refused() -> None:
    with pytest.raises(ValueError, match="both have the short name it"):
        both(group="it")


def test_two_topics_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="both have the name core/first"):
        Topics([Topic("core/first"), Topic("core/first")])
