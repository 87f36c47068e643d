"""A machine's folder: what the library reads, and what the processes on the machine share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hsa_adapters.virtual_kfd.build import build
from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_adapters.virtual_kfd.random_facts import RandomFacts
from hsa_adapters.virtual_kfd.tree import FIRST_RENDER_NODE, gpu_id, write_tree
from hsa_device.wire import EXECUTED, EXECUTED_HOW
from hsa_spec.machines import Machine

# What the kernel's scheduler allows a process on one GPU.
_QUEUES = 127


@dataclass(frozen=True)
class VirtualKfd:
    """A machine that is ready to be used.

    Attributes:
        machine: what is imitated.
        root: its folder.
        library: the library to preload.

    """

    machine: Machine
    root: Path
    library: Path

    def environment(self, *, paths_only: bool = False) -> Mapping[str, str]:
        """Return the variables that a program needs to see the machine.

        Args:
            paths_only: redirect files only, and leave devices alone.

        """
        variables = {"LD_PRELOAD": str(self.library), "HSA_VIRTUAL_KFD": str(self.root)}
        if paths_only:
            variables["HSA_VIRTUAL_KFD_PATHS_ONLY"] = "1"
        return variables

    def complaints(self) -> list[str]:
        """Return what programs asked of the driver that it does not imitate, each once."""
        return self._told("complaints")

    def lacking(self) -> list[str]:
        """Return what devices lacked for the kernels that they were given, each once."""
        return self._told("lacking")

    def executed(self) -> Mapping[str, str]:
        """Return how devices executed instructions, by name: "exact", "near" or "lacking".

        What they executed in one way and in another is the last of these.
        """
        path = self.root / EXECUTED
        lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
        words = {tuple(line.partition(" ")[::2]) for line in lines}
        return {name: how for how in EXECUTED_HOW for said, name in sorted(words) if said == how}

    def _told(self, name: str) -> list[str]:
        path = self.root / name
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return sorted({line.partition(" (process")[0] for line in lines})


def prepare(
    machine: Machine,
    root: Path,
    *,
    library: Path | None = None,
    seed: int = 0,
) -> VirtualKfd:
    """Write a machine's files into a folder, and compile the library.

    Args:
        machine: what to imitate.
        root: the folder; it is made when it is missing.
        library: what `build` made before, to be used instead.
        seed: of the facts that the machine's file leaves open.

    Raises:
        VirtualKfdError: the folder cannot be written, or the library cannot be compiled.

    """
    root = root.absolute()
    library = library or build(root)
    try:
        write_tree(machine, root, seed)
        (root / "machine").write_text(
            _description(machine, RandomFacts(machine, seed)), encoding="ascii"
        )
    except OSError as error:
        raise VirtualKfdError(
            f"cannot write to {root} ({error.strerror}): name a folder that can be written"
        ) from error
    return VirtualKfd(machine, root, library)


def lds_base(machine: Machine) -> int:
    """Return where kernels see LDS."""
    return (3 if machine.driver.otherwise else 1) << 48


def _description(machine: Machine, drawn: RandomFacts) -> str:
    driver = machine.driver
    lines = [
        f"interface {driver.interface[0]} {driver.interface[1]}",
        f"host_memory {sum(cpu.memory for cpu in machine.cpus)}",
        f"xnack {int(machine.xnack)}",
        f"svm {int(machine.svm)}",
        f"otherwise {int(driver.otherwise)}",
        f"lds {lds_base(machine)}",
        f"peers {int(machine.links != 'none')}",
        f"slow_queue_us {driver.slow_queue_us}",
        f"late_event_us {driver.late_event_us}",
        f"executes {int(driver.kernels)}",
    ]
    for index, gpu in enumerate(machine.gpus):
        lines.append(
            f"gpu {gpu_id(index)} {FIRST_RENDER_NODE + index} {gpu.memory} {gpu.visible} "
            f"{gpu.target.family} {int(gpu.target.integrated)} {drawn.gpus[index].counter} "
            f"{_QUEUES} {gpu.target.dies if gpu.reclaims else 0} "
            f"{gpu.target.name} (virtual, number {index + 1})"
        )
    return "\n".join(lines) + "\n"
