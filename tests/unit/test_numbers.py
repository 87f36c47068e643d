"""What the documents count is what there is."""

from __future__ import annotations

from pathlib import Path

from hsa_conformance.topics import TOPICS
from hsa_reference import implemented
from hsa_spec import Registry

ROOT = Path(__file__).parents[2]


def test_documents_count_the_functions_that_there_are(registry: Registry) -> None:
    """Those of the specification, of the suite and of the reference, and those it lacks."""
    judged = {n for n, f in registry.functions.items() if f.topic in TOPICS.by_name}
    written = set(implemented(registry).functions)
    lacking = registry.functions.keys() - written
    said = {
        "README.md": (
            f"the whole API: {len(registry.functions)} functions",
            f"The suite covers {len(judged)} of them",
            f"The reference covers {len(written)},",
        ),
        "CHANGELOG.md": (
            f"profiling events): {len(registry.functions)} functions,",
            f"The suite covers {len(judged)} of the functions",
            f"the reference covers {len(written)},",
        ),
        "docs/tutorial/first-run.md": (
            f"Passes the {len(written)} functions that it claims, of {len(registry.functions)},",
        ),
        "docs/explanation/what-is-not-tested.md": (
            f"The reference has {len(written)} functions, all but the {len(lacking)}",
        ),
    }
    texts = {name: " ".join((ROOT / name).read_text().split()) for name in said}
    wrong = {name: [w for w in words if w not in texts[name]] for name, words in said.items()}
    assert {} == {name: words for name, words in wrong.items() if words}
