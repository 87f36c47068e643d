"""Makes the published runs anew, and all that is made of them.

    python reports/renew.py             runs of the four releases, in runs/RELEASE, and what follows
    python reports/renew.py --derive    what follows from the runs in reports/published alone
    python reports/renew.py --pages     the pages of the site about these runs, in docs/reliability

A run that was cut short is gone on with. One in which something fails that no finding explains ends
all of it. What is written by hand stays so: why clauses are BLOCKED or VACUOUS, and what README
shows of a table.
"""

from __future__ import annotations

import argparse
import gzip
import re
import shutil
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hsa_reports import Run, read_run
from hsa_reports.cautions import warnings
from hsa_spec import load

ROOT = Path(__file__).parents[1]
PUBLISHED = ROOT / "reports" / "published"
SUITES = {"5.2.3": "bookworm", "6.1.2": "trixie", "6.4.3": "sid", "7.2.4": "experimental"}
COLUMNS = ("PASS", "XFAIL", "IMITATED", "BLOCKED", "VACUOUS", "UNTESTED", "NOT_APPLICABLE")
DURATIONS = "conformance/hsa_conformance/selection/durations-rocr.txt"
PICTURE = (
    "--headless",
    "--no-sandbox",
    "--hide-scrollbars",
    "--window-size=1200,880",
    "--virtual-time-budget=5000",
)


def main() -> None:
    """Do what the options say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    alone = parser.add_mutually_exclusive_group()
    alone.add_argument("--derive", action="store_true", help="make no runs")
    alone.add_argument("--pages", action="store_true", help="write the pages of the site alone")
    options = parser.parse_args()
    if options.pages:
        write_pages(ROOT / "docs" / "reliability")
        return
    if not options.derive:
        for release, suite in SUITES.items():
            publish(release, suite)
    derive()


def publish(release: str, suite: str) -> None:
    """Make the run of a release, and programs of its failures, and keep its events."""
    folder = f"runs/{release}"
    command("hosts", "create", suite)
    asked = (
        "--host",
        suite,
        "--virtual-kfd",
        "gfx90a",
        "--baseline",
        "rocr",
        "--strict",
        "-n",
        "2",
    )
    command("run", *asked, "--out", folder, "--resume")
    shutil.rmtree(ROOT / folder / "programs", ignore_errors=True)
    command("reproduce", folder, "--all", "--keep", "--out", f"{folder}/programs")
    events = (ROOT / folder / "events.jsonl").read_bytes()
    (PUBLISHED / release).mkdir(exist_ok=True)
    (PUBLISHED / release / "events.jsonl.gz").write_bytes(gzip.compress(events, 9, mtime=0))


def published() -> list[str]:
    """Return the folders of the published runs, the oldest release first."""
    return [f"reports/published/{release}" for release in SUITES]


def write_pages(folder: Path) -> None:
    """Write the pages of the site about the published runs."""
    command("compare", *published(), "--reliability-pages", str(folder))
    command("compare", *published(), "--markdown", str(folder / "comparison.md"), worse=True)


def derive() -> None:
    """Make what follows from the published runs and is committed: tables, durations, a picture."""
    folders = published()
    measured = [sys.executable, "-m", "hsa_conformance.selection.durations", *folders]
    found = subprocess.run(measured, cwd=ROOT, check=True, capture_output=True, text=True)
    (ROOT / DURATIONS).write_text(found.stdout, encoding="utf-8")
    runs = {release: read_run(PUBLISHED / release) for release in SUITES}
    for page in (ROOT / "README.md", PUBLISHED / "README.md"):
        page.write_text(counted(page.read_text(encoding="utf-8"), runs), encoding="utf-8")
    take_picture(folders[-1])


def counted(text: str, runs: Mapping[str, Run]) -> str:
    """Return a page with the counts of runs in its tables and sentences, as far as it has them."""
    for release, run in runs.items():
        verdicts = Counter(str(verdict) for verdict in run.verdicts.values())
        if verdicts.keys() - {*COLUMNS}:
            raise SystemExit(f"{release} has {dict(verdicts)}: nobody has explained that yet")
        counts = " | ".join(str(verdicts[name]) for name in COLUMNS)
        text = re.sub(
            rf"^\| {release} (?:\| \d+ ){{7}}\|", f"| {release} | {counts} |", text, flags=re.M
        )
        row = rf"^\| {release} \| \d+ of \d+ \| \d+ \| \d+ \|$"
        text = re.sub(row, f"| {release} | {ends_of_programs(run)} |", text, flags=re.M)
    return re.sub(r"^Of the clauses that apply, .*?\n\n", reach(runs), text, flags=re.M | re.S)


def ends_of_programs(run: Run) -> str:
    """Return the cells about programs: how many end with 1, of how many, with 77, have none."""
    failures = [result.failure for result in run.results if result.failure]
    ends = Counter(failure.ran.exit if failure.ran else None for failure in failures)
    return f"{ends[1]} of {len(failures)} | {ends[77]} | {ends[None]}"


def reach(runs: Mapping[str, Run]) -> str:
    """Return how many clauses are judged of those that a run on an imitation can judge."""
    parts = []
    for release, run in runs.items():
        [said] = (
            each for each in warnings(run, load()) if each.startswith("The machine is imitated")
        )
        [(judged, clauses)] = re.findall(r"(\d+) of (\d+) clauses", said)
        share = f"{100 * int(judged) / int(clauses):.1f}"
        parts.append(
            f"{judged} of {clauses} ({share} %) {'are judged ' if not parts else ''}on {release}"
        )
    listed = f"{', '.join(parts[:-1])}, and {parts[-1]}."
    sentence = f"Of the clauses that apply, bind, and are the runtime's own to decide, {listed}"
    return textwrap.fill(sentence, 100, break_on_hyphens=False) + "\n\n"


def take_picture(run: str) -> None:
    """Take the picture of a report that README shows, where there is a browser."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("no chromium: docs/images/report.png is left as it is")
        return
    page, picture = ROOT / "runs" / "report.html", ROOT / "docs" / "images" / "report.png"
    page.parent.mkdir(exist_ok=True)
    command("report", "html", run, "--out", str(page))
    shot = [browser, *PICTURE, f"--screenshot={picture}", page.as_uri()]
    subprocess.run(shot, check=True, stderr=subprocess.DEVNULL)


def command(*words: str, worse: bool = False) -> None:
    """Run one of the project's commands in the repository; end where it does not end well.

    Args:
        words: what follows the name of the program.
        worse: releases do get worse, which is told in a file and no reason to end.

    """
    print("hsa-conformance", *words, flush=True)
    program = str(Path(sys.executable).with_name("hsa-conformance"))
    said = subprocess.DEVNULL if worse else None
    status = subprocess.run([program, *words], cwd=ROOT, check=False, stdout=said).returncode
    if status != 0 and not (worse and status == 1):
        raise SystemExit(f"hsa-conformance {words[0]} ended with {status}")


if __name__ == "__main__":
    main()
