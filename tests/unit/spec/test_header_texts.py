"""A changed sentence in a header's comment is noticed, by a digest of each text and release."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Registry, RegistryError, load
from hsa_spec.headers import Headers, compare, parse, texts
from hsa_spec.releases import Release
from tests.unit.spec.header_texts import HEADER, write_header
from tests.unit.spec.lint_mistakes import TEXT
from tests.unit.spec.registry_texts import write

pytest.importorskip("clang.cindex", reason="needs libclang: install the extra `headers`")

pytestmark = pytest.mark.usefixtures("cache")

OLD = Release.parse("6.0")


@pytest.fixture
def small(tmp_path: Path) -> Registry:
    """Return a registry of which one release's texts are recorded."""
    registry = load(write(tmp_path / "registry", function=TEXT))
    texts.record(registry, headers(tmp_path), OLD)
    return registry


def headers(folder: Path, old: str = "", new: str = "") -> Headers:
    assert old in HEADER
    return parse(write_header(folder / "hsa", HEADER.replace(old, new, 1)))


def found(registry: Registry, read: Headers, release: Release = OLD) -> list[str]:
    return [str(d) for d in compare(registry, read, release).differences if "its text" in str(d)]


def test_what_was_read_is_no_difference(small: Registry, tmp_path: Path) -> None:
    """The texts that were recorded agree."""
    assert [] == found(small, headers(tmp_path))


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("SUCCESS fine", "SUCCESS splendid", "hsa.h:19: hsa_do"),
        ("/** @copydoc hsa_do */", "/** @copydoc hsa_do\n Twice. */", "hsa.h:22: hsa_more"),
        (
            "  HSA_COLOUR_BLUE",
            "  /** Like the sky. */\n  HSA_COLOUR_BLUE",
            "hsa.h:10: hsa_colour_t",
        ),
        ("{ uint32_t small;", "{ /** Few. */ uint32_t small;", "hsa.h:9: hsa_pair_t"),
        (
            "typedef struct hsa_thing_s",
            "/** A thing. */\ntypedef struct hsa_thing_s",
            "hsa.h:9: hsa_thing_t",
        ),
    ],
)
def test_a_changed_sentence_is_found(
    small: Registry, tmp_path: Path, old: str, new: str, place: str
) -> None:
    """What is declared is named, whose comment or whose member's comment is another."""
    message = "its text is another than was read in ROCm 6.0: read its clauses again"
    assert [f"{place}: {message}"] == found(small, headers(tmp_path, old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            " * @retval ::HSA_STATUS_SUCCESS fine\n",
            " *\n * @retval\n *   ::HSA_STATUS_SUCCESS fine\n",
        ),
        ("/** @copydoc hsa_do */", "/// @copydoc hsa_do"),
    ],
)
def test_only_words_count(small: Registry, tmp_path: Path, old: str, new: str) -> None:
    """How a comment is written and broken into lines changes nothing."""
    assert [] == found(small, headers(tmp_path, old, new))


def test_a_release_that_is_not_recorded(small: Registry, tmp_path: Path) -> None:
    """Its texts have to be those of some release that was read."""
    later = Release.parse("6.1")
    assert [] == found(small, headers(tmp_path), later)
    [changed] = found(small, headers(tmp_path, "SUCCESS fine", "SUCCESS splendid"), later)
    assert "hsa_do: its text is another than was read in ROCm 6.1" in changed


def test_what_is_new_has_not_been_read(small: Registry, tmp_path: Path) -> None:
    """A function without any recorded text is named."""
    path = small.root / texts.NAME
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("hsa_do ")))
    message = "nobody has read its text in ROCm 6.0: read its clauses again"
    assert [f"hsa.h:19: hsa_do: {message}"] == found(small, headers(tmp_path))


def test_recording_again_replaces_a_release(small: Registry, tmp_path: Path) -> None:
    """A text that several releases share is one line, and a changed one another."""
    changed = headers(tmp_path, "SUCCESS fine", "SUCCESS splendid")
    texts.record(small, changed, Release.parse("6.1"))
    of_function = dict(texts.read(small.root)["hsa_do"])
    assert 2 == len(set(of_function.values()))
    texts.record(small, changed, OLD)
    lines = [
        line.split()
        for line in (small.root / texts.NAME).read_text().splitlines()
        if "hsa_do" in line
    ]
    assert [["hsa_do", of_function["6.1"], "6.0", "6.1"]] == lines


@pytest.mark.parametrize("release", [Release(), Release.parse("6.0..6.2"), Release.parse("6.0..")])
def test_texts_belong_to_one_release(small: Registry, tmp_path: Path, release: Release) -> None:
    """Nothing is recorded of who knows which release."""
    with pytest.raises(ValueError, match="name the one release that the headers are of"):
        texts.record(small, headers(tmp_path), release)


def test_a_malformed_line_is_named(small: Registry) -> None:
    """The error names file and line."""
    (small.root / texts.NAME).write_text("# a comment\nhsa_do 6.0\n", encoding="utf-8")
    with pytest.raises(RegistryError, match=r"texts\.txt:2: expected NAME DIGEST VERSION"):
        texts.read(small.root)


def test_what_releases_declare_is_recorded(registry: Registry) -> None:
    """In each recorded version there are the functions that the registry says it has."""
    recorded = texts.read(registry.root)
    versions = {version for of_name in recorded.values() for version in of_name}
    assert 14 == len(versions)
    for version in versions:
        interface = version.removeprefix("interface-")
        release = Release(interface=interface) if interface != version else Release.parse(version)
        there = {n for n, of_name in recorded.items() if version in of_name}
        for function in registry.functions.values():
            if release.has(function.versions) is not None:
                assert release.has(function.versions) is (function.name in there), (
                    function.name,
                    version,
                )
