"""Loading says exactly what is wrong with a registry, and never gives an outdated one."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from hsa_spec import Kind, RegistryError, Strength, load
from hsa_spec.cache import remove_old
from hsa_spec.loader import REGISTRY, _load
from tests.unit.spec.registry_texts import FUNCTION, STATUS, line_of, write

pytestmark = pytest.mark.usefixtures("cache")


def refused(root: Path) -> RegistryError:
    with pytest.raises(RegistryError) as error:
        load(root)
    return error.value


def test_small_registry_holds_what_its_files_say(tmp_path: Path) -> None:
    """Functions, clauses, topics and headers come out as they were written."""
    registry = load(write(tmp_path))
    function = registry.functions["hsa_do"]
    assert "core/do" == function.topic
    assert "hsa_status_t" == function.result
    assert ("exported", "count-zero", "success", "threads") == tuple(
        c.slug for c in function.clauses
    )
    assert function.clauses[0].kind is Kind.EXPORT
    clause = function.clause("count-zero")
    assert Strength.MUST is clause.strength
    assert ("HSA_STATUS_ERROR",) == clause.status
    assert "hsa.h, hsa_do, @retval HSA_STATUS_ERROR" == str(clause.source)
    assert 0x1000 == registry.status("HSA_STATUS_ERROR")
    assert "HSA_STATUS_ERROR" == registry.status_name(0x1000)
    assert "0x77" == registry.status_name(0x77)


@pytest.mark.parametrize(
    ("old", "new", "at", "rule"),
    [
        (
            "strength: must",
            "strenght: must",
            "strenght",
            "unknown key 'strenght'; the keys are when",
        ),
        ("summary: Do", "sumary: Do", "sumary", "unknown key 'sumary'; the keys are function"),
        ("type: uint32_t", "kind: uint32_t", "kind", "unknown key 'kind'"),
        ("strength: must", "strength: always", "strength: always", "'always' is not one of"),
        ("header:", "export: static\nheader:", "export: static", "'static' is not one of"),
        ("documented: [SUCCESS, ERROR]", "documented: none", "documented", "is not of type"),
        ("header: hsa.h", "header: hsa", "header: hsa", "'hsa' does not match"),
        ("function: hsa_do", "fun: hsa_do", "fun:", "expected a key function or enum or struct"),
        (
            "source: {retval: SUCCESS}",
            "source: {}",
            "source: {}",
            "expected a key documentation or retval or",
        ),
        ("  count-zero:", "  Count:", "clauses:", "'Count' does not match any of the regexes"),
        (
            "status: ERROR\n",
            "status: EROR\n",
            "status: EROR",
            "HSA_STATUS_EROR is not a status code of this registry",
        ),
        (
            "documented: [SUCCESS,",
            "documented: [SUCESS,",
            "documented",
            "HSA_STATUS_SUCESS is not a status code of this registry",
        ),
        ("  success:", "  count-zero:  # again", "# again", "the key 'count-zero' is given twice"),
        ("  success:", "  exported:", "exported", "'exported' is used twice"),
        (
            "count == 0",
            "cuont == 0",
            "cuont",
            "in 'cuont == 0': 'cuont' is neither a parameter, nor an enumerator, nor NULL",
        ),
        ("[initialized(), count > 0]", "[initialised()]", "initialised", "is not a term"),
        (
            "when: [initialized(), count > 0]",
            "when:\n      - initialized()\n      - cuont > 0",
            "cuont",
            "'cuont' is neither a parameter, nor an enumerator, nor NULL",
        ),
        ("    strength: must\n", "    strength: must\n    strength: may\n", "may", "given twice"),
        ("clauses:", "clauses: [", None, "not YAML"),
        ("summary: Do something.", "summary: a: b", "a: b", "not YAML: mapping values"),
    ],
)
def test_refuses(tmp_path: Path, old: str, new: str, at: str | None, rule: str) -> None:
    """Each mistake is an error that names the file, the line and what was expected."""
    text = FUNCTION.replace(old, new, 1)
    assert text != FUNCTION
    error = refused(write(tmp_path, function=text))
    assert tmp_path / "core" / "do.yaml" == error.path
    assert rule in error.rule
    assert f"{error.path}:{error.line}: {error.rule}" == str(error)
    if at is not None:
        assert line_of(text, at) == error.line


def test_refuses_a_table_of_an_unknown_extension(tmp_path: Path) -> None:
    """A table names an enumerator of hsa_extension_t, if it is of an extension."""
    table = """---
table: hsa_do_1_pfn_t
header: hsa.h
summary: Functions.
extension: {name: HSA_EXTENSION_DO, major: 1}
members:
  - {name: hsa_do, function: hsa_do}
"""
    error = refused(write(tmp_path, function=FUNCTION + table))
    assert "HSA_EXTENSION_DO is not in hsa_extension_t of this registry" == error.rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("- a list", "expected a mapping such as 'function: hsa_init'"),
        ("just words", "expected a mapping such as 'function: hsa_init'"),
        ("---\n---\n", "expected a mapping such as 'function: hsa_init'"),
        ("? [a, b]\n: c\n", "not YAML"),
    ],
)
def test_refuses_what_is_no_mapping(tmp_path: Path, text: str, rule: str) -> None:
    """A document that is no mapping of names is refused."""
    error = refused(write(tmp_path, function=text))
    assert rule in error.rule
    assert error.line is not None


def test_refuses_bytes_that_are_no_text(tmp_path: Path) -> None:
    """A file that is not UTF-8 is refused by name."""
    path = write(tmp_path) / "core" / "do.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    error = refused(tmp_path)
    assert path == error.path
    assert "not YAML" in error.rule


def test_refuses_names_that_are_defined_twice(tmp_path: Path) -> None:
    """Functions and enumerators have one definition."""
    again = write(tmp_path / "function", function=f"{FUNCTION}---\n{FUNCTION}")
    assert "hsa_do is described twice" == refused(again).rule
    other = STATUS.replace("hsa_status_t", "hsa_other_t")
    twice = write(tmp_path / "enumerator", status=f"{STATUS}---\n{other}")
    error = refused(twice)
    assert "HSA_STATUS_SUCCESS is defined twice" == error.rule
    assert len(STATUS.splitlines()) + 6 == error.line


def test_refuses_a_folder_without_files(tmp_path: Path) -> None:
    """An empty folder is no registry."""
    error = refused(tmp_path)
    assert tmp_path == error.path
    assert "no registry here: expected *.yaml files in this folder" == error.rule


def test_error_survives_a_process_boundary(tmp_path: Path) -> None:
    """An error that a worker process raises arrives whole."""
    error = refused(tmp_path)
    assert str(error) == str(pickle.loads(pickle.dumps(error)))


def test_same_files_give_the_same_registry(tmp_path: Path) -> None:
    """Loading twice builds once."""
    root = write(tmp_path)
    assert load(root) is load(root)
    assert load() is load(REGISTRY)


def test_changed_file_is_loaded_again(tmp_path: Path) -> None:
    """A change shows at once, and so does taking it back."""
    root = write(tmp_path)
    before = load(root)
    write(root, function=FUNCTION.replace("count == 0", "count == 7"))
    assert "count == 7" == load(root).clauses["hsa_do/count-zero"].when[1].text
    assert before.digest != load(root).digest
    write(root)
    assert "count == 0" == load(root).clauses["hsa_do/count-zero"].when[1].text


def test_new_file_is_loaded(tmp_path: Path) -> None:
    """A file that was added shows at once."""
    root = write(tmp_path)
    load(root)
    (root / "more.yaml").write_text(FUNCTION.replace("hsa_do", "hsa_more"), encoding="utf-8")
    assert {"hsa_do", "hsa_more"} == set(load(root).functions)


def test_cached_reading_gives_the_same_registry(tmp_path: Path, cache: Path) -> None:
    """What is read from the cache equals what is read from the files."""
    first = load(write(tmp_path / "one"))
    assert [".json", ".pickle"] == sorted(file.suffix for file in cache.rglob("*.*"))
    second = load(write(tmp_path / "two"))
    assert [".json", ".pickle"] == sorted(file.suffix for file in cache.rglob("*.*"))
    assert replace(first, root=second.root) == second
    assert tmp_path / "two" == second.root


def test_registry_is_built_of_a_cached_reading(tmp_path: Path, cache: Path) -> None:
    """Files that are read again are not what has to be built again where only code changed."""
    first = load(write(tmp_path / "one"))
    [built] = cache.rglob("*.pickle")
    built.unlink()
    second = load(write(tmp_path / "two"))
    assert replace(first, root=second.root) == second
    assert built.exists()


def test_registry_that_other_code_built_is_built_again(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was built depends on what builds, too."""
    load(write(tmp_path / "one"))
    monkeypatch.setattr("hsa_spec.registry_cache._builders", lambda: "others")
    load(write(tmp_path / "two"))
    assert 2 == len(list(cache.rglob("*.pickle")))


def test_registry_that_another_user_kept_is_built_again(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept can run any code when it is read back."""
    load(write(tmp_path / "one"))
    [kept] = cache.rglob("*.pickle")
    before = kept.stat().st_ino
    monkeypatch.setattr("os.geteuid", lambda: kept.stat().st_uid + 1)
    load(write(tmp_path / "two"))
    assert before != kept.stat().st_ino


def test_what_was_kept_long_ago_is_removed(tmp_path: Path, cache: Path) -> None:
    """A cache that nobody cleans does not grow with each change of a registry."""
    load(write(tmp_path / "one"))
    old = set(cache.rglob("*.*"))
    for file in old:
        os.utime(file, (0, 0))
    remove_old.cache_clear()  # as in a process that begins
    load(write(tmp_path / "other", function=FUNCTION.replace("something", "more")))
    assert 2 == len(old)
    assert set() == old & set(cache.rglob("*.*"))


def test_the_whole_registry_is_kept_as_it_was_built(cache: Path) -> None:
    """Conditions, whose words hold functions, are kept as well."""
    _load.cache_clear()
    built = load()
    _load.cache_clear()
    assert built == load()
    assert built is not load()


@pytest.mark.parametrize("content", ["", "{", "null", "5", "[1]", "[[]]", "{}", "\0"])
def test_broken_cache_is_ignored(tmp_path: Path, cache: Path, content: str) -> None:
    """Whatever lies in the cache, the registry is the one of the files."""
    load(write(tmp_path / "one"))
    files = list(cache.rglob("*.*"))
    for file in files:
        file.write_text(content, encoding="utf-8")
    assert {"hsa_do"} == set(load(write(tmp_path / "two")).functions)
    assert [] == [file for file in files if file.read_bytes() == content.encode()]


def test_cache_that_cannot_be_written_is_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache folder under a file costs nothing but time."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert {"hsa_do"} == set(load(write(tmp_path / "registry")).functions)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_cache_without_permission_is_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache folder that belongs to somebody else costs nothing but time."""
    (tmp_path / "cache").mkdir(mode=0o500)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert {"hsa_do"} == set(load(write(tmp_path / "registry")).functions)


def test_user_without_a_home_is_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container the user may have no home at all."""
    monkeypatch.delenv("XDG_CACHE_HOME")

    def no_home(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", no_home)
    assert {"hsa_do"} == set(load(write(tmp_path)).functions)
