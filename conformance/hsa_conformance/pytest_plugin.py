"""The suite's options for pytest. It does nothing until one of them is used."""

from __future__ import annotations

import argparse

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("hsa", "HSA conformance")
    add = group.addoption
    add("--hsa-adapter", metavar="NAME", help="the implementation: reference, library, ...")
    add("--hsa-library", metavar="PATH", help="a shared library to test")
    add("--hsa-via", metavar="CMD", help="command that runs the worker next to the library")
    add("--hsa-host", metavar="SUITE", help="the host that library and via belong to")
    add("--hsa-release", metavar="V", help="the ROCm release of the library")
    add("--hsa-hsa-version", metavar="V", help="the HSA version of the library")
    add("--hsa-machine", metavar="NAME", help="the machine that the reference models")
    add("--hsa-baseline", metavar="NAME", help="known failures: a baseline's name or its file")
    add("--hsa-against", metavar="RUN", help="known failures: those of an earlier run")
    add("--hsa-virtual-kfd", metavar="MACHINE", help="a machine to imitate, its file, or `all`")
    add("--hsa-emulated", metavar="NAME", help="name of the emulator below the library")
    add("--hsa-env", metavar="NAME=VALUE", action="append", type=_variable, help="set a variable")
    add("--hsa-claim", metavar="FILE", help="file with the functions that the library claims")
    add("--hsa-budget", metavar="SECONDS", type=float, help="time that one call may take")
    add("--hsa-memory-budget", metavar="MIB", type=int, help="memory that one call may take")
    add("--hsa-output", metavar="MIB", type=int, help="output of a process that is kept")
    add("--hsa-memory", metavar="MIB", type=int, help="memory that a process may hold")
    add("--hsa-threads", metavar="N", type=int, help="threads that may outlive hsa_shut_down")
    add("--hsa-limit", metavar="SECONDS", type=float, help="time that the whole run may take")
    add("--hsa-select", metavar="WHAT", action="append", help="a topic, function or clause")
    profiles = ["quick", "full", "exhaustive", "soak"]
    add("--hsa-profile", choices=profiles, default="quick", help="how many examples")
    add("--hsa-length", metavar="SECONDS", type=float, help="how long the profile soak takes")
    add("--hsa-seed", metavar="N", type=int, default=0, help="seed of the examples")
    add("--hsa-strict", action="store_true", help="broken `should` clauses fail the run, too")
    add("--hsa-expect-no-device", action="store_true", help="expect hsa_init to fail: no GPU")
    add("--hsa-traceback", action="store_true", help="show the traceback of an adapter's error")
    add("--hsa-events", metavar="FILE", help="where the events of the run go")
    add("--hsa-shard", metavar="I/N", type=_shard, help="the part of the selection to judge")
    add("--hsa-replay", action="store_true", help="first repeat examples that failed before")
    add("--hsa-resume", action="store_true", help="continue the run in that file")


def _shard(text: str) -> object:
    from hsa_conformance.selection.shards import shard_of

    return shard_of(text)


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is no variable such as HSA_ENABLE_SDMA=0")
    return name, value


def pytest_configure(config: pytest.Config) -> None:
    """Start the suite's own part when it is asked for."""
    config.addinivalue_line("markers", "hsa_clause(id): judges a clause of the HSA registry")
    if config.getoption("--hsa-adapter") or config.getoption("--hsa-library"):
        from hsa_conformance.garbage import collect_rarely

        collect_rarely()
        from hsa_conformance.pytest_suite import SuitePlugin

        config.pluginmanager.register(SuitePlugin(config), "hsa_conformance_suite")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Say what is missing when the suite's own test is collected without a subject."""
    suite = metafunc.config.pluginmanager.has_plugin("hsa_conformance_suite")
    if "hsa_clause" in metafunc.fixturenames and not suite:
        pytest.fail("say what is tested: --hsa-adapter=NAME or --hsa-library=PATH", pytrace=False)
