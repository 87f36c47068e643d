"""The campaign judges the runtime without a mistake, and blames each mistake on its functions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hsa_spec import Registry
from tests.library.third_party.__main__ import build
from tests.library.third_party.defects import Defect, defects
from tests.library.third_party.refusing import Refusal
from tests.wrong.campaign import Campaign
from tests.wrong.fates import Outcome

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

CREATE = "hsa_queue_create"


def test_a_defect_and_a_refusal_are_blamed_on_their_function(
    registry: Registry, tmp_path: Path
) -> None:
    """What the runtime does without them is held against neither."""
    [defect] = [d for d in defects() if d.name == "there is no room for the largest queue"]
    campaign = Campaign[Defect | Refusal](
        build, registry, tmp_path, ("--select", f"{CREATE}/success")
    )
    fates = list(campaign.fates([defect, Refusal(CREATE)]))
    assert [defect.mistake.name, f"{CREATE} refuses every call"] == [f.mistake for f in fates]
    assert {Outcome.BLAMED} == {fate.outcome for fate in fates}
    assert {f"{CREATE}/success"} == {clause for fate in fates for clause in fate.by}
    assert [[]] == list(campaign.again([defect], 1))
