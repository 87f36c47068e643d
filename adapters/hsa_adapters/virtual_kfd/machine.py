"""The description of an imitated machine, read from YAML."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_adapters.virtual_kfd.targets import TARGETS, Target
from hsa_spec.yaml_file import in_one_line, read_yaml

DEFAULT = "gfx90a"
_FOLDER = Path(__file__).with_name("machines")
_SCHEMA = json.loads(Path(__file__).with_name("machine.schema.json").read_text(encoding="utf-8"))
_UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


@dataclass(frozen=True)
class Gpu:
    """One imitated GPU.

    Attributes:
        target: what is fixed by its architecture.
        memory: bytes of local memory.
        visible: bytes of it that CPUs can reach: all of them with a large BAR.
        debug: whether its firmware supports debuggers.

    """

    target: Target
    memory: int
    visible: int
    debug: bool


@dataclass(frozen=True)
class Machine:
    """One imitated machine.

    Attributes:
        name: what reports call it.
        interface: the version of the kernel driver's interface; virtual memory needs 1.15.
        host_memory: bytes of the CPUs' memory.
        gpus: its GPUs, in order.
        links: how GPUs reach each other: "xgmi", "pcie", or "none".
        xnack: whether page faults of GPUs can be retried.
        svm: whether the driver has shared virtual memory.
        otherwise: whether driver and devices do otherwise what they may do in several ways.
        slow_queue_us: microseconds that a queue rests after each packet.
        late_event_us: microseconds that a device's event is late.

    """

    name: str
    interface: tuple[int, int]
    host_memory: int
    gpus: tuple[Gpu, ...]
    links: str
    xnack: bool
    svm: bool
    otherwise: bool
    slow_queue_us: int
    late_event_us: int


def machine_names() -> list[str]:
    """Return the names of the machines that come with the package."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def load_machine(name: str | Path) -> Machine:
    """Read a machine.

    Args:
        name: one of `machine_names()`, or the path of a file.

    Raises:
        VirtualKfdError: there is no such machine, or the description is malformed.

    """
    path = _FOLDER / f"{name}.yaml"
    if str(name) not in machine_names():
        path = Path(name)
    try:
        data = read_yaml(path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise VirtualKfdError(
            f"the machine {name} cannot be read ({in_one_line(error)}); name a file, or one of "
            f"{', '.join(machine_names())}"
        ) from None
    try:
        jsonschema.validate(data, _SCHEMA)
    except jsonschema.ValidationError as error:
        where = ".".join(map(str, error.absolute_path)) or "the file"
        raise VirtualKfdError(f"the machine {name}: {where}: {error.message}") from None
    return _machine(path.stem, data)


def _machine(name: str, data: dict[str, Any]) -> Machine:
    major, minor = data["interface"].split(".")
    return Machine(
        name=name,
        interface=(int(major), int(minor)),
        host_memory=_bytes(data["host_memory"]),
        gpus=tuple(_gpu(name, gpu) for gpu in data["gpus"] for _ in range(gpu.get("count", 1))),
        links=data.get("links", "none"),
        xnack=data.get("xnack", False),
        svm=data.get("svm", True),
        otherwise=data.get("otherwise", False),
        slow_queue_us=data.get("slow_queue_us", 0),
        late_event_us=data.get("late_event_us", 0),
    )


def _gpu(name: str, data: dict[str, Any]) -> Gpu:
    if data["target"] not in TARGETS:
        raise VirtualKfdError(
            f"the machine {name}: there is no target {data['target']!r}; known are "
            f"{', '.join(sorted(TARGETS))}"
        )
    memory = _bytes(data["memory"])
    visible = _bytes(data["visible"]) if "visible" in data else memory
    if visible > memory:
        raise VirtualKfdError(f"the machine {name}: visible is more than memory")
    return Gpu(TARGETS[data["target"]], memory, visible, data.get("debug", False))


def _bytes(text: str) -> int:
    number, unit = text.split()
    return int(number) * _UNITS[unit]
