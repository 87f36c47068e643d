"""The names that golden cases take from the machine: agents, pools, sizes, capabilities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from hsa_adapters.protocol import Process
from tests.golden.answers import CannotRunError
from tests.golden.calls import Outputs, PreparedCall, signatures
from tests.golden.expressions import Value

_PROFILER = "HSA_VEN_AMD_AQLPROFILE_"


class Machine:
    """What an initialised process can see, each name looked up when it is first used."""

    def __init__(self, process: Process) -> None:
        self._process = process

    NAMES: Mapping[str, Callable[[Machine], int]] = {
        "cpu": lambda m: m.agent("HSA_DEVICE_TYPE_CPU", 0),
        "gpu": lambda m: m.agent("HSA_DEVICE_TYPE_GPU", 0),
        "gpu2": lambda m: m.agent("HSA_DEVICE_TYPE_GPU", 1),
        "pool_cpu": lambda m: m.pool(m.name("cpu"), "fine-grained", "allocatable"),
        "pool_gpu": lambda m: m.pool(m.name("gpu"), "coarse-grained", "allocatable"),
        "pool_closed": lambda m: m.pool(m.name("gpu"), "not allocatable"),
        "region_cpu": lambda m: m.region(m.name("cpu"), "fine-grained"),
        "region_coarse": lambda m: m.region(m.name("cpu"), "coarse-grained"),
        "region_gpu": lambda m: m.region(m.name("gpu"), "coarse-grained", but=m.name("cpu")),
        "region_closed": lambda m: m.region(m.name("gpu"), "not allocatable"),
        "region_granule": lambda m: m.region_info(m.name("region_cpu"), "RUNTIME_ALLOC_GRANULE"),
        "granule": lambda m: m.pool_info("pool_gpu", "RUNTIME_ALLOC_GRANULE"),
        "pool_size": lambda m: m.pool_info("pool_gpu", "SIZE"),
        "pool_cpu_granule": lambda m: m.pool_info("pool_cpu", "RUNTIME_ALLOC_GRANULE"),
    }

    def __contains__(self, name: str) -> bool:
        return name in self.NAMES

    @cached_property
    def _known(self) -> dict[str, int]:
        return {}

    def name(self, name: str) -> int:
        """Return the value of a name.

        Raises:
            CannotRunError: the machine has no such thing.

        """
        if name not in self._known:
            self._known[name] = self.NAMES[name](self)
        return self._known[name]

    def agent(self, device: str, index: int) -> int:
        """Return the index-th agent of a device type."""
        seen = self._call("hsa_iterate_agents", callback=["HSA_STATUS_SUCCESS"], data=0)
        found = [
            agent
            for agent in _row(seen["callback"])
            if self._get("hsa_agent_get_info", "u32", "HSA_AGENT_INFO_DEVICE", agent=agent)
            == _constant(device)
        ]
        if len(found) <= index:
            kind = device.removeprefix("HSA_DEVICE_TYPE_")
            raise CannotRunError(f"needs {index + 1} {kind} agent(s), the machine has {len(found)}")
        return found[index]

    def processor(self) -> str:
        """Return the name of what the first GPU runs, such as "gfx942"."""
        agent = self.name("gpu")
        seen = self._call("hsa_agent_get_info", agent=agent, attribute=0, value={"out": "u8[64]"})
        return bytes(_row(seen["value"])).split(b"\0")[0].decode()

    def pool(self, agent: int, *properties: str) -> int:
        """Return the agent's first pool that has these properties."""
        seen = self._call(
            "hsa_amd_agent_iterate_memory_pools",
            agent=agent,
            callback=["HSA_STATUS_SUCCESS"],
            data=0,
        )
        for pool in _row(seen["callback"]):
            if set(properties) <= self._properties(pool):
                return pool
        raise CannotRunError(f"needs a pool that is {' and '.join(properties)}")

    def pool_info(self, pool: str, attribute: str) -> int:
        """Return an attribute of type size_t of a pool, in bytes."""
        return self._pool_get("u64", attribute, self.name(pool))

    def region(self, agent: int, grain: str, but: int | None = None) -> int:
        """Return an agent's first region of this grain, or that is not allocatable.

        Args:
            agent: whose.
            grain: "fine-grained", "coarse-grained" or "not allocatable".
            but: an agent that cannot access it.

        """
        others = self._regions(but) if but is not None else ()
        for region in self._regions(agent):
            if region not in others and self._grain(region) == grain:
                return region
        raise CannotRunError(f"needs a region that is {grain}")

    def region_info(self, region: int, attribute: str, type_name: str = "u64") -> int:
        """Return an attribute of a region."""
        name = f"HSA_REGION_INFO_{attribute}"
        return self._get("hsa_region_get_info", type_name, name, region=region)

    def _regions(self, agent: int) -> tuple[int, ...]:
        seen = self._call(
            "hsa_agent_iterate_regions", agent=agent, callback=["HSA_STATUS_SUCCESS"], data=0
        )
        return _row(seen["callback"])

    def _grain(self, region: int) -> str:
        if not self.region_info(region, "RUNTIME_ALLOC_ALLOWED", "u8"):
            return "not allocatable"
        flags = self.region_info(region, "GLOBAL_FLAGS", "u32")
        fine = flags & _constant("HSA_REGION_GLOBAL_FLAG_FINE_GRAINED")
        return "fine-grained" if fine else "coarse-grained"

    def require(self, need: str) -> None:
        """Check one need of a case.

        Args:
            need: "vmem", "dmabuf", "svm", "fabric", "cpu_access", "sampling", "finalizer",
                "profiler", "images" (of the first GPU), "interface X.Y", or a name of the machine.

        Raises:
            CannotRunError: it is not met.

        """
        match need.split():
            case ["vmem"]:
                self._require_flag("HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED")
            case ["dmabuf"]:
                self._require_flag("HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED")
            case ["fabric"]:
                self._require_flag("HSA_AMD_SYSTEM_INFO_FABRIC_HANDLES_SUPPORTED")
            case ["svm"]:
                self._require_flag("HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED")
            case ["cpu_access"]:
                access = self._get(
                    "hsa_amd_agent_memory_pool_get_info",
                    "u32",
                    "HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS",
                    agent=self.name("cpu"),
                    memory_pool=self.name("pool_gpu"),
                )
                if access == _constant("HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED"):
                    raise CannotRunError("needs a CPU that can reach the GPU's memory")
            case ["finalizer"]:
                seen = self._call(
                    "hsa_system_extension_supported",
                    extension=_constant("HSA_EXTENSION_FINALIZER"),
                    version_major=1,
                    version_minor=0,
                    result="out",
                )
                if not seen["result"]:
                    raise CannotRunError("needs a finalizer")
            case ["profiler"]:
                seen = self._call(
                    "hsa_ven_amd_aqlprofile_validate_event",
                    agent=self.name("gpu"),
                    event=[{"block_name": _constant(f"{_PROFILER}BLOCK_NAME_SQ"), "counter_id": 4}],
                    result="out",
                )
                if not seen["result"]:
                    raise CannotRunError("needs a GPU that counts in its block SQ")
            case ["sampling"]:
                seen = self._call(
                    "hsa_ven_amd_pcs_iterate_configuration",
                    agent=self.name("gpu"),
                    configuration_callback=["HSA_STATUS_SUCCESS"],
                    callback_data=0,
                )
                if not _row(seen["configuration_callback"]):
                    raise CannotRunError("needs a GPU that can be sampled")
            case ["images"]:
                self._require_extension("HSA_EXTENSION_IMAGES")
            case ["interface", version]:
                wanted = tuple(int(part) for part in version.split("."))
                if self._interface() < wanted:
                    found = ".".join(map(str, self._interface()))
                    raise CannotRunError(f"needs AMD interface {version}, the library has {found}")
            case [name] if name in self:
                self.name(name)
            case _:
                raise ValueError(
                    f"golden cases have no need {need!r}; Machine.require has the list"
                )

    def _require_extension(self, name: str) -> None:
        seen = self._call(
            "hsa_agent_extension_supported",
            extension=_constant(name),
            agent=self.name("gpu"),
            version_major=1,
            version_minor=0,
            result="out",
        )
        if not seen["result"]:
            raise CannotRunError(f"needs a GPU with {name}")

    def _interface(self) -> tuple[int, int]:
        major = self._system("u16", "HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR")
        return major, self._system("u16", "HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR")

    def _require_flag(self, attribute: str) -> None:
        if not self._system("u8", attribute):
            raise CannotRunError(f"needs {attribute} to be true")

    def _system(self, type_name: str, attribute: str) -> int:
        return self._get("hsa_system_get_info", type_name, attribute)

    def _pool_get(self, type_name: str, attribute: str, pool: int) -> int:
        name = f"HSA_AMD_MEMORY_POOL_INFO_{attribute}"
        return self._get("hsa_amd_memory_pool_get_info", type_name, name, memory_pool=pool)

    def _properties(self, pool: int) -> set[str]:
        can = self._pool_get("u8", "RUNTIME_ALLOC_ALLOWED", pool)
        found = {"allocatable" if can else "not allocatable"}
        if self._pool_get("u32", "SEGMENT", pool) == _constant("HSA_AMD_SEGMENT_GLOBAL"):
            flags = self._pool_get("u32", "GLOBAL_FLAGS", pool)
            for grain in ("FINE_GRAINED", "COARSE_GRAINED"):
                if flags & _constant(f"HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_{grain}"):
                    found.add(grain.lower().replace("_", "-"))
        return found

    def _get(self, function: str, type_name: str, attribute: str, **handles: int) -> int:
        value = {"out": type_name}
        answer = self._call(function, **handles, attribute=attribute, value=value)["value"]
        assert isinstance(answer, int)
        return answer

    def _call(self, function: str, **given: Any) -> Outputs:
        prepared = PreparedCall(self._process, function, given, _constant)
        outcome = self._process.call(prepared.call)
        if outcome.result != 0:
            raise CannotRunError(f"{function} answers {outcome.result:#x} to {given}")
        return prepared.outputs(outcome)


def _constant(name: str) -> int:
    table: Mapping[str, int] = signatures()["statuses"] | signatures()["constants"]
    return table[name]


def _row(value: Value) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value
