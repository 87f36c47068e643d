"""The registry says what the headers of four Debian suites say: `tox -e headers` runs this."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hsa_adapters.hosts.apt import Apt, unpack
from hsa_spec import Registry, Release, load
from hsa_spec.headers import compare, parse

pytest.importorskip("clang.cindex", reason="needs libclang: install the extra `headers`")

PACKAGE = "libhsa-runtime-dev"
RUNTIME = "libhsa-runtime64-1"  # of which it wants the same version

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(
        not os.environ.get("HSA_TEST_HEADERS"), reason="takes packages: run `tox -e headers`"
    ),
]


def headers_of(suite: str, folder: Path) -> tuple[Path, str]:
    """Unpack a suite's headers, and return their folder and the version of the package."""
    (folder / "apt").mkdir()
    apt = Apt(folder / "apt")
    if suite == "experimental":  # it holds additions only: all else comes from sid
        apt.update(["sid", suite])
        apt.prefer(f"{PACKAGE} {RUNTIME}", suite)
    else:
        apt.update([suite])
    [package] = (f for f in apt.download([PACKAGE]) if f.name.startswith(f"{PACKAGE}_"))
    _, version = unpack(package, folder / "root")
    return folder / "root/usr/include/hsa", version


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load()


@pytest.mark.parametrize("suite", ["bookworm", "trixie", "sid", "experimental"])
def test_no_difference(registry: Registry, tmp_path: Path, suite: str) -> None:
    """Functions, types, values, layouts and documented statuses agree, in both directions."""
    folder, version = headers_of(suite, tmp_path)
    release = re.match(r"(?:\d+:)?(\d+(?:\.\d+)+)", version)
    assert release
    headers = parse(folder)
    assert () == headers.problems
    done = compare(registry, headers, Release.parse(release[1]))
    assert [] == [str(difference) for difference in done.differences]
