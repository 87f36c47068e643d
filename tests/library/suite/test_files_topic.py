"""The topic of transfers between files and memory of devices."""

from __future__ import annotations

from typing import Any, NoReturn

from hsa_conformance.engine.generation.drawing import Choice
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.files.generators import discover
from hsa_conformance.topics.amd.files.state import FEATURE


def unable(_: Choice[Any]) -> NoReturn:
    raise AssertionError("nothing is to be drawn")


def test_what_is_found_out_once_takes_no_choice_of_an_example(session: Session) -> None:
    """Only the first example of a process would have it, and none in which its values are tried."""
    discover(Fixtures(session, unable))
    assert session.model.supports(FEATURE)
    assert {} == session.axes.offered
