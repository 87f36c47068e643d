"""Several threads that give one object back at once: each gets what the clauses say."""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

import pytest

from hsa_reference import implemented, runtime
from hsa_reference.effects import Effect, needs_lock, unlocked
from hsa_reference.memory import PAGE
from hsa_reference.state import State
from hsa_reference.status import Answer
from hsa_reference.topics import effects
from hsa_spec import load
from tests.library.reference.reference_client import Client
from tests.library.reference.test_reference_code import IMAGES, executable
from tests.library.reference.test_reference_images import Photographer
from tests.library.reference.test_reference_sampling import CALLBACK, STOCHASTIC

OUT = Client.OUT
THREADS = 3
_GIVES_BACK = re.compile(
    r"_(destroy|destroy_v2|free|detach|unlock|inactivate|shut_down|close|close_dmabuf|unmap"
    r"|unmap_buffer|deregister|deregister_deallocation_callback|(queue|handle|spm)_release)$"
)


def _block(client: Client) -> int:
    return client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, OUT)


def _dmabuf(client: Client) -> int:
    return client.ok("hsa_amd_portable_export_dmabuf", _block(client), PAGE, OUT, OUT) & 0xFFFFFFFF


def _queue(client: Client) -> int:
    return client.ok("hsa_queue_create", client.gpu, 64, 0, 0, 0, 0, 0, OUT)


def _signal(client: Client) -> int:
    return client.ok("hsa_signal_create", 1, 0, 0, OUT)


def _group(client: Client) -> int:
    signals, consumers = (ctypes.c_uint64 * 1)(_signal(client)), (ctypes.c_uint64 * 1)(client.gpu)
    given = ctypes.addressof(signals), 1, ctypes.addressof(consumers)
    return client.ok("hsa_signal_group_create", 1, *given, OUT)


def _registered(client: Client) -> tuple[int, int]:
    client.ok("hsa_memory_register", ctypes.addressof(ROOM), PAGE)
    return ctypes.addressof(ROOM), PAGE


def _locked(client: Client) -> int:
    client.ok("hsa_amd_memory_lock", ctypes.addressof(ROOM), PAGE, 0, 0, OUT)
    return ctypes.addressof(ROOM)


def _watched(client: Client) -> tuple[int, int]:
    block = _block(client)
    client.ok("hsa_amd_register_deallocation_callback", block, CALLBACK, 0)
    return block, CALLBACK


def _reserved(client: Client) -> tuple[int, int]:
    return client.reserve(), PAGE


def _mapped(client: Client) -> tuple[int, int]:
    return client.map().address, PAGE


def _attached(client: Client) -> int:
    name = (ctypes.c_uint32 * 8)()
    client.ok("hsa_amd_ipc_memory_create", _block(client), PAGE, ctypes.addressof(name))
    return client.ok("hsa_amd_ipc_memory_attach", ctypes.addressof(name), PAGE, 0, 0, OUT)


def _buffer(client: Client) -> int:
    agents = (ctypes.c_uint64 * 1)(client.gpu)
    given = 1, ctypes.addressof(agents), _dmabuf(client), 0
    size, address = ctypes.c_uint64(), ctypes.c_uint64()
    written = ctypes.addressof(size), ctypes.addressof(address)
    client.ok("hsa_amd_interop_map_buffer", *given, *written, 0, 0)
    return address.value


def _region(client: Client) -> int:
    return client.visit("hsa_agent_iterate_regions", client.gpu)[0]


def _reader(client: Client) -> int:
    size = len(CONTENT)
    return client.ok(
        "hsa_code_object_reader_create_from_memory", ctypes.addressof(CONTENT), size, OUT
    )


def _code_object(client: Client) -> int:
    return client.ok("hsa_code_object_deserialize", ctypes.addressof(CONTENT), len(CONTENT), 0, OUT)


def _image(client: Client) -> tuple[int, int]:
    return client.gpu, Photographer(client).linear(1, 4, 4, 0, 0, row=256)[0]


def _sampler(client: Client) -> tuple[int, int]:
    numbers = (ctypes.c_uint32 * 3)(0, 0, 0)
    described = ctypes.addressof(numbers)
    return client.gpu, client.ok("hsa_ext_sampler_create", client.gpu, described, OUT)


def _session(client: Client) -> int:
    given = 7, client.gpu, STOCHASTIC, 1, 256, 0, 64, CALLBACK, 0, OUT
    return client.ok("hsa_ven_amd_pcs_create_from_id", *given)


def _counters(client: Client) -> int:
    client.ok("hsa_amd_spm_acquire", client.gpu)
    return client.gpu


ROOM = ctypes.create_string_buffer(PAGE)
CONTENT = ctypes.create_string_buffer(IMAGES[0], len(IMAGES[0]))

#: What each function that gives something back is called with.
MAKE: Mapping[str, Callable[[Client], int | tuple[int, ...]]] = {
    "hsa_amd_counted_queue_release": lambda c: c.ok(
        "hsa_amd_counted_queue_acquire", c.gpu, 0, 1, 0, 0, 0, OUT
    ),
    "hsa_amd_deregister_deallocation_callback": _watched,
    "hsa_amd_external_semaphore_handle_close": lambda _: 1,
    "hsa_amd_interop_unmap_buffer": _buffer,
    "hsa_amd_ipc_memory_detach": _attached,
    "hsa_amd_memory_pool_free": _block,
    "hsa_amd_memory_unlock": _locked,
    "hsa_amd_portable_close_dmabuf": _dmabuf,
    "hsa_amd_spm_release": _counters,
    "hsa_amd_vmem_address_free": _reserved,
    "hsa_amd_vmem_handle_release": Client.create,
    "hsa_amd_vmem_unmap": _mapped,
    "hsa_code_object_destroy": _code_object,
    "hsa_code_object_reader_destroy": _reader,
    "hsa_executable_destroy": executable,
    "hsa_ext_image_destroy": _image,
    "hsa_ext_image_destroy_v2": _image,
    "hsa_ext_program_destroy": lambda c: c.ok("hsa_ext_program_create", 1, 1, 2, 0, OUT),
    "hsa_ext_sampler_destroy": _sampler,
    "hsa_memory_deregister": _registered,
    "hsa_memory_free": lambda c: c.ok("hsa_memory_allocate", _region(c), PAGE, OUT),
    "hsa_queue_destroy": _queue,
    "hsa_queue_inactivate": _queue,
    "hsa_shut_down": lambda _: (),
    "hsa_signal_destroy": _signal,
    "hsa_signal_group_destroy": _group,
    "hsa_ven_amd_pcs_destroy": _session,
}


def test_every_function_that_gives_something_back_is_here() -> None:
    functions = implemented(load()).functions
    assert sorted(MAKE) == sorted(filter(_GIVES_BACK.search, functions))


def _meeting(effect: Effect, barrier: threading.Barrier) -> Effect:
    """Return an effect for which threads meet after their check, if no lock keeps them apart."""

    def meeting(state: State, *args: int) -> Answer:
        with suppress(threading.BrokenBarrierError):
            barrier.wait(0.2)
        return effect(state, *args)

    return meeting if needs_lock(effect) else unlocked(meeting)


def _together(call: Callable[[], None]) -> None:
    threads = [threading.Thread(target=call) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)


def _answers(function: str, run: Callable[[Callable[[], None]], None]) -> list[str]:
    """Return, in order, what the calls of a function for one object answer, as they are run."""
    client, seen = Client("two_gpus"), list[str]()
    client.ok("hsa_init")
    made = MAKE[function](client)
    arguments = made if isinstance(made, tuple) else (made,)
    run(lambda: seen.append(client.call(function, *arguments)))
    client.finish()
    return sorted(seen)


def _one_by_one(call: Callable[[], None]) -> None:
    for _ in range(THREADS):
        call()


@pytest.mark.parametrize("function", MAKE)
def test_threads_that_give_back_at_once_get_what_they_get_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    expected = _answers(function, _one_by_one)
    known = dict(effects())
    known[function] = _meeting(known[function], threading.Barrier(THREADS))
    monkeypatch.setattr(runtime, "effects", lambda: known)
    assert expected == _answers(function, _together)


@pytest.mark.parametrize(
    ("function", "arguments", "gone"),
    [
        ("hsa_queue_inactivate", (), "QUEUE"),
        ("hsa_executable_get_info", ("HSA_EXECUTABLE_INFO_STATE", OUT), "EXECUTABLE"),
    ],
)
def test_what_another_thread_destroys_after_the_check_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, function: str, arguments: tuple[object, ...], gone: str
) -> None:
    known = dict(effects())
    effect, destroy = known[function], f"hsa_{gone.lower()}_destroy"

    @unlocked
    def late(state: State, *args: int) -> Answer:
        client.ok(destroy, args[0])
        return effect(state, *args)

    known[function] = late
    monkeypatch.setattr(runtime, "effects", lambda: known)
    client = Client("two_gpus")
    client.ok("hsa_init")
    made = MAKE[destroy](client)
    assert isinstance(made, int)
    assert f"HSA_STATUS_ERROR_INVALID_{gone}" == client.call(function, made, *arguments)
    client.finish()


def test_threads_that_wait_to_destroy_an_executable_destroy_it_once(client: Client) -> None:
    """They wait while a fourth one visits all executables."""
    made, seen = executable(client), list[str]()
    threads = [
        threading.Thread(target=lambda: seen.append(client.call("hsa_executable_destroy", made)))
        for _ in range(THREADS)
    ]

    def visit(found: int, data: int) -> int:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(0.05)
        return 0

    callback = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)(visit)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    client.ok("hsa_ven_amd_loader_iterate_executables", address, 0)
    for thread in threads:
        thread.join(5)
    gone = "HSA_STATUS_ERROR_INVALID_EXECUTABLE"
    assert [gone] * (THREADS - 1) + ["HSA_STATUS_SUCCESS"] == sorted(seen)
