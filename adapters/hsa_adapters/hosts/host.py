"""A host: a folder with a ROCr library and everything needed to run Python around it."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from hsa_spec.cache import cache_folder

SUITES = ("bookworm", "trixie", "sid", "experimental")
MANIFEST = "hsa-host.json"


class HostError(Exception):
    """A host cannot be made or found; the message says what to do."""


class NoHostError(HostError):
    """There is no such host."""


@dataclass(frozen=True)
class Host:
    """One unpacked suite.

    Attributes:
        suite: Debian suite it was made from, one of SUITES.
        root: absolute path of the folder.
        library: absolute path of its libhsa-runtime64.so.1.
        via: command that runs the folder's own Python through the folder's own dynamic loader;
            a template in shell quoting, in which `{args}` stands for Python's arguments.
        rocr_version: upstream version of ROCr's package, such as "6.1.2".

    """

    suite: str
    root: Path
    library: Path
    via: str
    rocr_version: str


def check_suite(suite: str) -> None:
    """Refuse a suite that no host can be made of.

    Raises:
        HostError: it is not one of SUITES.

    """
    if suite not in SUITES:
        raise NoHostError(f"unknown suite {suite!r}: use one of {', '.join(SUITES)}")


def folder() -> Path:
    """Return the folder that holds the hosts by suite."""
    return cache_folder() / "hosts"


def load(root: Path) -> Host:
    """Read the host in a folder, wherever the folder is now.

    Args:
        root: the folder that `create` made.

    Raises:
        HostError: the folder holds no host, or one that is damaged.

    """
    root = root.absolute()
    try:
        data = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
        host = Host(
            suite=data["suite"],
            root=root,
            library=root / data["library"],
            via=data["via"].replace("{root}", shlex.quote(str(root))),
            rocr_version=data["rocr_version"],
        )
    except FileNotFoundError:
        raise HostError(
            f"{root} holds no host ({MANIFEST} is missing): give a folder that `hsa-conformance "
            "hosts create` made, or one that is empty or absent to create one"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{MANIFEST} cannot be used: {error!r}"
        raise HostError(f"{root} is damaged ({reason}); delete it and create it again") from error
    if not host.library.is_file():
        raise HostError(f"{host.library} is missing; delete {root} and create it again")
    return host


def find(suite: str) -> Host:
    """Return the host of a suite in the default folder.

    Args:
        suite: one of SUITES.

    Raises:
        NoHostError: the suite is unknown, or was not created.
        HostError: the host is damaged.

    """
    check_suite(suite)
    root = folder() / suite
    if not root.exists():
        raise NoHostError(f"no host for {suite}: run `hsa-conformance hosts create {suite}` first")
    return load(root)


def available() -> list[Host]:
    """Return the hosts in the default folder, oldest suite first.

    Raises:
        HostError: one of them is damaged.

    """
    return [load(folder() / suite) for suite in SUITES if (folder() / suite).exists()]
