"""A private apt: one suite's index and packages, without root, beside the machine's own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hsa_adapters.hosts.host import HostError

# Only Debian's own key may sign: it also keeps other vendors' mirrors from being mistaken for it.
KEYRINGS = (
    Path("/usr/share/keyrings/debian-archive-keyring.gpg"),
    Path("/usr/share/keyrings/debian-archive-keyring.pgp"),
)

# The machine's settings (proxies, time-outs, credentials) stay in force; its hooks do not, since
# they belong to the system's package database and fail without root. Nor does apt, run as root,
# drop to a user of its own, who may not be allowed to enter the folder.
CONFIGURATION = """\
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Invoke;
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Post-Invoke;
#clear APT::Default-Release;
Dir::State "{folder}/state";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Cache::archives "archives/";
Dir::Log "{folder}/log";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "{folder}/empty";
Dir::Etc::preferences "{folder}/preferences";
Dir::Etc::preferencesparts "{folder}/empty";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
APT::Install-Suggests "false";
APT::Keep-Downloaded-Packages "true";
APT::Update::Error-Mode "any";
Debug::NoLocking "true";
Acquire::Languages "none";
"""


class Apt:
    """Apt with a state of its own, in which nothing is installed.

    Args:
        folder: an empty folder, used for the index and the packages.

    Raises:
        HostError: apt or dpkg-deb is not installed.

    """

    def __init__(self, folder: Path) -> None:
        for tool in ("apt-get", "dpkg-deb"):
            if shutil.which(tool) is None:
                raise HostError(
                    f"{tool} is not on PATH: hosts are made from Debian packages, "
                    "so use a machine or container that has apt and dpkg"
                )
        self._folder = folder
        self._configuration = folder / "apt.conf"
        for name in ("state/lists/partial", "cache/archives/partial", "log", "empty"):
            (folder / name).mkdir(parents=True)
        (folder / "status").touch()
        text = CONFIGURATION.format(folder=folder)
        self._configuration.write_text(text, encoding="utf-8")

    def update(self, suites: Sequence[str]) -> None:
        """Fetch and verify the index of these suites, from the mirror the machine's apt uses.

        Args:
            suites: names of Debian suites, all on one mirror.

        Raises:
            HostError: no mirror is configured, or none serves the suites.

        """
        refusals = []
        for mirror in self._mirrors():
            keyring = next((f"signed-by={path} " for path in KEYRINGS if path.is_file()), "")
            lines = [f"deb [{keyring}target=Packages] {mirror} {suite} main\n" for suite in suites]
            (self._folder / "sources.list").write_text("".join(lines), encoding="utf-8")
            try:
                self._get("update")
            except HostError as error:
                refusals.append(str(error))
            else:
                return
        raise HostError(
            f"no mirror in apt's sources gave Debian's {' and '.join(suites)}: check the network "
            "and that a Debian mirror is among the sources\n" + "\n".join(refusals)
        )

    def prefer(self, package: str, suite: str) -> None:
        """Take one package from one suite, and nothing else from there unless it must be.

        Args:
            package: its name.
            suite: one of the suites given to `update`.

        """
        # `package/suite` would draw the dependencies from there too, such as a C library.
        pin = f"Package: {package}\nPin: release a={suite}\nPin-Priority: 990\n"
        (self._folder / "preferences").write_text(pin, encoding="utf-8")

    def download(self, packages: Sequence[str]) -> list[Path]:
        """Download packages and all they depend on.

        Args:
            packages: their names.

        Returns:
            The package files, in order of name.

        Raises:
            HostError: a package does not exist, its dependencies cannot be met, or the network
                or the disk fails.

        """
        self._get("install", "--yes", "--download-only", *packages)
        return sorted((self._folder / "cache" / "archives").glob("*.deb"))

    def _mirrors(self) -> list[str]:
        """Return the addresses that the machine's sources name, in their order."""
        # With no index of its own apt lists what it would fetch; nothing is fetched.
        lists = f"Dir::State::lists={self._folder}/empty"
        listing = _run("apt-get", "update", "--print-uris", "-o", lists, "-o", "Debug::NoLocking=1")
        addresses = [line.split("'")[1] for line in listing.splitlines() if line.startswith("'")]
        mirrors = [address.split("/dists/")[0] for address in addresses if "/dists/" in address]
        if not mirrors:
            raise HostError("apt's sources name no mirror: add a Debian mirror to them")
        return list(dict.fromkeys(mirrors))

    def _get(self, *arguments: str) -> str:
        return _run("apt-get", "--config-file", str(self._configuration), "-q", *arguments)


def unpack(package: Path, root: Path) -> tuple[str, str]:
    """Unpack a package's files into a folder and return the package's name and version.

    Args:
        package: the package file.
        root: the folder; packages are laid over each other in it.

    Raises:
        HostError: the package is damaged or the disk is full.

    """
    _run("dpkg-deb", "--extract", str(package), str(root))
    shown = _run("dpkg-deb", "--show", "--showformat=${Package} ${Version}", str(package))
    name, version = shown.split()
    return name, version


def _run(*command: str) -> str:
    """Run a command and return what it printed; raise its own last words when it fails."""
    done = subprocess.run(
        command,
        capture_output=True,
        check=False,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "LC_ALL": "C"},
    )
    if done.returncode:
        # apt explains unmet dependencies on stdout and sums up on stderr.
        lines = (done.stdout + done.stderr).strip().splitlines()
        shown = "\n".join(f"  {line}" for line in lines[-8:])
        raise HostError(f"{command[0]} failed (exit status {done.returncode}):\n{shown}")
    return done.stdout
