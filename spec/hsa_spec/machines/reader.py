"""Reads machine files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hsa_spec.documents import Document, check_documents, read_documents
from hsa_spec.errors import RegistryError
from hsa_spec.machines.images import image_formats
from hsa_spec.machines.model import (
    Block,
    Cpu,
    Driver,
    Gpu,
    Machine,
    MachineError,
    Pool,
    RuntimeModel,
    Sampling,
)
from hsa_spec.machines.sizes import in_bytes
from hsa_spec.machines.targets import caches, targets

_EXAMPLES = Path(__file__).with_name("examples")
_SCHEMA = Path(__file__).with_name("machine.schema.json")
_LARGEST_CACHE = (1 << 32) - 1  # bytes: attributes of 32 bits say how large caches are
_CPU_CACHES = ("32 KiB", "1 MiB", "32 MiB")
#: Keys of the two formats that this one replaced, of the reference and of the imitation.
_RENAMED = {
    "agents": "cpus and gpus",
    "access": "links, and visible of each GPU",
    "host_memory": "memory of the item of cpus",
    **{key: f"runtime.{key}" for key in ("attributes", "exhausted", "references")},
    **{
        key: f"driver.{key}" for key in ("interface", "otherwise", "slow_queue_us", "late_event_us")
    },
}


def machine_names() -> list[str]:
    """Return the names of the machines that come along."""
    return sorted(path.stem for path in _EXAMPLES.glob("*.yaml"))


def load_machine(name: str | Path) -> Machine:
    """Read a machine.

    Args:
        name: one of `machine_names()`, or the path of a file.

    Raises:
        MachineError: there is no such machine, or the file breaks a rule.

    """
    path = _EXAMPLES / f"{name}.yaml" if str(name) in machine_names() else Path(name)
    try:
        document = _read(path)
        return _machine(document)
    except OSError as error:
        known = ", ".join(machine_names())
        raise MachineError(
            name, None, f"{error.strerror}; name a machine file, or one of {known}"
        ) from None
    except RegistryError as error:
        raise MachineError(error.path, error.line, error.rule) from None


def _read(path: Path) -> Document:
    documents = list(read_documents(path))
    if len(documents) != 1:
        raise RegistryError(path, None, f"expected one document, not {len(documents)}")
    (document,) = documents
    for key, now in _RENAMED.items():
        if key in document.data:
            raise document.error([key], f"{key} is now {now}")
    # Those that come along were checked when they were written.
    if not path.is_relative_to(_EXAMPLES):
        check_documents([document], _SCHEMA)
    return document


def _machine(document: Document) -> Machine:
    data = document.data
    cpus = _repeated(data["cpus"])
    gpus = _repeated(data["gpus"])
    names = [f"cpu{i}" for i in range(len(cpus))] if len(cpus) > 1 else ["cpu"]
    machine = Machine(
        name=document.path.stem,
        cpus=tuple(
            Cpu(name, in_bytes(cpu["memory"]), caches(cpu.get("caches", _CPU_CACHES)))
            for name, (_, cpu) in zip(names, cpus, strict=True)
        ),
        gpus=tuple(_gpu(document, index, f"gpu{i}", gpu) for i, (index, gpu) in enumerate(gpus)),
        driver=_driver(data.get("driver", {})),
        runtime=_runtime(data.get("runtime", {})),
        document=document,
        **{key: data[key] for key in ("links", "xnack", "svm") if key in data},
    )
    for cpu, (index, _) in zip(machine.cpus, cpus, strict=True):
        for level, cache in enumerate(cpu.caches):
            if cache.size > _LARGEST_CACHE:
                rule = f"expected at most {_LARGEST_CACHE} bytes, not {cache.size}"
                raise machine.error(["cpus", index, "caches", level], rule)
    known = {agent.name for agent in machine.agents}
    for name in data.get("runtime", {}).get("agents", {}):
        if name not in known:
            rule = f"there is no agent {name!r}; the agents are {', '.join(sorted(known))}"
            raise machine.error(["runtime", "agents", name], rule)
    return machine


def _repeated(items: Sequence[Mapping[str, Any]]) -> list[tuple[int, Mapping[str, Any]]]:
    """Return what a list describes, with the number of the item, each as often as it says."""
    return [(i, item) for i, item in enumerate(items) for _ in range(item.get("count", 1))]


def _gpu(document: Document, index: int, name: str, data: Mapping[str, Any]) -> Gpu:
    if data["target"] not in targets():
        known = ", ".join(targets())
        rule = f"there is no target {data['target']!r}; known are {known}"
        raise document.error(["gpus", index, "target"], rule)
    memory = in_bytes(data["memory"])
    visible = in_bytes(data.get("visible", data["memory"]))
    if visible > memory:
        raise document.error(["gpus", index, "visible"], "visible is more than memory")
    sampling = tuple(
        _sampling(document, ["gpus", index, "sampling", i], way)
        for i, way in enumerate(data.get("sampling", ()))
    )
    return Gpu(
        name,
        targets()[data["target"]],
        memory,
        visible,
        data.get("debug", False),
        sampling,
        tuple(Block(name, **block) for name, block in data.get("blocks", {}).items()),
        data.get("reclaims", False),
    )


def _sampling(document: Document, place: Sequence[str | int], data: Mapping[str, Any]) -> Sampling:
    if data["min_interval"] > data["max_interval"]:
        raise document.error([*place, "min_interval"], "min_interval is more than max_interval")
    return Sampling(**{**data, "reserved": frozenset(data.get("reserved", ()))})


def _driver(data: Mapping[str, Any]) -> Driver:
    major, minor = data.get("interface", "1.17").split(".")
    rest = {key: value for key, value in data.items() if key != "interface"}
    return Driver(interface=(int(major), int(minor)), **rest)


def _runtime(data: Mapping[str, Any]) -> RuntimeModel:
    agents = data.get("agents", {})
    return RuntimeModel(
        references=data.get("references", 0),
        files=data.get("files", True),
        isa_names=data.get("isa_names", "hsa"),
        rounding=data.get("rounding", "hsa"),
        image_limits=data.get("image_limits", "size_t"),
        exhausted=frozenset(data.get("exhausted", ())),
        finalizer=data.get("finalizer", False),
        attributes=data.get("attributes", {}),
        agents={name: agent.get("attributes", {}) for name, agent in agents.items()},
        pools={
            name: tuple(map(_pool, agent["pools"]))
            for name, agent in agents.items()
            if "pools" in agent
        },
        image_formats={
            name: image_formats(agent["image_formats"])
            for name, agent in agents.items()
            if "image_formats" in agent
        },
    )


def _pool(data: Mapping[str, Any]) -> Pool:
    sizes = ("size", "granule", "recommended_granule", "alignment", "max_size")
    values: dict[str, Any] = {
        key: in_bytes(value) if key in sizes else value for key, value in data.items()
    }
    return Pool(**{**values, "flags": tuple(data["flags"])})
