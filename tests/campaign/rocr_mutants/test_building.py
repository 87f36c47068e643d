"""A tree of C++ is measured and built with edits of what a run reaches, which are then judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.rocr_mutants import toy_suite
from tests.campaign.rocr_mutants.building import BuiltLibrary, build, load
from tests.campaign.rocr_mutants.edit import Operator
from tests.campaign.rocr_mutants.judging import Judge
from tests.campaign.rocr_mutants.toolchain import BuildError, find_clang
from tests.wrong.fates import Outcome

pytest.importorskip("clang.cindex", reason="needs libclang: install the extra `headers`")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_suite.write_runtime(tmp_path_factory.mktemp("toy") / "tree")


@pytest.fixture(scope="module")
def built(tree: Path) -> BuiltLibrary:
    """The runtime, with as many edits as its lines have."""
    try:
        find_clang()
    except BuildError as error:
        pytest.skip(str(error))
    suite = toy_suite.COMMAND
    return build(tree, tree.with_name("built"), seed=1, count=100, jobs=1, suite=suite)


def test_what_a_run_reaches_is_counted_and_the_rest_is_named(built: BuiltLibrary) -> None:
    """Of four ways through two conditions one is not taken, and of 15 lines 6."""
    shares = next(line for line in built.coverage.splitlines() if line.startswith("all "))
    assert ["all", "9/15", "=", "60.0%", "3/4", "=", "75.0%", "2/3", "=", "66.7%"] == shares.split()
    _, _, unreached = built.coverage.partition("not reached:\n")
    assert [f"{toy_suite.FILE}:5: spare"] == unreached.split("\n")[:-1]


def test_edits_are_drawn_from_lines_that_a_run_reaches(built: BuiltLibrary) -> None:
    assert {3, 9, 10, 14, 15} == {edit.line for edit in built.edits.values()}


def test_a_library_is_read_as_it_was_built(built: BuiltLibrary) -> None:
    assert built == load(built.folder)


def test_an_edit_survives_where_the_suite_passes_no_value_that_shows_it(
    built: BuiltLibrary, tmp_path: Path
) -> None:
    """The suite passes neither 0 nor a negative number."""
    edits = built.edits.values()
    fates = [*Judge(built, toy_suite.COMMAND, tmp_path / "runs").fates()]
    survived = {fate.mistake for fate in fates if fate.outcome is Outcome.SURVIVED}
    unseen = {
        f"{n} {e}"
        for n, e in built.edits.items()
        if e.line == 10 and e.operator is not Operator.NEGATE
    }
    assert unseen == survived
    assert len(edits) == len(fates)


def test_a_folder_with_a_library_is_refused_before_anything_is_built(
    tree: Path, built: BuiltLibrary
) -> None:
    with pytest.raises(BuildError, match="has a library"):
        build(tree, built.folder, seed=1, count=1, jobs=1)


def test_what_was_measured_is_not_measured_again(tree: Path, built: BuiltLibrary) -> None:
    """A suite that does not exist reaches nothing."""
    folder = tree.with_name("again")
    folder.mkdir()
    (folder / "coverage.json").write_bytes(
        (built.folder / "coverage.json").read_bytes().replace(b"/built/", b"/again/")
    )
    again = build(tree, folder, seed=1, count=100, jobs=1, suite=["no-such-suite"])
    assert built.edits == again.edits
