"""What a library is put on, one after the other: imitated machines, and variables that it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from hsa_conformance.engine.generation.atoms import exhausted
from hsa_reports.subject import names_of
from hsa_spec import Function
from hsa_spec.machines import Machine
from hsa_spec.releases import Release, numbers

#: What `--virtual-kfd` stands for without the name of a machine.
ALL = "all"


def everything(_: Function) -> bool:
    """Return True: what any function answers may depend on it."""
    return True


def takes_memory(function: Function) -> bool:
    """Return whether a function may run out of memory, or tells how much there is."""
    kinds = {"hsa_region_t", "hsa_amd_memory_pool_t"}
    told = any(p.type in kinds for p in function.params)
    return told or any("memory" in exhausted(clause) for clause in function.clauses)


def signals(function: Function) -> bool:
    """Return whether a function has to do with signals, or with queues, which use them."""
    return any("signal" in p.type or "queue" in p.type for p in function.params)


@dataclass(frozen=True)
class Configuration:
    """A machine, and what the environment of the library says.

    Attributes:
        machine: the imitated machine, a name or a file; None for a real one, or none at all.
        environment: variables that are set before the library is loaded.
        concerns: whether the answers of a function may depend on what is special about it.
        busy: whether an initialised runtime keeps a core busy while nobody calls it.

    """

    machine: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    concerns: Callable[[Function], bool] = everything
    busy: bool = False

    @property
    def name(self) -> str:
        """Return what results and baselines call it."""
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        return ", ".join([*([self.machine] if self.machine else []), *variables])

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the imitated machine, with and without the variables."""
        return names_of(self.name) if self.machine else ()


#: Each differs from the first in one thing alone that an answer may depend on. HSA_ENABLE_SDMA=0 is
#: none of them: copies are kernels then, and nothing executes those on an imitated machine.
PLAN: Sequence[Configuration] = (
    Configuration("gfx90a"),
    Configuration("gfx90a-2"),
    Configuration("gfx1100"),
    Configuration("gfx90a-otherwise"),
    Configuration("apu"),
    Configuration("two-cpus"),
    Configuration("nearly-full", concerns=takes_memory),
    Configuration("gfx90a", {"HSA_ENABLE_INTERRUPT": "0"}, signals, busy=True),
    Configuration("gfx942-4", {"HSA_XNACK": "1"}),
    Configuration("gfx90a-2", {"ROCR_VISIBLE_DEVICES": "1"}),
)


def unknown_to(machine: Machine, release: Release) -> str | None:
    """Return why a release of ROCr does not know a machine; None where it does, or may.

    Args:
        machine: the machine.
        release: what is known of the release; another implementation has no number of ROCm.

    """
    for gpu in machine.gpus:
        since = gpu.target.rocm
        if release.highest is not None and numbers(release.highest) < numbers(since):
            return (
                f"ROCm {release.highest} does not know {gpu.target.name}, which came with {since}"
            )
    return None
