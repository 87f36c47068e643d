"""What the report says about the machine and the library, found beside the library."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess

from hsa_adapters.worker.library import c_library

_MANIFEST = "hsa-host.json"
_DEVICES = ("/dev/kfd", "/dev/dxg")
_COMMAND_TIMEOUT = 30.0


def host() -> dict[str, str]:
    """Describe the machine: kernel, processor, C library, Python."""
    names = os.uname()
    return {
        "system": f"{names.sysname} {names.release}",
        "processor": _processor() or names.machine,
        "c_library": c_library.own(),
        "python": platform.python_version(),
    }


def device() -> bool:
    """Return whether a device node of the driver is in sight."""
    return any(os.path.exists(path) for path in _DEVICES)  # noqa: PTH110


def mapped() -> set[str]:
    """Return the files of libraries that are mapped into this process."""
    with open("/proc/self/maps") as file:  # noqa: PTH123
        return {line[line.index("/") :].rstrip() for line in file if ".so" in line and "/" in line}


def seeks_device(paths: set[str]) -> bool:
    """Return whether one of some libraries has the name of a device node of the driver in it.

    One that has not cannot open it, so that it starts nowhere if it does not start without.
    """
    for path in paths:
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                content = file.read()
        except OSError:
            continue
        if any(name.encode() in content for name in _DEVICES):
            return True
    return False


def manifest(path: str) -> str | None:
    """Return the version that a manifest in a folder above the library names, if there is one.

    Args:
        path: real path of the library.

    """
    folder = path
    while folder != os.path.dirname(folder):  # noqa: PTH120
        folder = os.path.dirname(folder)  # noqa: PTH120
        try:
            with open(os.path.join(folder, _MANIFEST)) as file:  # noqa: PTH118, PTH123
                return str(json.load(file)["rocr_version"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def package(path: str) -> str | None:
    """Return name and version of the installed package that owns a file, such as "a 5.2.3-3".

    Args:
        path: real path of the library.

    """
    owner = _output("dpkg-query", "-S", path)
    if owner:
        name = owner.split(": ")[0].split(",")[0]
        return _output("dpkg-query", "-W", "-f", "${Package} ${Version}", name)
    return _output("rpm", "-q", "--qf", "%{NAME} %{VERSION}-%{RELEASE}", "-f", path)


def _processor() -> str | None:
    try:
        with open("/proc/cpuinfo") as file:  # noqa: PTH123
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return None


def _output(name: str, *arguments: str) -> str | None:
    """Return what a program of that machine prints, or None when it is absent or fails."""
    program = shutil.which(name)
    if program is None:
        return None
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    try:
        done = subprocess.run(
            [program, *arguments],
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_COMMAND_TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace").strip() or None if done.returncode == 0 else None
