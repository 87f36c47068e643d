"""Edits are drawn evenly, compile, do what they say where their switch is on, and note a call."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.campaign.rocr_mutants.building import build, rewrite
from tests.campaign.rocr_mutants.drawing import draw_edits
from tests.campaign.rocr_mutants.edit import Edit, Operator
from tests.campaign.rocr_mutants.source import SWITCHES, Source
from tests.campaign.rocr_mutants.toolchain import BuildError, Clang, find_clang

pytest.importorskip("clang.cindex", reason="needs libclang: install the extra `headers`")

#: It has an edit of each operator. What a macro expands to, and what has to be constant, has none.
TOY = """\
#include <cstdio>
#define CHECK(x) if ((x) == nullptr) return HSA_STATUS_ERROR
enum hsa_status_t { HSA_STATUS_SUCCESS, HSA_STATUS_ERROR };
static int locks = 0;
static void unlock() { --locks; }
static int power(int base, int by) {
  int result = base;
  while (by > 1) {
    result = result * base;
    by -= 1;
  }
  return result;
}
hsa_status_t hsa_toy(int value, int* answer) {
  CHECK(answer);
  switch (value) { case 7: return HSA_STATUS_ERROR; }
  locks = 1;
  *answer = power(value, 3) + 10;
  unlock();
  return HSA_STATUS_SUCCESS;
}
int main() {
  int answer = -1;
  const hsa_status_t status = hsa_toy(2, &answer);
  std::printf("%d %d %d", status, answer, locks);
}
"""
#: What it prints: a status, 2 to the power of 3 and 10, and the locks that are held.
UNEDITED = "0 18 0"
#: What it prints with an edit, by what the edit does.
EDITED = {
    (Operator.NEGATE, "by > 1"): "0 12 0",
    (Operator.COMPARE, "by >= 1"): "0 26 0",
    (Operator.DELETE, "locks = 1"): "0 18 -1",
    (Operator.RELEASE, "unlock()"): "0 18 1",
    (Operator.ARITHMETIC, "power(value, 3) - 10"): "0 -2 0",
    (Operator.CONSTANT, "11"): "0 19 0",
    (Operator.STATUS, "HSA_STATUS_ERROR"): "1 18 0",
    (Operator.SWAP, "power(3, value)"): "0 19 0",
}


#: A function that the compiler leaves out, since nothing calls it.
UNUSED = """\
static int unused(int value) {
  return value + 1;
}
"""
OPTIONS = ["-std=c++17", "-O1", "-w", "-include", f"{SWITCHES}"]


@pytest.fixture(scope="module")
def clang() -> Clang:
    try:
        return find_clang()
    except BuildError as error:
        pytest.skip(str(error))


def read(path: Path, text: str, clang: Clang) -> Source:
    """Write a file, compile it, and return what libclang reads."""
    path.write_text(text, "utf-8")
    compiled = path.with_suffix(".o")
    command = [clang.program("clang++"), *OPTIONS, "-c", f"{path}", "-o", f"{compiled}"]
    subprocess.run(command, check=True)
    return Source(path, path.name, clang, OPTIONS, compiled)


@pytest.fixture
def toy(clang: Clang, tmp_path: Path) -> Source:
    return read(tmp_path / "toy.cpp", TOY, clang)


def done(edit: Edit) -> tuple[Operator, str]:
    return edit.operator, edit.new or edit.old


def program(source: Source, edits: dict[int, Edit], clang: Clang) -> Path:
    """Compile a file with edits, and with the number 5 for its function."""
    rewrite(source, edits, {5: "hsa_toy"})
    path = source.path.with_suffix("")
    command = [clang.program("clang++"), *OPTIONS, f"{source.path}", "-o", f"{path}"]
    subprocess.run(command, check=True)
    return path


def printed(path: Path, **variables: str) -> str:
    environment = {**os.environ, **variables}
    return subprocess.run(
        [path], env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_each_edit_does_what_it_says_and_none_where_no_switch_is_on(
    toy: Source, clang: Clang
) -> None:
    """Edits of each operator are compiled into two programs, and each is switched on alone."""
    chosen = {done(edit): edit for edit in toy.edits}
    numbers = dict(enumerate(EDITED, 1))
    for parity in (0, 1):  # an edit of each of two neighbours, which may be one within the other
        expected = {n: EDITED[key] for n, key in numbers.items() if n % 2 == parity}
        path = program(toy, {n: chosen[numbers[n]] for n in expected}, clang)
        assert UNEDITED == printed(path)
        assert expected == {n: printed(path, HSA_EDITS=f"{n}") for n in expected}


def test_several_switches_may_be_on(toy: Source, clang: Clang) -> None:
    """A negated loop and a lock that stays are both in one program, and both happen."""
    negated, kept = ((Operator.NEGATE, "by > 1"), (Operator.RELEASE, "unlock()"))
    chosen = {done(edit): edit for edit in toy.edits}
    path = program(toy, {1: chosen[negated], 2: chosen[kept]}, clang)
    assert "0 12 1" == printed(path, HSA_EDITS="1,2")


def test_what_is_reached_is_noted_with_the_function_that_was_called(
    toy: Source, clang: Clang, tmp_path: Path
) -> None:
    """Of two edits of a function, the one before which it returns is not reached."""
    chosen = {(edit.line, *done(edit)): edit for edit in toy.edits}
    refused = chosen[16, Operator.STATUS, "HSA_STATUS_SUCCESS"]
    unlocks = chosen[19, Operator.RELEASE, "unlock()"]
    path = program(toy, {1: refused, 2: unlocks}, clang)
    printed(path, HSA_EDITS_REACHED=f"{tmp_path / 'reached'}")
    rows = (tmp_path / "reached").read_bytes()
    assert [5 * 1024 + 2] == [place for place, byte in enumerate(rows) if byte]


def test_what_a_macro_expands_to_and_what_is_constant_has_no_edit(toy: Source) -> None:
    edited = {(edit.line, edit.old) for edit in toy.edits}
    assert set() == {(line, old) for line, old in edited if line == 15 or old == "7"}


def test_an_edit_is_within_a_function(toy: Source) -> None:
    by_line = {edit.line: edit.function for edit in toy.edits}
    assert ("unlock", "power", "hsa_toy", "main") == tuple(by_line[n] for n in (5, 8, 17, 24))


def test_edits_that_do_not_compile_are_not_drawn(toy: Source) -> None:
    """A number in the place of a pointer is refused, and the same with a number is not."""
    start = TOY.index("&answer")
    place = (toy.name, "main", 24, 46)
    assert not toy.accepts(Edit(Operator.CONSTANT, *place, start, "&answer", "1"))
    assert toy.accepts(Edit(Operator.CONSTANT, *place, start - 3, "2", "3"))


def test_edits_that_compile_to_the_same_are_not_drawn(clang: Clang, tmp_path: Path) -> None:
    """Those of a function that the compiler leaves out, and no other."""
    drawn = draw_edits([read(tmp_path / "toy.cpp", UNUSED + TOY, clang)], 3, 1000)
    assert {"unused"} == {edit.function for edit in drawn.equal} - {"main"}
    assert "unused" not in {edit.function for edit in drawn.edits}


def test_edits_are_drawn_from_what_is_reached(toy: Source) -> None:
    drawn = draw_edits([toy], 3, 1000, lambda edit: edit.function == "power")
    assert {"power"} == {edit.function for edit in drawn.edits}


def test_a_seed_draws_the_same_edits_again_and_others_than_another_seed(toy: Source) -> None:
    draws = [list(map(str, draw_edits([toy], seed, 6).edits)) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_operators_and_files_take_turns_and_no_line_has_two_edits(
    toy: Source, clang: Clang, tmp_path: Path
) -> None:
    """Of two equal files, eight edits are half of one and half of the other, one an operator."""
    other = read(tmp_path / "other.cpp", TOY, clang)
    edits = draw_edits([toy, other], 1, 8).edits
    assert Counter(Operator) == Counter(edit.operator for edit in edits)
    assert Counter({"toy.cpp": 4, "other.cpp": 4}) == Counter(edit.file for edit in edits)
    assert len(edits) == len({(edit.file, edit.line) for edit in edits})


def test_a_file_may_have_fewer_edits_than_are_wanted(toy: Source) -> None:
    edits = draw_edits([toy], 3, 1000).edits
    assert 8 <= len(edits) <= TOY.count("\n")


def test_a_folder_without_rocr_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="name the folder of ROCr's source"):
        build(tmp_path, tmp_path / "out", seed=1, count=1, jobs=1)
