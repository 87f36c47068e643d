"""Machine files: those that come along can be read, wrong ones say what is wrong and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import machines
from hsa_spec.machines import (
    Cache,
    MachineError,
    Target,
    load_machine,
    machine_names,
    targets,
)

MACHINES = Path(machines.__file__).with_name("examples")
GOOD = """\
summary: A machine.
cpus:
  - {memory: 1 GiB}
gpus:
  - {target: gfx90a, memory: 1 GiB}
"""


@pytest.mark.parametrize("name", machine_names())
def test_every_machine_that_comes_along_can_be_read(name: str) -> None:
    assert name == load_machine(name).name


@pytest.mark.parametrize("name", machine_names())
def test_every_machine_that_comes_along_passes_the_check_of_all_others(
    tmp_path: Path, name: str
) -> None:
    """Where they are they are not checked, which takes longer than the rest of a start."""
    copy = tmp_path / f"{name}.yaml"
    copy.write_bytes((MACHINES / copy.name).read_bytes())

    assert load_machine(name) == load_machine(copy)


@pytest.mark.parametrize("target", targets().values(), ids=lambda target: target.name)
def test_the_version_of_a_target_is_its_name(target: Target) -> None:
    """Major, minor and stepping, the last two as hexadecimal digits of the name."""
    name, version = target.name, target.version
    major, rest = divmod(version, 10000)
    minor, stepping = divmod(rest, 100)
    assert f"gfx{major}{minor:x}{stepping:x}" == name


def test_what_a_file_leaves_out_has_a_default(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD)
    machine = load_machine(path)
    assert ("mine", (1, 17)) == (machine.name, machine.driver.interface)
    assert ("none", False, True) == (machine.links, machine.xnack, machine.svm)
    assert ("cpu", "gpu0") == tuple(agent.name for agent in machine.agents)
    assert machine.gpus[0].memory == machine.gpus[0].visible == 1 << 30
    assert 3 == len(machine.cpus[0].caches)


def test_an_item_stands_for_as_many_as_it_says(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD.replace("{memory: 1 GiB}", "{memory: 4096, count: 2, caches: [1 KiB]}"))
    machine = load_machine(path)
    assert ["cpu0", "cpu1"] == [cpu.name for cpu in machine.cpus]
    assert ((Cache(1, 1024),), 4096) == (machine.cpus[1].caches, machine.cpus[1].memory)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("gfx90a", "gfx1", "5: there is no target 'gfx1'; known are gfx908, "),
        ("memory: 1 GiB}\n", "memory: 1 GB}\n", "3: cpus.0.memory: '1 GB' does not match"),
        (
            "{memory: 1 GiB}\n",
            "{memory: 1073741824 GiB}\n",
            "3: cpus.0.memory: '1073741824 GiB' doe",
        ),
        (
            "{memory: 1 GiB}\n",
            f"{{memory: {1 << 64}}}\n",
            "3: cpus.0.memory: .*greater than the max",
        ),
        (
            "gfx90a, memory: 1 GiB",
            "gfx90a, memory: 1, visible: 2",
            "5: visible is more than memory",
        ),
        (
            "gfx90a, memory: 1 GiB",
            "gfx90a, memory: 1, sampling: [{method: hosttrap_v1, units: clock_cycles, "
            "min_interval: 2, max_interval: 1}]",
            "5: min_interval is more than max_interval",
        ),
        (
            "{memory: 1 GiB}\n",
            "{memory: 1 GiB, caches: [1 KiB, 4 GiB]}\n",
            "3: cpus.0.caches.1: expected at most 4294967295 bytes, not 4294967296",
        ),
        ("gpus:", "colour: red\ngpus:", "4: the document: unknown key 'colour'; the keys are summ"),
        ("summary: A machine.", "", "the document: 'summary' is a required property"),
        ("  - {memory: 1 GiB}", "  []", r"cpus: \[\] should be non-empty|cpus: \[\] is too short"),
        ("gpus:", "host_memory: 1 GiB\ngpus:", "4: host_memory is now memory of the item of cpus"),
        ("gpus:", "agents: []\ngpus:", "4: agents is now cpus and gpus"),
        ("gpus:", "exhausted: []\ngpus:", "4: exhausted is now runtime.exhausted"),
        ("gpus:", "interface: 1\ngpus:", "4: interface is now driver.interface"),
        (
            "gpus:",
            "runtime: {agents: {gpu7: {}}}\ngpus:",
            "4: .*no agent 'gpu7'; the agents are cpu",
        ),
        (GOOD, "- 1", "expected a mapping"),
        (GOOD, "a: [", "not YAML"),
        (GOOD, f"{GOOD}---\n{GOOD}", "expected one document, not 2"),
    ],
)
def test_a_wrong_file_says_where_and_what_was_expected(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(MachineError, match=rf"{path}:.*({message})"):
        load_machine(path)


def test_the_example_of_the_documentation_can_be_read(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs/how-to/describe-a-machine.md"
    path = tmp_path / "example.yaml"
    path.write_text(page.read_text().split("```")[1].removeprefix("yaml"))
    assert 2 == len(load_machine(path).gpus)


def test_an_unknown_machine_is_answered_with_those_that_exist() -> None:
    with pytest.raises(MachineError, match=r"nowhere: No such file.* one of apu, cpu, gfx1100, "):
        load_machine("nowhere")
