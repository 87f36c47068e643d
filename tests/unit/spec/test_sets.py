"""Named sets, and the files in which an implementation claims them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hsa_spec import Registry, RegistryError, named_sets, read_claim
from hsa_spec.releases import HSA_VERSIONS


def claim(folder: Path, text: str) -> Path:
    path = folder / "claim.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_virtual_memory_grows_with_the_interface(registry: Registry) -> None:
    """Twelve functions in ROCm 6.0, thirteen in 6.2, fifteen with fabric handles."""
    sets = named_sets(registry)
    sizes = [len(sets[f"amd-vmem-{version}"].functions) for version in ("1.4", "1.6", "1.25")]
    assert [12, 13, 15] == sizes


def test_sets_of_whole_headers(registry: Registry) -> None:
    """A set of a header has each of its functions."""
    in_header = {f.name for f in registry.functions.values() if f.header == "hsa.h"}
    assert in_header == named_sets(registry)["core-1.2"].functions


def test_each_published_version_has_a_set(registry: Registry) -> None:
    """There is a set for each version of HSA, and for each interface that something began with."""
    sets = named_sets(registry)
    functions = (f.versions for f in registry.functions.values() if f.header == "hsa_ext_amd.h")
    names = (e.versions for enum in registry.enums.values() for e in enum.enumerators)
    begun = {v.amd_interface for v in (*functions, *names)} - {None}
    assert set() == {f"core-{version}" for version in HSA_VERSIONS} - set(sets)
    assert set() == {f"amd-{interface}" for interface in begun} - set(sets)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("images-1.0", 10),
        ("images-1", 13),
        ("finalizer-1.0", 6),
        ("finalizer-1", 11),
        ("finalizer-isas-1", 3),
        ("counters-1", 20),
        ("profiling-events-1", 21),
        ("loader-1.0", 3),
        ("loader-1.3", 7),
    ],
)
def test_sets_of_published_tables(registry: Registry, name: str, size: int) -> None:
    """A set of an extension is what its table of that version has, without what AMD added."""
    assert size == len(named_sets(registry)[name].functions)


def test_a_set_has_only_what_its_version_is_known_to_have(registry: Registry) -> None:
    """Not every header of interface 1.0 has SPM, and not every one of 1.1 copies on engines."""
    sets = named_sets(registry)
    assert "hsa_amd_spm_acquire" not in sets["amd-1.0"].functions
    assert "hsa_amd_spm_acquire" in sets["amd-1.1"].functions
    assert "hsa_amd_memory_async_copy_on_engine" not in sets["amd-1.1"].functions
    assert "hsa_amd_memory_async_copy_on_engine" in sets["amd-1.2"].functions


def test_a_claim_is_the_union_of_what_it_names(registry: Registry, tmp_path: Path) -> None:
    """Sets and single functions add up."""
    text = "implementation: mine\nsets: [amd-ipc]\nfunctions: [hsa_init]\n"
    found = read_claim(claim(tmp_path, text), registry)
    assert ("mine", ("amd-ipc",)) == (found.implementation, found.sets)
    assert named_sets(registry)["amd-ipc"].functions | {"hsa_init"} == found.functions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("implementation: mine\nsets: [amd-ipcc]\n", "claim.yaml:2: there is no set 'amd-ipcc'; "),
        (
            "implementation: mine\nfunctions: [hsa_x]\n",
            "claim.yaml:2: hsa_x is not in the registry",
        ),
        ("sets: [amd-ipc]\n", "claim.yaml:1: the document: 'implementation' is a required"),
        ("implementation: mine\nset: [amd-ipc]\n", "claim.yaml:2: the document: unknown key 'set'"),
        ("", "claim.yaml: expected one claim, a mapping with `implementation`"),
    ],
)
def test_bad_claims_say_what_is_wrong(
    registry: Registry, tmp_path: Path, text: str, message: str
) -> None:
    """The error names the file, the line where there is one, and the rule."""
    with pytest.raises(RegistryError, match=re.escape(message)):
        read_claim(claim(tmp_path, text), registry)


def test_a_claim_that_is_not_there(registry: Registry, tmp_path: Path) -> None:
    """A missing file is one line."""
    with pytest.raises(RegistryError, match="cannot be read: No such file"):
        read_claim(tmp_path / "none.yaml", registry)
