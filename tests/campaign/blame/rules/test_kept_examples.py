"""Examples that failed are kept for each implementation, and made again on request alone."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance import subjects
from hsa_conformance.configurations import Configuration
from hsa_conformance.engine.calls.outcomes import ProvesNothing, Violation
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.steps import MORE
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.examples import (
    EXTRA_OBJECTS,
    DrawRecorder,
    DrawReplayer,
    Example,
)
from hsa_conformance.engine.running.replay import SHOWN
from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.running.sweep import sweep
from hsa_conformance.engine.session.axes import AxisCoverage
from hsa_conformance.engine.session.session import Session
from hsa_conformance.replay import kept_examples
from hsa_conformance.replay.kept_examples import FOLDER, ExampleStore
from hsa_conformance.topics import TOPICS
from hsa_reports import BEFORE, Result, Verdict
from hsa_spec import Registry
from hsa_spec.cache import AGE, cache_folder
from tests.wrong.inside import results, running

CLAUSE = "hsa_signal_create/initial-value"
HERE = Configuration()

Judged = Callable[..., Result]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, which nothing is in."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def kept() -> list[Path]:
    """Return the files of all examples that are kept."""
    return sorted((cache_folder() / FOLDER).glob("*/*"))


def bare(result: Result) -> Result:
    """Return a result without its steps, which have addresses in them."""
    failure = result.failure and replace(result.failure, steps=())
    return replace(result, failure=failure)


# libraries


@pytest.fixture
def library(fake: Callable[..., Path], tmp_path: Path) -> Path:
    """A library that forgets one value in sixteen."""
    return Path(shutil.copy(fake("signals", FAKE_FORGETS=1), tmp_path))


@pytest.fixture
def judged(registry: Registry, library: Path) -> Judged:
    """Return a function that judges a library."""

    def judged(
        seed: int, *, replay: bool = False, of: Path = library, on: Configuration = HERE
    ) -> Result:
        store = ExampleStore(str(of), "", replay=replay).on(on)
        settings = Settings(seed=seed, archive=store)
        adapter = LibraryAdapter(of, registry, budget=5)
        (result,) = results(adapter, registry, CLAUSE, settings=settings)
        return replace(result, seconds=0.0)

    return judged


@pytest.fixture
def unlucky(judged: Judged) -> int:
    """A seed that misses the fault, after another one has found it."""
    verdicts: dict[Verdict, int] = {}
    for seed in count():
        verdicts[judged(seed).verdict] = seed
        if verdicts.keys() == {Verdict.PASS, Verdict.FAIL}:
            break
    return verdicts[Verdict.PASS]


def test_what_another_seed_has_found_is_found_again(judged: Judged, unlucky: int) -> None:
    """It is marked, and found without a search."""
    found = judged(unlucky, replay=True)
    assert (Verdict.FAIL, 1) == (found.verdict, found.replayed)
    assert found.failure is not None
    assert SHOWN == found.failure.detail
    assert (0, 0) == (found.satisfied, found.discarded)
    assert found.calls < 10
    assert bare(judged(unlucky, replay=True)) == bare(found)


def test_what_is_kept_changes_no_run_that_does_not_ask(judged: Judged, unlucky: int) -> None:
    """With the same seed the same is found, as often as it is run."""
    seeds = range(3)
    with_it = [bare(judged(seed)) for seed in (*seeds, unlucky)]
    assert kept()
    shutil.rmtree(cache_folder() / FOLDER)
    without = [bare(judged(seed)) for seed in (*seeds, unlucky)]
    assert with_it == without
    assert Verdict.PASS is without[-1].verdict
    assert not any(result.replayed for result in without)


def test_what_holds_now_is_dropped_once_it_was_made_again(
    judged: Judged, unlucky: int, library: Path, fake: Callable[..., Path]
) -> None:
    assert 1 == len(kept())
    shutil.copy(fake("signals"), library)
    assert Verdict.PASS is judged(unlucky).verdict
    assert 1 == len(kept())  # a seed may be unlucky

    usual = judged(unlucky)
    fixed = judged(unlucky, replay=True)
    assert (Verdict.PASS, 1) == (fixed.verdict, fixed.replayed)
    assert fixed.satisfied == usual.satisfied + 1
    assert not kept()
    assert usual == judged(unlucky, replay=True)


def test_each_implementation_and_machine_has_its_own(
    judged: Judged, unlucky: int, library: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    copy = Path(shutil.copy(library, tmp_path / "other"))
    machine = Configuration(environment={"SOME": "thing"})
    assert 0 == judged(unlucky, replay=True, of=copy).replayed
    assert 0 == judged(unlucky, replay=True, on=machine).replayed
    assert 1 == judged(unlucky, replay=True).replayed


def test_what_is_known_does_not_hide_what_is_drawn(
    registry: Registry, library: Path, judged: Judged, unlucky: int
) -> None:
    """A known failure that is made again counts as shown, after all others were drawn as usual."""
    usual = judged(unlucky)
    store = ExampleStore(str(library), "", replay=True).on(HERE)
    settings = Settings(seed=unlucky, archive=store)
    with running(LibraryAdapter(library, registry, budget=5), registry, settings) as runner:
        (found,) = runner.run(registry.clauses[CLAUSE], explained=lambda _: True)
    assert (Verdict.FAIL, 1) == (found.verdict, found.replayed)
    # Nothing comes before a call whose check fails.
    before = sum(value.axis == BEFORE for value in usual.values)
    assert found.satisfied == usual.satisfied - before


# checks of all sorts, on the reference


@pytest.fixture
def own_pool(registry: Registry) -> Iterator[SessionPool]:
    adapter = subjects.reference(None, registry)
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    yield pool
    pool.close()


Run = Callable[..., list[Result]]


@pytest.fixture
def run(own_pool: SessionPool) -> Run:
    """Return a function that runs a check of some body."""

    def run(
        body: Callable[[Session, Draw, Counts], None],
        seed: int = 0,
        *,
        replay: bool = False,
        **options: object,
    ) -> list[Result]:
        check = Check(CLAUSE, "check", body, **options)  # type: ignore[arg-type]
        judge = Judge(own_pool.registry, lambda _: True)
        store = ExampleStore("reference", "", replay=replay).on(HERE)
        return sweep(Campaign(own_pool, judge, "quick", seed, store), check, seen=AxisCoverage())

    return run


def wrong() -> Violation:
    return Violation(CLAUSE, Verdict.FAIL, "it is wrong", "got", {})


def test_the_shortest_steps_are_kept(run: Run) -> None:
    """Those that a sequence was cut down to are made again, and no others."""
    played: list[int] = []

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        played.clear()
        counts.satisfied += 1
        while len(played) < 30 and draw(MORE):
            session.set_up("hsa_init")
            played.append(draw(drawing.integers(0, 60)))
            if played[-1] == 7:
                raise wrong()

    for seed in count():
        if run(body, seed, stepwise=True)[0].failure:
            break
    assert 1 == len(kept())
    (found,) = run(body, 0, replay=True, stepwise=True)
    assert (Verdict.FAIL, 1) == (found.verdict, found.replayed)
    assert [7] == played


def test_a_value_is_made_again_though_it_would_not_be_tried_alone(run: Run) -> None:
    """Which values are tried alone depends on what is drawn; what failed with one does not."""
    strict = True

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        value = Fixtures(session, draw).each("axis", {name: name for name in "abcd"})
        number = draw(drawing.integers(0, 1000))
        counts.satisfied += 1
        if value == "c" and number == 0 and strict:
            raise wrong()

    def fails(seed: int) -> bool:
        return any(result.failure for result in run(body, seed, sweeps=True))

    seed = next(seed for seed in count() if fails(seed))
    examples = [(path, path.read_bytes()) for path in kept()]
    other = next(other for other in count(seed + 1) if not fails(other))
    for path, text in examples:
        path.write_bytes(text)
    found = run(body, other, replay=True, sweeps=True)
    assert ["axis=c"] == [result.value for result in found if result.failure]


# what is drawn


def test_what_was_drawn_is_drawn_again_in_order() -> None:
    draws: list[drawing.Choice[Any]] = [
        drawing.integers(0, 9),
        drawing.permutations([1, 2]),
        drawing.binary(max_size=3),
        EXTRA_OBJECTS,
    ]
    noted = DrawRecorder(
        lambda strategy: {0: 4, 1: [2, 1], 2: b"a", 3: True}[draws.index(strategy)]
    )
    values = [noted(strategy) for strategy in draws]
    choices = noted.choices()
    assert choices is not None
    again = DrawReplayer(choices)
    assert values == [again(strategy) for strategy in draws]


def test_what_would_be_drawn_from_something_else_proves_nothing() -> None:
    """A value that was right there may be wrong here."""
    noted = DrawRecorder(lambda _: 9)
    noted(drawing.integers(0, 9))
    choices = noted.choices()
    assert choices is not None
    with pytest.raises(ProvesNothing):
        DrawReplayer(choices)(drawing.integers(0, 8))
    with pytest.raises(ProvesNothing):
        DrawReplayer([])(drawing.integers(0, 9))
    assert DrawReplayer(choices)(EXTRA_OBJECTS) is False  # nobody asked


def test_objects_mean_nothing_in_another_process() -> None:
    noted = DrawRecorder(lambda _: object())
    noted(drawing.integers(-(2**31), 2**31))
    assert noted.choices() is None


# files

EXAMPLE = Example(
    CLAUSE, "check", CLAUSE, {"axis": "a"}, (("x", [b"\x01", 2**63]), ("y", {1}), ("z", None))
)


def store(*, replay: bool = True) -> ExampleStore:
    return ExampleStore("some", "", replay=replay)


def of(kept: ExampleStore) -> list[Example]:
    check = Check(CLAUSE, "check", lambda *_: None)
    return [*kept.on(HERE).of(check)]


def test_an_example_is_read_as_it_was_kept() -> None:
    """What shows the same takes its place."""
    store().on(HERE).keep(replace(EXAMPLE, choices=()))
    store().on(HERE).keep(EXAMPLE)
    assert [EXAMPLE] == of(store())
    assert [] == of(store(replay=False))
    store().on(HERE).keep(replace(EXAMPLE, broken="hsa_init/success CRASH"))
    assert 2 == len(of(store()))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "\xff", '{"version": 0}', "[" * 9999, '{"version": 1, "configuration": 1}'],
)
def test_what_is_no_example_is_named_and_ignored(text: str) -> None:
    store().on(HERE).keep(EXAMPLE)
    bad = kept()[0].with_name("bad.json")
    bad.write_text(text, "latin-1")
    found = store()
    assert [EXAMPLE] == of(found)
    assert [
        f"{bad} is no example of this version; it is ignored.",
        "1 example of earlier runs made again first.",
    ] == found.notices([HERE], [CLAUSE])
    assert bad.exists()


def test_that_nothing_is_kept_is_said() -> None:
    """Of what was selected, on what it is judged on."""
    nothing = ["Nothing is kept that could be replayed."]
    assert nothing == store().notices([HERE], [CLAUSE])
    store().on(HERE).keep(EXAMPLE)
    assert nothing == store().notices([HERE], ["hsa_init/success"])
    assert nothing == store().notices([Configuration("gfx90a")], [CLAUSE])
    assert [] == store(replay=False).notices([HERE], [CLAUSE])


def test_what_nobody_has_tried_for_long_is_removed() -> None:
    ExampleStore("gone", "", replay=False).on(HERE).keep(EXAMPLE)
    (old,) = kept()
    long_ago = time.time() - AGE - 10
    os.utime(old.parent, (long_ago, long_ago))
    store().on(HERE).keep(EXAMPLE)
    assert not old.parent.exists()
    assert 1 == len(kept())


def test_what_a_killed_process_has_left_is_passed_over() -> None:
    """It writes beside the example, and gives that its name in the end."""
    store().on(HERE).keep(EXAMPLE)
    (whole,) = kept()
    whole.with_suffix(".123").write_bytes(whole.read_bytes()[:20])
    assert ["1 example of earlier runs made again first."] == store().notices([HERE], [CLAUSE])


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are so many implementations, and no example that is too long."""
    monkeypatch.setattr(kept_examples, "MOST", 2)
    for number, name in enumerate(["first", "second", "third"]):
        ExampleStore(name, "", replay=False).on(HERE).keep(EXAMPLE)
        made = max((path.parent for path in kept()), key=lambda f: f.stat().st_mtime)
        then = time.time() - 100 + number
        os.utime(made, (then, then))
    assert 2 == len(kept())
    assert [] == of(ExampleStore("first", "", replay=True))
    monkeypatch.setattr(kept_examples, "LONGEST", 10)
    ExampleStore("third", "", replay=False).on(HERE).keep(replace(EXAMPLE, broken="other"))
    assert 2 == len(kept())


def test_a_cache_that_cannot_be_used_is_no_obstacle(cache: Path) -> None:
    cache.write_text("a file")
    store().on(HERE).keep(EXAMPLE)
    assert [] == of(store())
