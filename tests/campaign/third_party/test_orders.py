"""Runtimes that get the order of memory wrong are blamed for it, by the clause that says it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hsa_reports import Verdict
from hsa_spec import Registry
from tests.campaign.planted_defects.drawing import THIRD_PARTY, Defect
from tests.campaign.planted_defects.wrapping import wrap
from tests.library.third_party.build import HERE, compile_library
from tests.library.third_party.judging import JudgedRun, judge

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

STORE, LOAD = "hsa_signal_store_release/order", "hsa_signal_load_acquire/order"
ADD = "hsa_signal_add_acquire/order"
OTHERS = ("hsa_signal_exchange_release/order", "hsa_signal_wait_acquire/order")
#: What is wrong, and the clause that says so.
MISTAKES = {
    "PUTS_OFF": STORE,
    "PUTS_OFF TOO_LATE": STORE,
    "GIVES_AGAIN": LOAD,
    "ADDS_LATER": ADD,
}


def found(names: str, registry: Registry, folder: Path) -> JudgedRun:
    """Return what is said of a runtime that is built with these macros."""
    runtime = compile_library(folder / "libruntime.so")
    place = dict.fromkeys(names.split(), 1)
    defect = Defect("order", THIRD_PARTY, frozenset(), file=str(HERE / "orders.c"), place=place)
    library = wrap(runtime, "6.4.3", defect, folder / "wrapped", registry)
    chosen = [word for clause in (STORE, LOAD, ADD, *OTHERS) for word in ("--select", clause)]
    return judge(library, folder / "run", "-n", "1", *chosen)


@pytest.mark.parametrize(("mistake", "clause"), MISTAKES.items())
def test_a_wrong_order_is_blamed_on_whose_it_is(
    mistake: str, clause: str, registry: Registry, tmp_path: Path
) -> None:
    judged = found(mistake, registry, tmp_path)
    assert {clause} == judged.accused()
    assert judged.verdicts[clause] is Verdict.WARN


@pytest.mark.parametrize("way", ["PUTS_OFF", "GIVES_AGAIN"])
def test_what_is_put_in_order_in_time_may_be_put_off_before(
    way: str, registry: Registry, tmp_path: Path
) -> None:
    """Relaxed stores that are made later, and relaxed loads that tell what was there, are right."""
    judged = found(f"{way} HONEST", registry, tmp_path)
    assert frozenset() == judged.accused()
    assert judged.passing >= 3
