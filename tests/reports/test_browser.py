"""The page in a real browser, without a window."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from report_samples import ENDED, HOSTILE, hostile_run, make_run

from hsa_reports import render_html

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = pytest.mark.skipif(BROWSER is None, reason="chromium is not installed")

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=3000",
)


@pytest.fixture
def dump(tmp_path, registry):
    """Return a function that opens a run's page and returns the document after its scripts ran."""

    def open_page(run, *, anchor="", script=""):
        path = tmp_path / "report.html"
        page = render_html(run, registry)
        path.write_text(page.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
        command = [
            BROWSER,
            *ARGUMENTS,
            f"--user-data-dir={tmp_path / 'profile'}",
            "--dump-dom",
            f"{path.as_uri()}{anchor}",
        ]
        done = subprocess.run(command, capture_output=True, check=True, timeout=120)
        return done.stdout.decode("utf-8")

    return open_page


def test_the_page_shows_the_run_and_its_script_works(dump):
    document = dump(make_run())
    assert "Does not pass set" in document
    assert "28 of 28 clauses" in document
    assert document.count(">Copy</button>") == 7
    assert '<form id="filter" hidden' not in document


def test_the_filter_hides_the_clauses_that_do_not_fit(dump):
    document = dump(
        make_run(),
        script="""
        const form = document.getElementById("filter");
        form.elements.text.value = "VMEM size";
        form.elements.verdict.value = "FAIL";
        form.dispatchEvent(new Event("input"));
        """,
    )
    assert "1 of 28 clauses" in document
    shown = re.findall(r'<li id="([^"]+)" data-verdict="\w+" data-strength="\w+">', document)
    assert shown == ["hsa_amd_vmem_address_free/size-differs"]


def test_a_link_leads_to_its_clause_even_where_the_filter_hid_it(dump):
    document = dump(
        make_run(),
        script="""
        const form = document.getElementById("filter");
        form.elements.verdict.value = "FAIL";
        form.dispatchEvent(new Event("input"));
        location.hash = "#hsa_init/counts";
        """,
    )
    assert "28 of 28 clauses" in document


def test_a_run_that_judged_nothing_says_so_loudly(dump):
    document = dump(make_run([], end=replace(ENDED, initialised=False)))
    assert 'class="headline nothing" role="status">NOTHING WAS JUDGED' in document


@pytest.mark.parametrize("kind", ["script", "attribute", "closing"])
def test_text_of_a_library_is_not_run(dump, kind):
    document = dump(hostile_run(HOSTILE[kind]))
    assert "<title>owned</title>" not in document
    assert "<img" not in document
    assert len(re.findall("<script>", document)) == 2


def test_the_page_fits_a_narrow_window(dump):
    document = dump(
        make_run(),
        script="""
        const frame = document.createElement("iframe");
        frame.style.width = "480px";
        frame.onload = () => {
          const inside = frame.contentDocument.documentElement;
          document.title = `${inside.clientWidth} ${inside.scrollWidth}`;
        };
        frame.srcdoc = document.documentElement.outerHTML.replaceAll("script", "template");
        document.body.append(frame);
        """,
    )
    width, content = re.search(r"<title>(\d+) (\d+)</title>", document).groups()
    assert int(content) <= int(width) <= 480
