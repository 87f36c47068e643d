"""Hosts with a fake apt: what is made, what is found, and what is said when it cannot be."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.segments import InterpSegment

from hsa_adapters.hosts import Host, HostError, available, create, find, load

APT = """#!/bin/sh
# fake apt-get: two mirrors, of which the second has the suite; the working folder is $2's
case "$*" in
*--print-uris*)
    for mirror in vendor debian; do
        echo "'file:/mirror/$mirror/dists/stable/InRelease' name 0 "
        echo "'file:/mirror/$mirror/dists/stable/main/binary-amd64/Packages.xz' name 0 "
    done ;;
*update*)
    cat "${2%/*}/sources.list" >>"$LOG"
    grep -q "/mirror/debian $SERVED" "${2%/*}/sources.list" && exit 0
    echo "E: $(tail -n 1 "${2%/*}/sources.list") has no Release file" >&2
    exit 100 ;;
*install*)
    echo "$*" >>"$LOG"
    touch "${2%/*}/cache/archives/rocr_6.1.2.deb" ;;
esac
"""

DPKG = """#!/bin/sh
# fake dpkg-deb: its one package holds the folder $TREE
case "$1" in
--extract) cp -R "$TREE/." "$3" ;;
--show) printf 'libhsa-runtime64-1 6.1.2+dfsg-3' ;;
esac
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty default folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "hsa-conformance" / "hosts"


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fake apt whose package looks like ROCr, Python and the C library in one."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, script in (("apt-get", APT), ("dpkg-deb", DPKG)):
        (tools / name).write_text(script)
        (tools / name).chmod(0o755)
    tree = tmp_path / "tree"
    libraries = tree / "usr/lib/some-linux-gnu"
    libraries.mkdir(parents=True)
    for name in ("libhsa-runtime64.so.1", "ld.so"):
        (libraries / name).touch()
    (tree / "usr/bin").mkdir()
    shutil.copy(Path(sys.executable).resolve(), tree / "usr/bin/python3.13")
    (tree / "usr/bin/python3").symlink_to("python3.13")
    with (tree / "usr/bin/python3.13").open("rb") as file:
        [segment] = ELFFile(file).iter_segments("PT_INTERP")
        assert isinstance(segment, InterpSegment)
        interpreter = segment.get_interp_name()
    loader = tree / interpreter.lstrip("/")
    loader.parent.mkdir()
    loader.symlink_to("/usr/lib/some-linux-gnu/ld.so")
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("TREE", str(tree))
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    monkeypatch.setenv("SERVED", "trixie")
    return tmp_path / "log"


def test_create_makes_the_suite_in_the_default_folder(cache: Path, apt: Path) -> None:
    root = cache / "trixie"

    host = create("trixie")

    assert "trixie" == host.suite
    assert root == host.root
    assert root / "usr/lib/some-linux-gnu/libhsa-runtime64.so.1" == host.library
    assert "6.1.2" == host.rocr_version


def test_via_runs_the_folders_own_python_through_its_own_loader(cache: Path, apt: Path) -> None:
    host = create("trixie")

    loader, *options, python, isolated, no_site, rest = shlex.split(host.via)

    assert (host.root / "usr/lib/some-linux-gnu/ld.so").samefile(loader)
    assert ["--inhibit-cache", "--library-path", f"{host.root}/usr/lib/some-linux-gnu"] == options
    assert f"{host.root}/usr/bin/python3.13" == python
    assert ["-I", "-S", "{args}"] == [isolated, no_site, rest]


def test_via_quotes_a_folder_with_spaces(apt: Path, tmp_path: Path) -> None:
    host = create("trixie", tmp_path / "a b")

    assert str(tmp_path / "a b") in shlex.split(host.via)[0]


def test_create_asks_apts_mirrors_in_turn_until_one_serves_the_suite(
    cache: Path, apt: Path
) -> None:
    create("trixie")

    *tried, last = [line.split()[-3:] for line in apt.read_text().splitlines()]

    assert [
        ["file:/mirror/vendor", "trixie", "main"],
        ["file:/mirror/debian", "trixie", "main"],
    ] == tried
    assert ["libhsa-runtime64-1", "python3-minimal", "libpython3-stdlib"] == last


def test_experimental_is_laid_over_sid(
    cache: Path, apt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVED", "experimental")

    create("experimental")

    suites = [line.split()[-2] for line in apt.read_text().splitlines()[-3:-1]]
    assert ["sid", "experimental"] == suites


def test_create_returns_what_is_there_without_asking_apt(cache: Path, apt: Path) -> None:
    first = create("trixie")
    apt.unlink()

    assert first == create("trixie")
    assert not apt.exists()


def test_a_suite_that_no_mirror_serves_is_refused_with_apts_words(cache: Path, apt: Path) -> None:
    with pytest.raises(HostError, match=r"(?s)Debian's sid.*debian sid main has no Release file"):
        create("sid")


def test_a_failed_create_leaves_nothing_behind(cache: Path, apt: Path) -> None:
    with pytest.raises(HostError):
        create("sid")

    assert [] == list(cache.iterdir())


def test_a_package_without_the_library_is_refused(cache: Path, apt: Path, tmp_path: Path) -> None:
    (tmp_path / "tree/usr/lib/some-linux-gnu/libhsa-runtime64.so.1").unlink()

    with pytest.raises(HostError, match="found 0"):
        create("trixie")


def test_sources_without_a_mirror_are_named_as_the_reason(
    cache: Path, apt: Path, tmp_path: Path
) -> None:
    (tmp_path / "tools/apt-get").write_text("#!/bin/sh\n")

    with pytest.raises(HostError, match="add a Debian mirror"):
        create("trixie")


def test_a_machine_without_apt_is_told_to_use_one_that_has_it(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(HostError, match="apt-get is not on PATH"):
        create("trixie")


def test_a_full_disk_is_noticed_before_anything_is_fetched(
    cache: Path, apt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 0))

    with pytest.raises(HostError, match="make room"):
        create("trixie")
    assert not apt.exists()


def test_a_folder_that_cannot_be_made_is_an_error_of_its_own(apt: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(HostError, match="choose another folder"):
        create("trixie", tmp_path / "file" / "trixie")


def test_a_folder_that_a_library_path_cannot_hold_is_refused(apt: Path, tmp_path: Path) -> None:
    with pytest.raises(HostError, match="colon"):
        create("trixie", tmp_path / "a:b")


def test_a_folder_with_something_else_in_it_is_left_alone(apt: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()

    with pytest.raises(HostError, match="holds no host"):
        create("trixie", tmp_path / "mine")


def test_a_folder_of_another_suite_is_refused(apt: Path, tmp_path: Path) -> None:
    create("trixie", tmp_path / "host")

    with pytest.raises(HostError, match="holds trixie, not sid"):
        create("sid", tmp_path / "host")


@pytest.mark.parametrize("function", [create, find])
def test_an_unknown_suite_is_refused_with_the_known_ones(function: Callable[..., Any]) -> None:
    with pytest.raises(HostError, match="use one of bookworm, trixie, sid, experimental"):
        function("buster")


def test_find_says_how_to_make_a_missing_host(cache: Path) -> None:
    with pytest.raises(HostError, match="hsa-conformance hosts create sid"):
        find("sid")


def test_find_returns_what_create_made(cache: Path, apt: Path) -> None:
    assert create("trixie") == find("trixie")


def test_nothing_is_available_before_the_first_create(cache: Path) -> None:
    assert [] == available()


def test_available_lists_what_create_made(cache: Path, apt: Path) -> None:
    host = create("trixie")

    assert [host] == available()


def test_a_host_works_where_its_folder_was_moved_to(apt: Path, tmp_path: Path) -> None:
    old = create("trixie", tmp_path / "old").root

    new = load(old.rename(tmp_path / "new"))

    assert tmp_path / "new/usr/lib/some-linux-gnu/libhsa-runtime64.so.1" == new.library
    assert str(tmp_path / "old") not in new.via


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"suite": "trixie"}', "\x00"])
def test_a_damaged_manifest_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "hsa-host.json").write_text(text)

    with pytest.raises(HostError, match="delete it and create it again"):
        load(tmp_path)


def test_a_host_without_its_library_is_damaged(tmp_path: Path) -> None:
    data = {"suite": "trixie", "library": "gone.so", "via": "{args}", "rocr_version": "6.1.2"}
    (tmp_path / "hsa-host.json").write_text(json.dumps(data))

    with pytest.raises(HostError, match=r"gone\.so is missing"):
        load(tmp_path)


def test_a_relative_cache_folder_is_ignored_as_the_standard_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / ".cache/hsa-conformance/hosts/trixie"
    root.mkdir(parents=True)
    (root / "library.so").touch()
    data = {"suite": "trixie", "library": "library.so", "via": "{args}", "rocr_version": "6.1.2"}
    (root / "hsa-host.json").write_text(json.dumps(data))

    assert [Host("trixie", root, root / "library.so", "{args}", "6.1.2")] == available()
