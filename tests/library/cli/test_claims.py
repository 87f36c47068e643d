"""What becomes of a claim, and of a library without one, that says more than the library has."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_conformance.subjects import claim_beside
from hsa_reports import Verdict
from hsa_reports.run import read_run
from tests.library.cli.commands import Command
from tests.library.third_party.build import CLAIM, LIBRARY, SOURCES, compile_files

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

MINOR = "VERSION_MINOR:\n        *(uint16_t *)value = 0;"
HIDDEN = ("hsa_isa_compatible", "hsa_isa_from_name")
SELECT = ("--select", "hsa_isa_compatible/exported", "--select", "hsa_status_string/success")

Run = Callable[..., tuple[int, str, dict[str, Verdict]]]


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Run:
    """Return a function that judges the third-party runtime, which hides two of its functions.

    It says that it implements HSA 1.7.
    """
    symbols = tmp_path / "hidden.map"
    symbols.write_text(f"{{ local: {'; '.join(HIDDEN)}; }};\n", "utf-8")
    sources = shutil.copytree(SOURCES, tmp_path / "runtime")
    system = (sources / "system.c").read_text("utf-8")
    assert 1 == system.count(MINOR)
    (sources / "system.c").write_text(system.replace(MINOR, MINOR.replace("= 0", "= 7")), "utf-8")
    library = tmp_path / "libmine.so"
    options = (*LIBRARY.split(), f"-Wl,--version-script={symbols}")
    compile_files(library, sorted(sources.glob("*.c")), *options)

    def run(claim: str | None, *words: str) -> tuple[int, str, dict[str, Verdict]]:
        beside = tmp_path / "claim.yaml"
        beside.unlink(missing_ok=True)
        if claim is not None:
            beside.write_text(claim, "utf-8")
        out = tmp_path / "run"
        done = command("run", "--library", library, *SELECT, "--out", out, *words)
        verdicts = dict(read_run(out).verdicts) if out.exists() else {}
        return done.status, done.out + done.err, verdicts

    return run


def test_a_claim_that_names_what_the_library_lacks_is_refused(run: Run, tmp_path: Path) -> None:
    """One line names the first such function, and what to do; nothing is judged."""
    status, said, verdicts = run(CLAIM.read_text("utf-8"))
    line = (
        f"the claim names hsa_isa_compatible and 1 more, which {tmp_path / 'libmine.so'} does not "
        "export: leave it out, or claim its set, of which it then fails"
    )
    assert (2, {}) == (status, verdicts)
    assert [f"hsa-conformance: {line}"] == said.splitlines()


def test_what_a_claimed_set_has_and_the_library_lacks_fails(run: Run) -> None:
    """The missing function is a failure, and the rest is judged."""
    status, said, verdicts = run("implementation: mine\nsets: [core-1.0]\n")
    assert 1 == status
    assert "the library does not export hsa_isa_compatible" in said
    assert Verdict.FAIL is verdicts["hsa_isa_compatible/exported"]
    assert Verdict.PASS is verdicts["hsa_status_string/success"]


def test_a_version_of_the_librarys_own_is_named(run: Run) -> None:
    """It answers one that nobody published: a line says by which it is judged instead."""
    _, said, _ = run("implementation: mine\nfunctions: [hsa_init, hsa_system_get_info]\n")
    assert "it answers HSA 1.7, which was never published: judged as 1.2" in said


def test_without_a_claim_the_report_says_what_is_assumed(run: Run) -> None:
    """What the library lacks of the version that it is taken for fails."""
    status, said, verdicts = run(None, "--hsa-version", "1.0")
    assert 1 == status
    assert (
        "Nothing is claimed of it (--claim), so it is judged as HSA 1.0 without AMD's extension "
        "(--hsa-version): what it lacks of that fails."
    ) in said
    assert Verdict.FAIL is verdicts["hsa_isa_compatible/exported"]


@pytest.mark.parametrize(
    ("claim", "words", "expected", "message"),
    [
        ("implementation: mine\nhsa: '1.3'\nfunctions: [hsa_init]\n", (), 3, "'1.3'"),
        ("implementation: mine\nsets: [core-1.3]\n", (), 3, "there is no set 'core-1.3'"),
        ("implementation: mine\nsets: [amd-1.99]\n", (), 3, "there is no set 'amd-1.99'"),
        (None, ("--hsa-version", "1.3"), 2, "'1.3'"),
    ],
    ids=["in a claim", "of the core", "of AMD's extension", "as an option"],
)
def test_a_version_that_nobody_published_is_refused(
    run: Run, claim: str | None, words: tuple[str, ...], expected: int, message: str
) -> None:
    """One line says so, and nothing is judged."""
    status, said, verdicts = run(claim, *words)
    assert (expected, {}) == (status, verdicts)
    assert message in said.splitlines()[-1]


def test_a_library_that_the_loader_finds_has_no_claim_here(
    run: Run, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder where the user stands is not the library's, unless the library lies in it."""
    beside = tmp_path / "claim.yaml"
    beside.write_text("implementation: another\nfunctions: [hsa_init]\n", "utf-8")
    assert beside == claim_beside(str(tmp_path / "libmine.so"))
    assert Path("claim.yaml") == claim_beside("libmine.so")
    elsewhere = tmp_path / "lib"
    elsewhere.mkdir()
    (tmp_path / "libmine.so").rename(elsewhere / "libmine.so")
    assert claim_beside("libmine.so") is None
    monkeypatch.setenv("LD_LIBRARY_PATH", str(elsewhere))
    done = command("run", "--library", "libmine.so", *SELECT, "--out", tmp_path / "run")
    assert "Nothing is claimed of it (--claim)" in done.out
