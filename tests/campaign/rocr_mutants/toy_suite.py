"""A suite in the place of `hsa-conformance`, of two clauses, and the runtime that it judges.

The runtime has one function, of which the suite never passes 0 or less.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Final

from hsa_reports import Verdict
from tests.campaign.rocr_mutants.tree import EDITED
from tests.unit.reports.report_samples import ENDED, STARTED, make_result, write_events

COMMAND: Final = (sys.executable, "-m", "tests.campaign.rocr_mutants.toy_suite")
FILE: Final = f"{EDITED / 'toy.cpp'}"
RUNTIME: Final = """\
enum hsa_status_t { HSA_STATUS_SUCCESS, HSA_STATUS_ERROR, HSA_STATUS_ERROR_INVALID_ARGUMENT };
static int twice(int value) {
  return value + value - 1;
}
static int spare(int value) {
  return value - 3;
}
extern "C" hsa_status_t hsa_toy(int value, int* answer) {
  if (answer == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (value < 0) {
    *answer = spare(value);
    return HSA_STATUS_ERROR;
  }
  *answer = twice(value);
  return HSA_STATUS_SUCCESS;
}
"""
_CMAKE: Final = f"""\
cmake_minimum_required(VERSION 3.16)
project(toy CXX)
add_library(hsa-runtime64 SHARED {FILE})
set_target_properties(hsa-runtime64 PROPERTIES LIBRARY_OUTPUT_DIRECTORY rocr/lib SOVERSION 1)
"""
#: What a process prints that calls the function with a value, and with or without an output.
_CALL: Final = """\
import ctypes, sys
answer = ctypes.c_int(-7)
called = ctypes.CDLL(sys.argv[1]).hsa_toy
print(called(int(sys.argv[2]), ctypes.byref(answer) if sys.argv[3] else None), answer.value)
"""
_CLAUSES: Final = {"hsa_toy/success": ("5", "output", "0 9"), "hsa_toy/null": ("5", "", "2 -7")}


def write_runtime(tree: Path) -> Path:
    """Write the source of the runtime to a new folder; return it."""
    (tree / EDITED).mkdir(parents=True)
    (tree / FILE).write_text(RUNTIME, "utf-8")
    (tree / "CMakeLists.txt").write_text(_CMAKE, "utf-8")
    return tree


def verdict(library: str, clause: str) -> Verdict:
    """Return the verdict of a clause, which a process of its own tries."""
    *words, expected = _CLAUSES[clause]
    command = [sys.executable, "-c", _CALL, library, *words]
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    return Verdict.PASS if said.stdout.strip() == expected else Verdict.FAIL


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--library")
    parser.add_argument("--select", action="append", default=[])
    parser.add_argument("--out", type=Path)
    chosen, _ = parser.parse_known_args()
    selected = set(chosen.select)
    judged = tuple(c for c in _CLAUSES if not selected or {c, c.split("/")[0]} & selected)
    results = [make_result(c, verdict(chosen.library, c)) for c in judged]
    chosen.out.mkdir()
    started = replace(STARTED, clauses=judged)
    write_events(chosen.out / "events.jsonl", [started, *results, ENDED])


if __name__ == "__main__":
    main()
