"""The functions as a whole: attributes, callbacks, answers, and what a runtime is made of."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import hsa_reference.code
from hsa_reference import AnswerError, Runtime, load_machine
from hsa_reference.code import Code
from hsa_reference.memory import PAGE
from hsa_reference.topics import TOPICS, effects
from hsa_spec import Registry
from tests.library.reference.reference_client import Client, readable

OUT = Client.OUT
ATTRIBUTES = {
    "hsa_system_get_info": ("hsa_system_info_t",),
    "hsa_agent_get_info": ("hsa_agent_info_t", "hsa_amd_agent_info_t"),
    "hsa_amd_memory_pool_get_info": ("hsa_amd_memory_pool_info_t",),
    "hsa_amd_agent_memory_pool_get_info": ("hsa_amd_agent_memory_pool_info_t",),
}


def test_every_function_of_the_reference_s_topics_is_there(registry: Registry) -> None:
    topics = {registry.functions[name].topic for name in Runtime().functions()}
    expected = {name for name, f in registry.functions.items() if f.topic in topics}
    assert sorted(expected) == sorted(Runtime().functions())


def test_every_function_is_in_the_module_of_its_topic(registry: Registry) -> None:
    """A topic may be a folder with several modules."""
    modules = {
        name: "/".join(effect.__module__.split(".")[1:3]) for name, effect in effects().items()
    }
    assert {name: registry.functions[name].topic for name in modules} == modules
    assert len(TOPICS) == len(set(modules.values()))


@pytest.mark.parametrize("function", ATTRIBUTES)
def test_every_attribute_is_answered_with_the_size_of_its_type(
    client: Client, registry: Registry, function: str
) -> None:
    """Two queries into buffers of different bytes differ exactly where nothing was written."""
    handles: dict[str, list[list[int]]] = {
        "hsa_system_get_info": [[]],
        "hsa_agent_get_info": [[a] for a in client.agents()],
        "hsa_amd_memory_pool_get_info": [[p] for a in client.agents() for p in client.pools(a)],
        "hsa_amd_agent_memory_pool_get_info": [
            [a, p] for a in client.agents() for b in client.agents() for p in client.pools(b)
        ],
    }
    for arguments in handles[function]:
        for enum in ATTRIBUTES[function]:
            for attribute in registry.attributes.values():
                if attribute.enum != enum or attribute.open_ended:
                    continue
                written = []
                for fill in (b"\x5a", b"\xa5"):
                    buffer = ctypes.create_string_buffer(fill * 256, 256)
                    client.ok(function, *arguments, attribute.name, ctypes.addressof(buffer))
                    written.append(buffer.raw)
                same = [a == b for a, b in zip(*written, strict=True)]
                assert size(registry, attribute.type) == len(same) - same[::-1].index(True)


def size(registry: Registry, c_type: str) -> int:
    """Return the size of a C type, worked out in another way than the reference does."""
    element, _, count = c_type.partition("[")
    if count:
        return size(registry, element) * int(count.rstrip("]"))
    if c_type in registry.structs:
        return registry.structs[c_type].size
    sizes = {"bool": 1, "char": 1, "uint8_t": 1, "uint16_t": 2, "uint64_t": 8, "size_t": 8}
    return 8 if c_type.endswith("*") else sizes.get(c_type, 4)


def test_the_version_is_that_of_the_newest_headers(client: Client) -> None:
    names = ("EXT_VERSION_MAJOR", "EXT_VERSION_MINOR")
    found = [client.ok("hsa_system_get_info", f"HSA_AMD_SYSTEM_INFO_{n}", OUT) for n in names]
    assert [1, 31] == found


def test_timestamps_grow(client: Client) -> None:
    first = client.ok("hsa_system_get_info", "HSA_SYSTEM_INFO_TIMESTAMP", OUT)
    assert first < client.ok("hsa_system_get_info", "HSA_SYSTEM_INFO_TIMESTAMP", OUT)


def test_links_are_described_one_by_one(client: Client, registry: Registry) -> None:
    struct = registry.structs["hsa_amd_memory_pool_link_info_t"]
    buffer = ctypes.create_string_buffer(struct.size)
    target = (client.gpu, client.pools(client.cpu)[0])
    query = "hsa_amd_agent_memory_pool_get_info"
    hops = client.ok(query, *target, "HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS", OUT)
    link_info = "HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO"
    client.ok(query, *target, link_info, ctypes.addressof(buffer))
    kind = struct.field["link_type"]
    link_type = int.from_bytes(buffer.raw[kind.offset : kind.offset + kind.size], "little")
    assert (1, registry.constants["HSA_AMD_LINK_INFO_TYPE_PCIE"]) == (hops, link_type)


def test_every_status_has_a_text(client: Client, registry: Registry) -> None:
    for status in registry.enums["hsa_status_t"].enumerators:
        text = ctypes.string_at(client.ok("hsa_status_string", status.value, OUT)).decode()
        assert text.partition(":")[0] in {
            e.name for e in registry.enums["hsa_status_t"].enumerators if e.value == status.value
        }


def test_a_callback_s_own_answer_is_passed_through() -> None:
    client = Client("cpu")
    client.ok("hsa_init")
    answer = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)(lambda *_: 0x7777)
    address = ctypes.cast(answer, ctypes.c_void_p).value
    assert "0x7777" == client.call("hsa_iterate_agents", address, 0)


def test_the_host_reads_a_gpu_s_block_only_when_it_was_allowed_to(client: Client) -> None:
    block = client.ok("hsa_amd_memory_pool_allocate", client.pool, 100, 0, OUT)
    seen = [readable(block)]
    for agent in (client.cpu, client.gpu):
        handle = ctypes.c_uint64(agent)
        client.ok("hsa_amd_agents_allow_access", 1, ctypes.addressof(handle), 0, block)
        seen.append(readable(block))
    assert [False, True, False] == seen
    client.ok("hsa_amd_memory_pool_free", block)


def test_freeing_what_is_no_block_is_survived(client: Client) -> None:
    client.ok("hsa_amd_memory_pool_free", 0)
    answer = client.call("hsa_amd_memory_pool_free", PAGE)
    assert "HSA_STATUS_ERROR_INVALID_ALLOCATION" == answer


@pytest.mark.parametrize("given", [4, 56, 64, 200])
def test_no_byte_of_a_pointer_s_description_is_written_beyond_its_size(
    client: Client, given: int
) -> None:
    buffer = ctypes.create_string_buffer(given.to_bytes(4, "little") + b"\xee" * 196, 200)
    client.ok("hsa_amd_pointer_info", client.reserve(), ctypes.addressof(buffer), 0, 0, 0)
    written = min(given, 64)
    assert written == int.from_bytes(buffer.raw[:4], "little")
    assert b"\xee" * (200 - written) == buffer.raw[written:]


def test_a_reservation_that_is_not_registered_says_so(client: Client) -> None:
    info = (ctypes.c_uint32 * 16)(64)
    registered = []
    for flags in (0, "HSA_AMD_VMEM_ADDRESS_NO_REGISTER"):
        address = client.ok("hsa_amd_vmem_address_reserve", OUT, PAGE, 0, flags)
        client.ok("hsa_amd_pointer_info", address, ctypes.addressof(info), 0, 0, 0)
        registered.append(info[13] & 0xFF)
    assert [1, 0] == registered


def test_resources_that_the_machine_has_not_got_are_refused() -> None:
    client = Client(replace(load_machine("one_gpu"), references=1, exhausted=frozenset({"memory"})))
    answer = client.call("hsa_amd_vmem_handle_create", client.pool, PAGE, 0, 0, OUT)
    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == answer


def test_the_count_of_references_overflows_where_the_machine_starts_high() -> None:
    client = Client(replace(load_machine("cpu"), references=2**31 - 2))
    client.ok("hsa_init")
    assert "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW" == client.call("hsa_init")


def test_an_answer_that_no_clause_gives_is_an_error_of_the_reference(registry: Registry) -> None:
    """Whoever adds a status to the code is told to add the clause."""
    function = registry.functions["hsa_shut_down"]
    clauses = tuple(c for c in function.clauses if not c.is_success)
    functions = {**registry.functions, function.name: replace(function, clauses=clauses)}
    runtime = Runtime(load_machine("cpu"), replace(registry, functions=functions))
    runtime.functions()["hsa_init"]()
    with pytest.raises(AnswerError, match="hsa_shut_down answered HSA_STATUS_SUCCESS, which none"):
        runtime.functions()["hsa_shut_down"]()


def test_a_function_s_address_is_the_same_for_threads_that_ask_at_once(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that has an address must not lose the code there to whoever asks second."""
    functions = Runtime().functions()
    code = Code(functions, registry, {})
    guarded = hsa_reference.code._guarded
    others: list[int] = []

    def overtaken(*args: Any) -> Callable[..., int]:
        if not others:
            others.append(0)
            others[0] = code["hsa_init"]  # as another thread would, at this moment
        return guarded(*args)

    monkeypatch.setattr(hsa_reference.code, "_guarded", overtaken)
    assert [code["hsa_init"]] == others
