"""Files need others by imports, names in strings, fixtures and folders."""

from __future__ import annotations

from tests.before.needs import Sources, data, distances, fixtures, named_modules


def test_the_fewest_steps_count() -> None:
    """A file that needs the changed one directly and by another is one step away."""
    needs = [("b", "a"), ("c", "b"), ("c", "a"), ("d", "c"), ("a", "d"), ("other", "else")]
    assert {"a": 0, "b": 1, "c": 1, "d": 2} == distances(["a"], needs)


def test_of_several_changed_files_the_nearest_counts() -> None:
    """What one of them reaches in two steps and the other in one is one step away."""
    needs = [("b", "a"), ("c", "b"), ("c", "z")]
    assert {"a": 0, "z": 0, "b": 1, "c": 1} == distances(["a", "z"], needs)


def test_a_module_that_is_started_by_its_name_is_needed() -> None:
    """So is the command line by tests that name the command, and by no others."""
    sources = Sources(
        {
            "conformance/hsa_conformance/cli/__init__.py": '_COMMANDS = {"go": "run"}',
            "conformance/hsa_conformance/cli/run.py": 'NAME = "hsa-conformance"',
            "tests/library/test_starts.py": '[sys.executable, "-m", "hsa_conformance.cli.run"]',
            "tests/library/test_command.py": 'SCRIPTS / "hsa-conformance"',
        },
        ["conformance"],
    )
    package = "conformance/hsa_conformance/cli/__init__.py"
    assert {
        (package, "conformance/hsa_conformance/cli/run.py"),
        ("tests/library/test_starts.py", "conformance/hsa_conformance/cli/run.py"),
        ("tests/library/test_command.py", package),
    } == set(named_modules(sources))


def test_a_fixture_needs_what_it_uses_alone() -> None:
    """A test that names one fixture does not need what another of the same file imports."""
    conftest = """
from tests.first import one
from tests import second
@pytest.fixture
def uses_one(): return one()
@pytest.fixture(scope="session")
def uses_two(): return second.two()
"""
    sources = Sources(
        {
            "tests/first.py": "",
            "tests/second.py": "",
            "tests/conftest.py": conftest,
            "tests/unit/test_one.py": "def test_it(uses_one): pass",
        }
    )
    needs = set(fixtures(sources))
    assert {"tests/first.py": 0, "tests/conftest.py::uses_one": 1, "tests/unit/test_one.py": 2} == {
        path: steps
        for path, steps in distances(["tests/first.py"], needs).items()
        if path != "tests/conftest.py::one"
    }
    assert "tests/unit/test_one.py" not in distances(["tests/second.py"], needs)
    assert 1 == distances(["tests/conftest.py"], needs)["tests/unit/test_one.py"]


def needing(path: str, **texts: str) -> set[str]:
    """Return the Python files, given with two underscores for a slash, that need a file."""
    sources = Sources({f"{name.replace('__', '/')}.py": text for name, text in texts.items()})
    return {python for python, _ in data(sources, path)}


def test_a_template_is_needed_by_what_names_its_folder() -> None:
    """The nearest folder with Python files counts, and of these the ones that name it."""
    found = needing(
        "reports/made/templates/page/list.j2",
        reports__made__page='loader("templates")',
        reports__made__numbers='"of templates"',
        reports__far='"templates"',
    )
    assert {"reports/made/page.py"} == found


def test_a_file_that_nobody_names_is_needed_by_its_whole_folder() -> None:
    """A file beside Python files may be read by any of them."""
    found = needing("made/some.txt", made__one='"x"', made__two="", other='"y"')
    assert {"made/one.py", "made/two.py"} == found


def test_a_c_source_is_needed_by_tests_that_name_it_without_its_suffix() -> None:
    """That is how a fake library is asked for."""
    found = needing(
        "tests/fakes/vmem.c",
        tests__fakes__build='f"{name}.c"',
        tests__library__test_fakes='fake("vmem")',
        tests__library__test_others='fake("signals")',
    )
    assert {"tests/fakes/build.py", "tests/library/test_fakes.py"} == found


def test_a_page_is_needed_by_tests_that_name_it_or_its_folder_or_all_pages() -> None:
    """A test of another folder's pages does not need it."""
    found = needing(
        "docs/how-to/release.md",
        tests__test_page='"docs/how-to/release.md"',
        tests__test_folder='ROOT / "docs" / "how-to"',
        tests__test_links='ROOT.rglob("*.md")',
        tests__test_findings='"docs" / "findings"',
    )
    assert {"tests/test_page.py", "tests/test_folder.py", "tests/test_links.py"} == found


def test_a_registry_is_needed_by_its_topic() -> None:
    """The topic's modules of the reference and of the suite need it, and the loader."""
    found = needing(
        "spec/hsa_spec/registry/amd/vmem.yaml",
        spec__hsa_spec__loader='"registry"',
        reference__hsa_reference__amd__vmem__blocks="",
        reference__hsa_reference__amd__svm="",
        conformance__topics__amd__vmem="",
    )
    assert {
        "spec/hsa_spec/loader.py",
        "reference/hsa_reference/amd/vmem/blocks.py",
        "conformance/topics/amd/vmem.py",
    } == found
