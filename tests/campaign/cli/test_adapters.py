"""Adapters of third parties that do not work: one line, whatever they raise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library.cli.commands import Command

MODULE = """
from hsa_adapters import AdapterError, InProcessAdapter, MisuseError
from hsa_reference import Runtime

number = 3

def raises(options, registry):
    raise ValueError("no device\\nof mine")

def refuses(options, registry):
    raise AdapterError("the emulator is not running: start it")

def misused(options, registry):
    raise MisuseError("say which device, with MINE_DEVICE")

def makes_nothing(options, registry):
    return None

class NeverStarts(InProcessAdapter):
    def start(self):
        raise RuntimeError("cannot start")

class BreaksLater(InProcessAdapter):
    started = 0

    def process(self):
        self.started += 1
        if self.started > 3:
            raise KeyError("later")
        return super().process()

class Half:
    # It lacks methods that a process must have.
    def __init__(self, process):
        self.real = process
        self.page_size = process.page_size
        self.scratch = process.scratch

    def close(self):
        self.real.close()

class Fragile(Half):
    # It has what its real process has, and its calls raise at times.
    calls = 0

    def __getattr__(self, name):
        return getattr(self.real, name)

    def call(self, call):
        Fragile.calls += 1
        if call.function == "hsa_status_string" and Fragile.calls % 5 == 0:
            return 1 // 0
        return self.real.call(call)

class Lacks(InProcessAdapter):
    def process(self):
        return Half(super().process())

class Wraps(InProcessAdapter):
    def process(self):
        return Fragile(super().process())

class NeverEnds(InProcessAdapter):
    def close(self):
        raise OSError("busy")

class Answers(InProcessAdapter):
    # What it gives back is no text, where the suite wants one.
    def complaints(self):
        return [3]

def never_starts(options, registry):
    return NeverStarts("mine", lambda: Runtime().functions(), registry)

def breaks_later(options, registry):
    return BreaksLater("mine", lambda: Runtime().functions(), registry)

def wraps(options, registry):
    return Wraps("mine", lambda: Runtime().functions(), registry)

def lacks(options, registry):
    return Lacks("mine", lambda: Runtime().functions(), registry)

def never_ends(options, registry):
    return NeverEnds("mine", lambda: Runtime().functions(), registry)

def answers(options, registry):
    return Answers("mine", lambda: Runtime().functions(), registry)
"""

NAMES = [
    *("number", "raises", "refuses", "misused", "makes_nothing", "never_starts"),
    *("breaks_later", "lacks", "wraps", "never_ends", "answers"),
]


def install(folder: Path, package: str, lines: list[str]) -> None:
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    points = ["[hsa_conformance.adapters]", *lines]
    (about / "entry_points.txt").write_text("\n".join(points) + "\n")


@pytest.fixture
def adapters(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with an installed package that has adapters of many kinds."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "third_party_adapters.py").write_text(MODULE)
    lines = [f"{name} = third_party_adapters:{name}" for name in NAMES]
    nowhere = ["nowhere = no_such_package.adapter:make", "absent = third_party_adapters:absent"]
    install(folder, "third_party", lines + nowhere)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("raises", 3, "'raises' (third_party_adapters:raises) is broken: ValueError: no device of"),
        ("refuses", 3, "the emulator is not running: start it"),
        ("misused", 2, "say which device, with MINE_DEVICE"),
        ("makes_nothing", 3, "is broken: it made a NoneType"),
        ("never_starts", 3, "is broken: RuntimeError: cannot start (third_party_adapters.py:"),
        ("lacks", 3, "broken: AttributeError: 'Half' object has no attribute 'call'; --traceback"),
        ("number", 3, "is broken: TypeError: 'int' object is not callable"),
        ("nowhere", 3, "is broken: ModuleNotFoundError: No module named 'no_such_package'"),
        ("absent", 3, "is broken: AttributeError: module 'third_party_adapters' has no attribute"),
    ],
)
def test_an_adapter_that_does_not_work_is_named(
    program: Command, adapters: Path, tmp_path: Path, name: str, status: int, message: str
) -> None:
    """It is one line, no traceback, and nothing is left behind."""
    done = program("hsa-conformance", "run", "--adapter", name, "--select", "init")
    assert (status, "") == (done.status, done.out)
    [line] = done.err.splitlines()
    assert message in line
    assert [] == list(tmp_path.iterdir())


def test_the_traceback_is_shown_on_request(program: Command, adapters: Path) -> None:
    """Below the line, with the file of the adapter."""
    done = program("hsa-conformance", "check", "init", "--adapter", "raises", "--traceback")
    assert 3 == done.status
    assert done.err.startswith("hsa-conformance: the adapter 'raises' (third_party_adapters:raise")
    assert 'third_party_adapters.py", line 8, in raises' in done.err


@pytest.mark.parametrize("processes", [[], ["-n", "2"]])
def test_an_adapter_that_breaks_while_it_judges(
    program: Command, adapters: Path, tmp_path: Path, processes: list[str]
) -> None:
    """One line for each error, however many clauses it costs; what was judged is kept."""
    words = ["--adapter", "breaks_later", "--select", "init", "--out", tmp_path / "run"]
    done = program("hsa-conformance", "run", *words, *processes)
    assert 3 == done.status
    assert "Traceback" not in done.err
    errors = [line for line in done.err.splitlines() if line.startswith("ERROR")]
    assert 1 == len(errors)
    named = "the adapter 'breaks_later' (third_party_adapters:breaks_later) is broken: "
    assert f"{named}KeyError: 'later' (third_party_adapters.py:" in errors[0]
    assert "; the adapter broke " in done.out
    assert "the suite" not in errors[0]
    assert (tmp_path / "run" / "events.jsonl").exists()


def test_a_process_that_breaks_in_the_middle(program: Command, adapters: Path) -> None:
    """A method that raises now and then is the adapter's own, however examples turn out."""
    words = ["--adapter", "wraps", "--select", "hsa_status_string", "--select", "hsa_init"]
    done = program("hsa-conformance", "run", *words)
    assert 3 == done.status
    errors = [line for line in done.err.splitlines() if line.startswith("ERROR")]
    [error] = errors
    assert "the adapter 'wraps' (third_party_adapters:wraps) is broken: ZeroDivision" in error
    traced = program("hsa-conformance", "run", *words, "--traceback")
    assert "return 1 // 0" in traced.err


def test_an_adapter_that_cannot_be_stopped(program: Command, adapters: Path) -> None:
    """What was judged stands in the report, which names the adapter."""
    done = program("hsa-conformance", "run", "--adapter", "never_ends", "--select", "hsa_init")
    assert 3 == done.status
    assert "It could not be stopped: the adapter 'never_ends'" in done.out
    assert "OSError: busy" in done.out


def test_what_breaks_in_the_suite_is_not_blamed_on_the_adapter(
    program: Command, adapters: Path
) -> None:
    """The adapter raises nothing, and the suite cannot do with what it gives."""
    done = program("hsa-conformance", "run", "--adapter", "answers", "--select", "hsa_init")
    assert 3 == done.status
    [error] = {line.partition(": ")[2] for line in done.err.splitlines() if line[:5] == "ERROR"}
    assert ": the suite itself is broken: TypeError: " in error
    assert "; the suite broke " in done.out


def test_two_packages_with_one_name(program: Command, adapters: Path) -> None:
    """They are named, since nothing says which of them is meant."""
    install(adapters, "another", ["raises = third_party_adapters:refuses"])
    done = program("hsa-conformance", "run", "--adapter", "raises", "--select", "init")
    assert 2 == done.status
    assert "named 'raises', by another and third_party: uninstall one" in done.err
