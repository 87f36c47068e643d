"""Names of classes and modules are nouns: a participle leaves out the thing that it describes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.language.texts import PACKAGES, ROOT

#: Participles that do not end in -ed, and are no nouns either.
IRREGULAR = frozenset(
    (
        *(
            "begun",
            "bound",
            "broken",
            "built",
            "caught",
            "chosen",
            "done",
            "drawn",
            "fallen",
            "found",
        ),
        *("frozen", "given", "gone", "grown", "held", "hidden", "kept", "known", "laid", "left"),
        *("lost", "made", "met", "paid", "read", "said", "seen", "sent", "shown", "shut", "spelt"),
        *("spent", "stuck", "swept", "taken", "thrown", "told", "woken", "written"),
    )
)
#: Words that end in -ed and are nouns or verbs.
NOUNS = frozenset(("embed", "feed", "need", "seed", "speed"))

#: Names that stay: the word is a term, or what is kept on disk has it.
TERMS = frozenset(
    (
        "Blocked",  # the verdict
        "Ended",  # what adapters raise
        "Judged",  # an event, as those of a run
        "RunEnded",
        "RunStarted",
        "shared",  # what topics share
        # Kinds of actions, operands and terms in events.jsonl.
        *("Counted", "Given", "Held", "Listed", "Named", "Read", "Taken"),
        # Kept examples have their representations.
        *("_Filtered", "_Sampled"),
    )
)


def is_participle(name: str) -> bool:
    """Return whether the last word of a name is one."""
    *_, last = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name) or [name]
    word = last.lower()
    return word in IRREGULAR or (word.endswith("ed") and len(word) > 3 and word not in NOUNS)


def names() -> Iterator[tuple[str, str]]:
    """Yield each module, package and class with the file that has it."""
    for folder in (*PACKAGES, "tests", "benchmarks"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            place = file.relative_to(ROOT).as_posix()
            yield place, module(file)
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    yield place, node.name


def module(file: Path) -> str:
    """Return the name of a module or package; tests have sentences for theirs."""
    name = file.parent.name if file.name == "__init__.py" else file.stem
    return "" if name.startswith("test_") else name


def test_names_of_classes_and_modules_are_nouns() -> None:
    wrong = [f"{place}: {name}" for place, name in names() if is_participle(name)]
    left = [each for each in wrong if each.rpartition(" ")[2] not in TERMS]
    assert [] == left, "name the thing: a noun of the field, such as `Exclusion` for `Excluded`"


def test_every_exception_is_in_use() -> None:
    assert set() == TERMS - {name for _, name in names() if is_participle(name)}


@pytest.mark.parametrize("name", ["Seen", "_Prepared", "drawn", "is_held", "NeverArmed"])
def test_a_participle_at_the_end_is_found(name: str) -> None:
    assert is_participle(name)


@pytest.mark.parametrize(
    "name", ["SharedSignal", "loaded_code", "Seed", "Run", "ring", "MergedRun"]
)
def test_nouns_may_have_a_participle_before_them(name: str) -> None:
    assert not is_participle(name)
