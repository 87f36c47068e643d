"""Failures of the fakes, programs made of them, and what the programs say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.protocol import Adapter
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_conformance.reproduce import failing, plan_for, render
from hsa_conformance.reproduce.trying.commands import with_commands
from hsa_conformance.selection.names import select
from hsa_conformance.topics import TOPICS
from hsa_reports import Failure, Run, RunStarted, Subject
from hsa_reports.result import Result
from hsa_reports.wire import from_json, to_json
from hsa_spec import Registry
from tests.campaign.reproduce.programs import Fake, ProgramOutput, Show, sessions_of
from tests.wrong.inside import by_clause

STARTED = RunStarted(
    suite_version="0.1.0",
    registry_digest="sha256:5eed",
    started=datetime(2026, 3, 4, tzinfo=UTC),
    command=("hsa-conformance", "run"),
    profile="quick",
    seed=0,
    strict=False,
    subject=Subject("library", "library", "/fake", None, "6.1.2", None, {}, False, ()),
    clauses=(),
)


@pytest.fixture(scope="module")
def pool(fake: Fake, registry: Registry) -> Iterator[SessionPool]:
    """A session pool over the honest fake."""
    with sessions_of(fake("honest"), registry) as pool:
        yield pool


@pytest.fixture
def session(pool: SessionPool) -> Iterator[Session]:
    """An initialised session of a process of its own."""
    with pool.session(initialised=True, fresh=True) as session:
        yield session


@pytest.fixture(scope="session")
def failure_of(registry: Registry, failing_with: Callable[..., Failure]) -> Callable[..., Failure]:
    """Return a function that judges a clause of a library and returns how it failed."""

    def failure_of(library: Path, clause: str, budget: float = 5.0) -> Failure:
        return failing_with(LibraryAdapter(library, registry, budget=budget), clause)

    return failure_of


@pytest.fixture(scope="session")
def failing_with(registry: Registry) -> Callable[..., Failure]:
    """Return a function that judges a clause and returns how it failed, as an event has it."""

    def failing_with(adapter: Adapter, clause: str) -> Failure:
        judged = by_clause(adapter, registry, select(registry, TOPICS, [clause]))
        found = [result for results in judged.values() for result in results]
        events = [_through_the_file(with_commands(r, "run again", None)) for r in found]
        run = Run(
            replace(STARTED, clauses=tuple(e.clause for e in events)), tuple(events), (), None
        )
        failure = failing(run)[clause].failure
        assert failure is not None
        return failure

    return failing_with


def _through_the_file(event: Result) -> Result:
    read = from_json(json.loads(json.dumps(to_json(event))))
    assert isinstance(read, Result)
    return read


@pytest.fixture
def show(registry: Registry, tmp_path: Path) -> Show:
    """Return a function that makes a program of a failure, and runs it with a library."""

    def show(failure: Failure, clause: str, language: str, library: Path | str) -> ProgramOutput:
        plan = plan_for(clause, failure, registry)
        text = render(plan, STARTED, registry, language)
        for long, short in (("SECONDS = 20", "SECONDS = 2"), ("PATIENCE = 20", "PATIENCE = 1")):
            text = text.replace(long, short)
        source = tmp_path / f"reproduce.{language}"
        source.write_text(text, encoding="utf-8")
        command = [sys.executable, "-I", str(source)]
        if language == "c":
            command = [str(tmp_path / "reproduce")]
            options = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-x", "c"]
            words = ["cc", *options, "-o", *command, str(source), "-ldl", "-pthread"]
            subprocess.run(words, check=True)
        done = subprocess.run(
            [*command, str(library)], capture_output=True, text=True, check=False, timeout=30
        )
        [line] = done.stdout.splitlines()
        return ProgramOutput(done.returncode, line)

    return show
