"""What the driver and its devices say about themselves."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters.virtual_kfd import load_machine
from hsa_adapters.virtual_kfd.folder import VirtualKfd
from hsa_spec.machines import machine_names
from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import (
    GPU,
    GPU2,
    PAGE,
    TOPOLOGY,
    Kfd,
    libc,
    map_memory,
    properties,
    refusal,
)
from tests.library.virtual_kfd.kfd_process import elsewhere, inside

PUBLIC_BANK, PRIVATE_BANK = 1, 2
XGMI = 11


def nodes_of(kfd: VirtualKfd) -> Path:
    return kfd.root / str(TOPOLOGY)[1:] / "nodes"


@inside()
def test_version(kfd: Kfd) -> None:
    """The driver tells the version of its interface."""
    version = kfd.ioctl(k.GET_VERSION, k.Version())
    assert (1, 17) == (version.major, version.minor)


@inside("old-driver")
def test_older_version(kfd: Kfd) -> None:
    """An older driver tells an older version."""
    assert 14 == kfd.ioctl(k.GET_VERSION, k.Version()).minor


@pytest.mark.parametrize("name", machine_names())
def test_topology_of_every_machine(machines: Callable[..., Any], name: str) -> None:
    """Each machine has one node for its CPUs, and one for each GPU with its target and memory."""
    machine, nodes = load_machine(name), nodes_of(machines(name))
    assert {str(n) for n in range(len(machine.agents))} == {p.name for p in nodes.iterdir()}
    for index in range(len(machine.cpus)):
        assert "0\n" == (nodes / str(index) / "gpu_id").read_text()
    for index, gpu in enumerate(machine.gpus):
        node = nodes / str(len(machine.cpus) + index)
        found = properties(node / "properties")
        banks = [properties(p) for p in sorted(node.glob("mem_banks/*/properties"))]
        assert f"{GPU + index}\n" == (node / "gpu_id").read_text()
        assert gpu.target.version == found["gfx_target_version"]
        kind = PUBLIC_BANK if gpu.visible == gpu.memory else PRIVATE_BANK
        assert [(kind, gpu.memory)] == [(b["heap_type"], b["size_in_bytes"]) for b in banks]


@pytest.mark.parametrize("name", machine_names())
def test_counts_in_topology_are_those_of_the_folders(
    machines: Callable[..., Any], name: str
) -> None:
    """A node says of as many banks, caches and links as it has."""
    for node in nodes_of(machines(name)).iterdir():
        listed = properties(node / "properties")
        for part in ("mem_banks", "caches", "io_links", "p2p_links"):
            folder = node / part
            found = len(list(folder.iterdir())) if folder.exists() else 0
            assert listed[f"{part}_count"] == found, (node, part)


def test_links_between_gpus(machines: Callable[..., Any]) -> None:
    """Each of four GPUs has a link to the CPUs and one to each other GPU."""
    for number in range(1, 5):
        links = nodes_of(machines("gfx942-4")) / f"{number}/io_links"
        found = [properties(path) for path in links.glob("*/properties")]
        others = {n for n in range(1, 5) if n != number}
        assert others == {link["node_to"] for link in found if link["type"] == XGMI}


@inside("gfx90a-2")
def test_files_are_seen_by_every_way_to_look() -> None:
    """Files of the machine are found by open, listing, stat and access, below /dev and /sys."""
    assert ["0", "1", "2"] == sorted(os.listdir(TOPOLOGY / "nodes"))  # noqa: PTH208
    assert "gfx90a\n" == (TOPOLOGY / "nodes/1/name").read_text()
    assert stat.S_ISREG(os.stat("/dev/dri/renderD129").st_mode)  # noqa: PTH116
    assert os.access("/dev/kfd", os.R_OK | os.W_OK)
    assert not os.access("/dev/dri/renderD130", os.F_OK)
    assert "amdgpu" in Path("/proc/modules").read_text()
    found = ctypes.create_string_buffer(256)
    assert 0 == libc.__xstat(1, b"/dev/kfd", found)


@inside()
def test_other_files_are_those_of_the_real_machine() -> None:
    """Paths that only begin alike, and relative ones, are left alone."""
    assert "ENOENT" == refusal(os.stat, "/dev/kfd-is-no-such-file")
    assert str(os.getpid()) == os.readlink("/proc/self")  # noqa: PTH115


@inside("gfx90a-2")
def test_apertures(kfd: Kfd) -> None:
    """Apertures come for as many GPUs as there is room for, and 0 asks for the number."""
    array = (k.Aperture * 2)()
    asked = k.Apertures(ctypes.addressof(array), 2)
    assert 2 == kfd.ioctl(k.GET_PROCESS_APERTURES_NEW, asked).count
    assert [GPU, GPU2] == [aperture.gpu_id for aperture in array]
    assert 2 == kfd.ioctl(k.GET_PROCESS_APERTURES_NEW, k.Apertures()).count
    assert "EFAULT" == refusal(kfd.ioctl, k.GET_PROCESS_APERTURES_NEW, k.Apertures(0, 2))


@inside()
def test_clocks_go_forward(kfd: Kfd) -> None:
    """Counters of the GPU and the CPU never go back, and the CPU's are nanoseconds."""
    first = kfd.ioctl(k.GET_CLOCK_COUNTERS, k.Clocks(gpu_id=GPU))
    second = kfd.ioctl(k.GET_CLOCK_COUNTERS, k.Clocks(gpu_id=GPU))
    assert first.gpu <= second.gpu
    assert first.cpu < second.cpu
    assert 1_000_000_000 == first.frequency


@inside("gfx90a-2")
def test_acquire_wants_the_render_node_of_the_gpu(kfd: Kfd) -> None:
    """The render node of another GPU, another file and an unknown GPU are refused."""
    assert "EINVAL" == refusal(kfd.acquire, GPU, kfd.render[GPU2])
    assert "EINVAL" == refusal(kfd.acquire, GPU, kfd.descriptor)
    assert "EINVAL" == refusal(kfd.acquire, 7, kfd.render[GPU])


@inside()
def test_memory_needs_the_render_node() -> None:
    """Before a GPU has its render node, there is no memory on it."""

    def allocate() -> str | None:
        return refusal(Kfd(acquire=False).allocate, PAGE)

    assert "ENODEV" == elsewhere(allocate)


@inside()
def test_memory_policy_checks_policies(kfd: Kfd) -> None:
    """A policy is one of two, and of a GPU that there is."""
    kfd.ioctl(k.SET_MEMORY_POLICY, k.MemoryPolicy(gpu_id=GPU, default=1))
    wrong = k.MemoryPolicy(gpu_id=GPU, default=2)
    assert "EINVAL" == refusal(kfd.ioctl, k.SET_MEMORY_POLICY, wrong)
    assert "EINVAL" == refusal(kfd.ioctl, k.SET_MEMORY_POLICY, k.MemoryPolicy(gpu_id=1))


@inside()
def test_trap_handler_is_of_a_gpu(kfd: Kfd) -> None:
    """A trap handler is taken for a GPU that there is."""
    kfd.ioctl(k.SET_TRAP_HANDLER, k.TrapHandler(code=PAGE, gpu_id=GPU))
    wrong = k.TrapHandler(code=PAGE, gpu_id=1)
    assert "EINVAL" == refusal(kfd.ioctl, k.SET_TRAP_HANDLER, wrong)


@inside()
def test_page_faults_cannot_be_retried(kfd: Kfd) -> None:
    """A machine that cannot retry says so, and refuses to be asked for it."""
    assert 0 == kfd.ioctl(k.SET_XNACK_MODE, k.Xnack(-1)).enabled
    assert "EPERM" == refusal(kfd.ioctl, k.SET_XNACK_MODE, k.Xnack(1))


@inside("gfx942-4")
def test_page_faults_can_be_retried(kfd: Kfd) -> None:
    """A machine that can retry does so until it is told not to."""
    assert 1 == kfd.ioctl(k.SET_XNACK_MODE, k.Xnack(-1)).enabled
    kfd.ioctl(k.SET_XNACK_MODE, k.Xnack(0))
    assert 0 == kfd.ioctl(k.SET_XNACK_MODE, k.Xnack(-1)).enabled


@inside()
def test_runtime_is_enabled_once(kfd: Kfd) -> None:
    """The runtime is enabled once at a time, and can always be disabled."""
    kfd.ioctl(k.RUNTIME_ENABLE, k.Runtime(mode=1))
    assert "EBUSY" == refusal(kfd.ioctl, k.RUNTIME_ENABLE, k.Runtime(mode=1))
    kfd.ioctl(k.RUNTIME_ENABLE, k.Runtime(mode=0))
    kfd.ioctl(k.RUNTIME_ENABLE, k.Runtime(mode=0))
    kfd.ioctl(k.RUNTIME_ENABLE, k.Runtime(mode=1))


ASK = """
import sys
from tests.library.virtual_kfd.kfd_calls import Kfd, refusal
from tests.library.virtual_kfd import kfd_structures as k
print(refusal(Kfd().ioctl, int(sys.argv[1]), k.Id()))
"""


def ask(kfd: VirtualKfd, number: int) -> tuple[str, str]:
    """Make an ioctl on a machine and return the errno's name and what went to stderr."""
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(number)],
        env={
            **os.environ,
            **kfd.environment(),
            "PYTHONPATH": str(Path(__file__).parents[3]),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip(), done.stderr


def test_an_unknown_ioctl_is_complained_of_once(machines: Callable[..., Any]) -> None:
    """An ioctl that nobody thought of is ENOTTY, and noted for the user, once however often."""
    kfd = machines("gfx1100")
    assert ["ENOTTY"] * 2 == [ask(kfd, 0x7F)[0], ask(kfd, 0x7F)[0]]
    assert ["virtual KFD: ioctl of /dev/kfd 0x7f is not imitated"] == kfd.complaints()


@pytest.mark.parametrize("number", [k.SMI_EVENTS, k.CRIU_OP, k.DBG_TRAP, k.CROSS_MEMORY_COPY])
def test_what_is_known_and_not_supported_is_no_reason_to_complain(
    machines: Callable[..., Any], number: int
) -> None:
    """A kernel may lack these: they are ENOTTY, and nothing is noted."""
    kfd = machines("gfx1201")
    assert ("ENOTTY", "") == ask(kfd, number)
    assert [] == kfd.complaints()


@inside("older")
def test_an_older_interface_lacks_what_came_later(kfd: Kfd) -> None:
    """What a later version brought is not there, and what was there before is."""
    buffer = kfd.allocate(PAGE)
    assert "ENOTTY" == refusal(kfd.export, buffer.handle)
    assert PAGE * 512 <= kfd.available()


def test_a_program_that_uses_no_device_is_left_alone(gfx90a: VirtualKfd) -> None:
    """Under the library, a program that opens no device runs as ever."""
    environment = {**os.environ, **gfx90a.environment()}
    done = subprocess.run(["/bin/echo", "hello"], env=environment, capture_output=True, check=True)
    assert (b"hello\n", b"") == (done.stdout, done.stderr)


def test_paths_only(gfx90a: VirtualKfd) -> None:
    """With paths only, the files are there and ioctls are not answered."""
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(k.GET_VERSION)],
        env={
            **os.environ,
            **gfx90a.environment(paths_only=True),
            "PYTHONPATH": str(Path(__file__).parents[3]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert os.strerror(errno.ENOTTY) in done.stderr


@inside()
def test_other_descriptors_are_the_kernels() -> None:
    """An ioctl of the same kind on another descriptor goes to the kernel."""
    with socket.socket() as other:
        request = 3 << 30 | 8 << 16 | ord("K") << 8 | k.GET_VERSION
        assert -1 == libc.ioctl(other.fileno(), request, ctypes.byref(k.Version()))
        assert errno.ENOTTY == ctypes.get_errno()


@inside()
def test_ordinary_mappings_are_the_kernels() -> None:
    """Mapping memory or a file that is no device's goes to the kernel."""
    with Path("/proc/self/exe").open("rb") as file:
        address = map_memory(PAGE, protection=1, descriptor=file.fileno())
    assert b"\x7fELF" == ctypes.string_at(address, 4)
