"""Making a host: download, unpack, and put it in place in one step."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hsa_adapters.hosts.apt import Apt, unpack
from hsa_adapters.hosts.host import MANIFEST, Host, HostError, check_suite, folder, load

ROCR = "libhsa-runtime64-1"
PYTHON = ("python3-minimal", "libpython3-stdlib")
SPACE = 400 << 20  # bytes; index, packages and unpacked files together stay below


def create(suite: str, out: Path | None = None) -> Host:
    """Make the host of a suite, or return the one that is there already.

    Delete the folder to have it made again from newer packages.

    Args:
        suite: one of SUITES.
        out: the folder to make; None for the suite's place in the default folder.

    Raises:
        HostError: it cannot be made; the message says what to do.

    """
    check_suite(suite)
    root = (out or folder() / suite).absolute()
    if root.is_dir() and any(root.iterdir()):
        return _existing(suite, root)
    if set(str(root)) & set(":;"):
        raise HostError(f"{root} has a colon or semicolon in it, which a library path cannot hold")
    try:
        if root.exists() and not root.is_dir():  # found before anything is downloaded
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        root.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(root.parent).free
        if free < SPACE:
            raise HostError(
                f"{root.parent} has {free >> 20} MiB free and a host needs {SPACE >> 20}: "
                "make room or choose another folder"
            )
        with tempfile.TemporaryDirectory(prefix=f".{root.name}-", dir=root.parent) as work:
            _build(suite, Path(work))
            _publish(Path(work) / "root", root)
    except OSError as error:
        raise HostError(f"cannot make {root}: {error.strerror}; choose another folder") from error
    return _existing(suite, root)


def _existing(suite: str, root: Path) -> Host:
    host = load(root)
    if host.suite != suite:
        raise HostError(f"{root} holds {host.suite}, not {suite}: choose another folder")
    return host


def _build(suite: str, work: Path) -> None:
    """Build a whole host in the folder `root` inside a working folder."""
    (work / "apt").mkdir()
    apt = Apt(work / "apt")
    if suite == "experimental":  # it holds additions only: all else comes from sid
        apt.update(["sid", suite])
        apt.prefer(ROCR, suite)
    else:
        apt.update([suite])
    files = apt.download([ROCR, *PYTHON])
    root = work / "root"
    root.mkdir()
    packages = dict(unpack(file, root) for file in files)
    _keep_links_inside(root)
    manifest = json.dumps(_describe(suite, root, packages), indent=2)
    (root / MANIFEST).write_text(manifest + "\n", encoding="utf-8")


def _publish(built: Path, root: Path) -> None:
    try:
        built.rename(root)
    except OSError as error:
        # Somebody else made it in the meantime, and theirs is as good.
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise


def _keep_links_inside(root: Path) -> None:
    """Make absolute links relative: they mean the folder's files, not the machine's."""
    for directory, folders, files in os.walk(root):
        for link in (Path(directory) / name for name in folders + files):
            if link.is_symlink() and link.readlink().is_absolute():
                target = os.path.relpath(f"{root}{link.readlink()}", directory)
                link.unlink()
                link.symlink_to(target)


def _describe(suite: str, root: Path, packages: Mapping[str, str]) -> dict[str, object]:
    library = _only(root, "usr/lib/*/libhsa-runtime64.so.1")
    python = root / "usr/bin" / (root / "usr/bin/python3").readlink()
    # Suites before the merge of / and /usr have a part of their libraries in /lib.
    triplet = library.parent.name
    libraries = [root / top / triplet for top in ("usr/lib", "lib")]
    path = ":".join(f"{{root}}/{_inside(root, it)}" for it in libraries if it.is_dir())
    version = re.match(r"[0-9]+(\.[0-9]+)*", packages[ROCR])
    if version is None:
        raise HostError(f"{ROCR} has the odd version {packages[ROCR]}: report it to this project")
    via = [
        f"{{root}}/{_inside(root, _loader(root, python))}",
        "--inhibit-cache",
        "--library-path",
        path,
        f"{{root}}/{_inside(root, python)}",
        *("-I", "-S", "{args}"),
    ]
    return {
        "suite": suite,
        "rocr_version": version[0],
        "library": _inside(root, library),
        "via": " ".join(via),
        "packages": dict(sorted(packages.items())),
    }


def _loader(root: Path, program: Path) -> Path:
    """Return the dynamic loader that a program asks for, as it lies in the folder."""
    # Takes a tenth of a second, which those who only look for a host need not wait for.
    from elftools.elf.elffile import ELFFile
    from elftools.elf.segments import InterpSegment

    with program.open("rb") as file:
        segments = ELFFile(file).iter_segments("PT_INTERP")
        names = [it.get_interp_name() for it in segments if isinstance(it, InterpSegment)]
    for path in (root / top / name.lstrip("/") for name in names for top in ("", "usr")):
        if path.is_file():
            return path
    raise HostError(f"the suite's C library lacks {names}: this machine's processor is not served")


def _only(root: Path, pattern: str) -> Path:
    found = sorted(root.glob(pattern))
    if len(found) != 1:
        raise HostError(f"expected one {pattern} in the packages and found {len(found)}")
    return found[0]


def _inside(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()
