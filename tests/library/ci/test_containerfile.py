"""The Containerfile: its RUN lines, without the container."""

from __future__ import annotations

import json
import re

from tests.library.ci.stand_in import CI, StandIn

_CONTINUED = re.compile(r"\\\n\s*")


def instructions() -> list[tuple[str, str]]:
    """Return the instructions with what stands behind them, each on one line."""
    text = _CONTINUED.sub("", (CI / "Containerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def test_what_it_builds_runs_the_suite(stand_in: StandIn) -> None:
    """The folders of the image lie below one of this machine, and the entry point is there."""
    told = dict(instructions())
    runs = [rest for word, rest in instructions() if word == "RUN"]
    assert ". /src" == told["COPY"]
    (stand_in.folder / "src").mkdir()
    for run in runs:
        script = re.sub(r"(?<![\w.])/(src|suite|var)\b", rf"{stand_in.folder}/\1", run)
        done = stand_in.run(script, {})
        assert 0 == done.status, done.text
    assert not (stand_in.folder / "src").exists()
    assert f"pip install --no-cache-dir {stand_in.folder}/src" in stand_in.installed
    [program] = json.loads(told["ENTRYPOINT"])
    done = stand_in.run(f"{stand_in.folder}{program} --version", {})
    assert done.text.startswith("hsa-conformance ")


def test_its_shell_stops_at_the_first_command_that_fails() -> None:
    assert ["/bin/bash", "-euo", "pipefail", "-c"] == json.loads(dict(instructions())["SHELL"])
