"""Failures on demand."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters.virtual_kfd import VirtualKfdError, load_machine
from hsa_adapters.virtual_kfd.errnos import ERRNOS
from hsa_adapters.virtual_kfd.faults import (
    arm,
    calls,
    disarm,
    each_failure,
    hits,
    left,
    made,
    noted,
    numbers,
    watch,
)
from hsa_adapters.virtual_kfd.folder import VirtualKfd
from tests.library.virtual_kfd.kfd_calls import GPU, PAGE, TOPOLOGY, Kfd, map_memory, refusal
from tests.library.virtual_kfd.kfd_drm import Device
from tests.library.virtual_kfd.kfd_process import OtherProcess, inside

UAPI = Path("/usr/include/linux/kfd_ioctl.h")
#: A test that is run in a process on the machine.
MAPPED = ("tests.library.virtual_kfd.test_kfd_memory", "test_mapped_memory_is_not_freed")


@pytest.fixture
def kfd(machines: Callable[..., Any]) -> Iterator[VirtualKfd]:
    """A machine that nothing is armed on."""
    kfd = machines("gfx90a")
    yield kfd
    disarm(kfd)


@inside()
def allocate_five(kfd: Kfd) -> None:
    """Make five buffers, of which those that fail are refused with ENOMEM."""
    answers = [refusal(kfd.allocate, PAGE) for _ in range(5)]
    assert set(answers) <= {None, "ENOMEM"}


@inside()
def first_is_refused(kfd: Kfd) -> None:
    """Find the first of two allocations refused, and the second made."""
    assert ["ENOMEM", None] == [refusal(kfd.allocate, PAGE) for _ in range(2)]


@inside()
def third_is_refused(kfd: Kfd) -> None:
    """Find the third of four allocations refused."""
    assert [None, None, "ESRCH", None] == [refusal(kfd.allocate, PAGE) for _ in range(4)]


@inside()
def second_and_later_are_refused(kfd: Kfd) -> None:
    """Find all but the first of four allocations refused, and then a mapping made."""
    expected = [None, "ENOMEM", "ENOMEM", "ENOMEM"]
    assert expected == [refusal(kfd.allocate, PAGE) for _ in range(4)]
    assert refusal(map_memory, PAGE) is None


@inside()
def mapping_is_refused(kfd: Kfd) -> None:
    """Find a mapping of a device refused, and one of ordinary memory made before it."""
    buffer = kfd.allocate(PAGE)
    map_memory(PAGE)
    arguments = {"descriptor": kfd.render[GPU], "offset": buffer.offset}
    assert "EAGAIN" == refusal(map_memory, PAGE, **arguments)
    assert refusal(map_memory, PAGE, **arguments) is None


@inside()
def import_is_refused(kfd: Kfd) -> None:
    """Find an import by libdrm refused."""
    device = Device(kfd)
    descriptor = kfd.export(kfd.allocate(PAGE).handle)
    assert "ENODEV" == refusal(device.load, descriptor)
    assert refusal(device.load, descriptor) is None


@inside()
def all_threads_and_processes_meet_one(kfd: Kfd) -> None:
    """Find one refusal among what four processes do at once."""

    def allocate() -> int:
        other = Kfd()
        return sum(refusal(other.allocate, PAGE) is not None for _ in range(50))

    assert 1 == sum(each.result() for each in [OtherProcess(allocate) for _ in range(4)])


def run(servers: Callable[..., Any], work: Callable[..., Any]) -> None:
    servers("gfx90a").run(__name__, work.__name__)


def test_the_first_call_fails(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """A call fails once, with the error that was asked for by name."""
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM")
    assert 0 == hits(kfd)
    run(servers, first_is_refused)
    assert 1 == hits(kfd)


def test_the_refused_call_is_told_and_what_came_next(
    kfd: VirtualKfd, servers: Callable[..., Any]
) -> None:
    """Nothing is before a refusal; then there are the calls of all kinds in their order."""
    arm(kfd, "mmap", "EAGAIN")
    run(servers, mapping_is_refused)
    assert ["mmap", "mmap"] == list(noted(kfd))[:2]
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ESRCH", after=2)
    assert [] == list(noted(kfd))
    run(servers, third_is_refused)
    assert ["ALLOC_MEMORY_OF_GPU", "ALLOC_MEMORY_OF_GPU"] == list(noted(kfd))[:2]


def test_a_later_call_fails(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """So many calls succeed before one fails."""
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ESRCH", after=2)
    assert 2 == left(kfd)
    run(servers, third_is_refused)
    assert (1, 0) == (hits(kfd), left(kfd))


def test_calls_are_counted(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """How many calls succeeded that were meant to is what is left of them."""
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ESRCH", after=10)
    servers("gfx90a").run(*MAPPED)
    assert (0, 9) == (hits(kfd), left(kfd))


def test_all_later_calls_fail(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """A failure that lasts is met by each call of the kind from the n-th on, until disarmed."""
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM", after=1, lasting=True)
    run(servers, second_and_later_are_refused)
    assert 3 == hits(kfd)
    disarm(kfd)
    servers("gfx90a").run(*MAPPED)
    assert 0 == hits(kfd)


def test_a_failure_after_one_that_lasts_is_met_once(
    kfd: VirtualKfd, servers: Callable[..., Any]
) -> None:
    """That the one before lasted is forgotten."""
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM", lasting=True)
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM")
    run(servers, first_is_refused)
    assert 1 == hits(kfd)


def test_other_calls_do_not_fail(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """What is armed for one call is not met by others."""
    arm(kfd, "CREATE_QUEUE", "ENOMEM")
    servers("gfx90a").run(*MAPPED)
    assert 0 == hits(kfd)


def test_mappings_fail(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """A mapping of a device fails, and no other."""
    arm(kfd, "mmap", "EAGAIN", after=0)
    run(servers, mapping_is_refused)


def test_libdrm_fails(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """A function of libdrm fails, by its name."""
    arm(kfd, "amdgpu_bo_import", "ENODEV")
    run(servers, import_is_refused)


def test_one_failure_for_all_processes(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """Of several processes, one meets the failure, once."""
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM", after=73)
    run(servers, all_threads_and_processes_meet_one)
    assert 1 == hits(kfd)


def test_arming_again_begins_again(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """What was armed before is replaced, and disarming leaves nothing."""
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM")
    arm(kfd, "CREATE_EVENT", "ENOMEM")
    run(servers, allocate_five)
    assert 0 == hits(kfd)
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM")
    disarm(kfd)
    run(servers, allocate_five)
    assert 0 == hits(kfd)


def test_each_failure(kfd: VirtualKfd, servers: Callable[..., Any]) -> None:
    """Each call of a piece of work fails once; in the last turn none does."""
    met = []
    for n in each_failure(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM"):
        run(servers, allocate_five)
        met.append((n, hits(kfd)))
    assert [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 0)] == met


def test_leaving_the_enumeration(kfd: VirtualKfd) -> None:
    """Nothing stays armed when the enumeration is left."""
    failures = each_failure(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM")
    assert 0 == next(failures)
    failures.close()
    assert bytes(20) == (kfd.root / "shared").read_bytes()[:20]


def test_a_machine_that_nobody_used(machines: Callable[..., Any]) -> None:
    """A failure can be armed before the first process is on the machine."""
    kfd = machines("cpu")
    arm(kfd, "amdgpu_bo_import", "ENOMEM", after=3)
    record = struct.unpack("=6i", (kfd.root / "shared").read_bytes()[:24])
    assert (0x108, 3, 12, 0, 0) == record[:5]
    disarm(kfd)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ALLOCATE", "ENOMEM"), "no call 'ALLOCATE' can be refused; those that can are ACQUIRE_V"),
        (("GET_VERSION", "ENOMEM"), "no call 'GET_VERSION' can be refused"),
        (("mmap", "ENOCLUE"), "mmap is never refused with 'ENOCLUE'; it is with ENOMEM, EAGAIN"),
        (("CREATE_QUEUE", "EFAULT"), "CREATE_QUEUE is never refused with 'EFAULT'; it is with EN"),
        (("mmap", "ENOMEM", -1), "-1 calls cannot succeed"),
    ],
)
def test_bad_requests(kfd: VirtualKfd, arguments: tuple[Any, ...], message: str) -> None:
    """An unknown call, an error that it never gives, and a count below 0 get a message."""
    with pytest.raises(VirtualKfdError, match=re.escape(message)):
        arm(kfd, *arguments)


def test_errors_are_named_for_calls_that_there_are() -> None:
    """Each call whose errors are listed is the driver's, and each error is the system's."""
    assert set(ERRNOS) == set(calls())
    assert all(hasattr(errno, error) for errors in ERRNOS.values() for error in errors)
    assert all(len(set(errors)) == len(errors) > 0 for errors in ERRNOS.values())


@inside()
def opens_and_reads(kfd: Kfd) -> None:
    """Find each way to the driver's files refused once, with the error that was asked for."""
    del kfd
    libc = ctypes.CDLL(None, use_errno=True)
    libc.fopen.restype = libc.opendir.restype = ctypes.c_void_p
    libc.fgetc.argtypes = libc.fclose.argtypes = [ctypes.c_void_p]
    generation = str(TOPOLOGY / "generation_id").encode()

    def outcome(made: int | None) -> str | None:
        failed = made is None or made < 0
        return errno.errorcode[ctypes.get_errno()] if failed else None

    for path, kind in ((b"/dev/kfd", "open_kfd"), (b"/dev/dri/renderD128", "open_render")):
        arm(here(), kind, "EACCES")
        assert ["EACCES", None] == [outcome(libc.open(path, os.O_RDWR)) for _ in range(2)]
    arm(here(), "open_file", "ENFILE", after=1)
    assert outcome(libc.opendir(str(TOPOLOGY).encode())) is None
    assert ["ENFILE", None] == [outcome(libc.fopen(generation, b"r")) for _ in range(2)]
    arm(here(), "read_file", "EIO")
    for expected in ("EIO", None):
        file = libc.fopen(generation, b"r")
        assert expected == outcome(libc.fgetc(file))
        libc.fclose(file)
    assert outcome(libc.fopen(b"/etc/passwd", b"r")) is None
    assert {"open_file": 2, "read_file": 2} == made(here())


def start_thread() -> int:
    """Start a thread as a library does, and wait for its end; return the error."""
    c_library, thread = ctypes.CDLL(None), ctypes.c_ulong()
    error: int = c_library.pthread_create(ctypes.byref(thread), None, c_library.abs, None)
    if not error:
        c_library.pthread_join(thread, None)
    return error


@inside()
def starts_threads(kfd: Kfd) -> None:
    """Find a thread refused, and what threads of this round ask for counted, and no others'.

    Threads that Python starts are neither refused nor counted.
    """
    work, allocated = threading.Event(), threading.Event()

    def allocate() -> None:
        work.wait(10)
        kfd.allocate(PAGE)
        allocated.set()

    older = threading.Thread(target=allocate)
    older.start()
    arm(here(), "pthread_create", "EAGAIN")
    assert errno.EAGAIN == start_thread()
    work.set()
    assert allocated.wait(10)
    older.join()
    newer = threading.Thread(target=kfd.allocate, args=(PAGE,))
    newer.start()
    newer.join()
    assert 0 == start_thread()
    assert {"pthread_create": 2, "ALLOC_MEMORY_OF_GPU": 1} == made(here())
    arm(here(), "ALLOC_MEMORY_OF_GPU", "ENOMEM")
    assert "ENOMEM" == refusal(kfd.allocate, PAGE)


def here() -> VirtualKfd:
    """Return the machine that this process is on."""
    return VirtualKfd(load_machine("gfx90a"), Path(os.environ["HSA_VIRTUAL_KFD"]), Path())


@pytest.mark.parametrize("work", [opens_and_reads, starts_threads])
def test_what_is_no_ioctl_is_refused(
    kfd: VirtualKfd, servers: Callable[..., Any], work: Callable[..., Any]
) -> None:
    """Files of the driver and threads are refused, too, and counted, by kind."""
    del kfd
    run(servers, work)


def test_the_calls_of_a_piece_of_work_are_counted(
    kfd: VirtualKfd, servers: Callable[..., Any]
) -> None:
    """Each kind has its number since the last mark, whether or not anything was refused."""
    run(servers, allocate_five)
    watch(kfd)
    assert {} == made(kfd)
    run(servers, allocate_five)
    counted = made(kfd)
    assert (5, 1) == (counted["ALLOC_MEMORY_OF_GPU"], counted["open_kfd"])
    assert "CREATE_QUEUE" not in counted
    arm(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM", after=3)
    run(servers, allocate_five)
    disarm(kfd)
    assert counted == made(kfd)


def test_a_folder_that_is_gone(machines: Callable[..., Any], tmp_path: Path) -> None:
    """A machine whose folder is gone cannot be armed."""
    gone = machines("cpu").__class__(machines("cpu").machine, tmp_path / "gone", Path())
    with pytest.raises(VirtualKfdError, match=r"cannot write to .*gone"):
        hits(gone)


@pytest.mark.skipif(not UAPI.exists(), reason="needs the kernel's headers")
def test_numbers_are_the_kernels() -> None:
    """Every ioctl of the kernel's header has its name and number here."""
    header = re.findall(r"#define AMDKFD_IOC_(\w+)\s*\\?\s*AMDKFD_IO\w*\((0x\w+)", UAPI.read_text())
    known = {name: int(number, 16) for name, number in header if "DEPRECATED" not in name}
    known = {name: number for name, number in known.items() if not name.startswith("DBG_")}
    assert len(known) > 25
    assert known == {name: numbers().get(name) for name in known}
