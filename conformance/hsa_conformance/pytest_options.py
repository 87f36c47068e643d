"""What pytest's options say: of the implementation, of the run, and how to run a clause again."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from hsa_conformance import subjects
from hsa_conformance.configurations import Configuration
from hsa_conformance.engine.running.runner import LENGTH, Settings
from hsa_conformance.replay.kept_examples import ExampleStore
from hsa_conformance.selection.durations import ALLOWANCE, costs, subject_of


def options_of(config: pytest.Config) -> subjects.Options:
    """Return what pytest's options say about the implementation."""
    return subjects.Options(
        library=config.getoption("--hsa-library"),
        via=config.getoption("--hsa-via"),
        host=config.getoption("--hsa-host"),
        release=config.getoption("--hsa-release"),
        machine=config.getoption("--hsa-machine"),
        budget=config.getoption("--hsa-budget"),
        output=config.getoption("--hsa-output"),
        memory=config.getoption("--hsa-memory"),
        claim=config.getoption("--hsa-claim"),
        virtual_kfd=config.getoption("--hsa-virtual-kfd"),
        emulated=config.getoption("--hsa-emulated"),
        seed=int(config.getoption("--hsa-seed") or 0),
        environment=dict(config.getoption("--hsa-env") or ()),
    )


def settings_of(config: pytest.Config) -> Settings:
    """Return how the run is to be made."""
    option = config.getoption
    subject = subject_of(option("--hsa-library"))
    return Settings(
        profile=str(option("--hsa-profile")),
        costs=costs(subject),
        allowance=ALLOWANCE[subject],
        length=float(option("--hsa-length") or LENGTH),
        seed=int(option("--hsa-seed") or 0),
        expect_no_device=bool(option("--hsa-expect-no-device")),
        release=option("--hsa-release"),
        threads=option("--hsa-threads"),
        hsa_version=option("--hsa-hsa-version"),
        memory_budget=_bytes(option("--hsa-memory-budget")),
        emulator=option("--hsa-emulated"),
    )


def examples_of(config: pytest.Config) -> ExampleStore:
    """Return what is kept of the implementation: one is told from others by where it is."""
    option = config.getoption
    library, via = option("--hsa-library"), option("--hsa-via")
    if library and not via and Path(library).exists():
        library = str(Path(library).absolute())
    words = (option("--hsa-adapter") or "library", library, via, option("--hsa-host"))
    machine = filter(None, (option("--hsa-machine"), option("--hsa-emulated")))
    replay = bool(option("--hsa-replay"))
    return ExampleStore(json.dumps(words), "; ".join(machine), replay=replay)


def command(config: pytest.Config, clause: str, where: Configuration) -> str:
    """Return the command that judges a clause again in the same way.

    Args:
        config: of the run.
        clause: the id of the clause, with the value of an axis if the failure depends on it.
        where: the configuration that it was judged on.

    """
    option = config.getoption
    words = ["hsa-conformance", "run"]
    # A host stands for its library, the command that runs it, and its release.
    names = ("host",) if option("--hsa-host") else ("library", "via", "release")
    for name in ("adapter", *names, "hsa-version", "machine", "claim", "emulated"):
        if option(f"--hsa-{name}"):
            words += [f"--{name}", option(f"--hsa-{name}")]
    words += ["--virtual-kfd", where.machine] if where.machine else []
    words += [f"--env={name}={value}" for name, value in where.environment.items()]
    if option("--hsa-replay"):
        words.append("--replay")
    if option("--hsa-expect-no-device"):
        words.append("--expect-no-device")
    words += ["--select", clause, "--profile", option("--hsa-profile")]
    if option("--hsa-length"):
        words += ["--for", f"{option('--hsa-length'):g}s"]
    words += ["--seed", str(option("--hsa-seed"))]
    if option("--hsa-budget"):
        words += ["--budget", f"{option('--hsa-budget'):g}"]
    if option("--hsa-memory-budget") is not None:
        words += ["--memory-budget", str(option("--hsa-memory-budget"))]
    return shlex.join(words)


def program(config: pytest.Config, clause: str) -> str | None:
    """Return the command that makes a program of a failure, where events are written."""
    target = config.getoption("--hsa-events")
    if not target:
        return None
    return shlex.join(["hsa-conformance", "reproduce", target, clause, "--c"])


def stops_early(config: pytest.Config, why: BaseException) -> bool:
    """Return whether pytest stops because enough has failed (`-x`), and nobody interrupted it.

    Args:
        config: of the run.
        why: what it was stopped by; pytest-xdist has an interruption of its own for it.

    """
    interrupted = type(why) is KeyboardInterrupt or isinstance(why, pytest.exit.Exception)
    return bool(config.getvalue("maxfail")) and not interrupted


def _bytes(mebibytes: int | None) -> int | None:
    return None if mebibytes is None else mebibytes << 20
