"""What the reference asks the machine for, and is refused."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator

import pytest

from hsa_reference.requests import (
    ACCESS,
    ADDRESSES,
    ERRORS,
    FILE,
    OBJECT,
    POOL,
    THREAD,
    Requests,
    ask,
)
from hsa_reference.requests import REQUESTS as OURS
from hsa_reference.undoing import undoing
from tests.library.reference.reference_client import Client

OUT = Client.OUT
LACK = "HSA_STATUS_ERROR_OUT_OF_RESOURCES"


@pytest.fixture
def requests() -> Iterator[Requests]:
    """Return the requests of this process, which grants everything again at the end."""
    yield OURS
    OURS.disarm()


def refused(kind: str) -> bool:
    try:
        ask(kind)
    except OSError as error:
        return error.errno == getattr(errno, ERRORS[kind])
    return False


def test_one_request_of_a_kind_is_refused(requests: Requests) -> None:
    requests.arm([POOL], 1, lasting=False)
    kinds = (POOL, FILE, POOL, FILE, POOL)
    assert [False, False, True, False, False] == [refused(kind) for kind in kinds]
    made = {kind: count for kind, count in requests.made().items() if count}
    assert (1, {POOL: 3, FILE: 2}) == (requests.hits(), made)
    assert [POOL, FILE, POOL] == requests.noted()


def test_all_later_ones_are_refused_as_well(requests: Requests) -> None:
    requests.arm([POOL, FILE], 1, lasting=True)
    kinds = (FILE, THREAD, POOL, THREAD, FILE)
    assert [False, False, True, False, True] == [refused(kind) for kind in kinds]
    assert (2, 0) == (requests.hits(), requests.left())


def test_what_other_threads_ask_for_is_granted(requests: Requests) -> None:
    requests.arm([POOL], 0, lasting=True)
    seen: list[bool] = []
    thread = threading.Thread(target=lambda: seen.append(refused(POOL)))
    thread.start()
    thread.join()
    assert ([False], 0) == (seen, requests.hits())


def test_nothing_is_counted_while_nobody_counts(requests: Requests) -> None:
    requests.watch()
    requests.disarm()
    assert not refused(POOL)
    assert {0} == set(requests.made().values())


def test_what_a_refused_block_stands_on_is_undone() -> None:
    undone: list[str] = []

    def work() -> None:
        with undoing(lambda: undone.append("outer")):
            with undoing(lambda: undone.append("inner")):
                pass
            raise OSError("no")

    with pytest.raises(OSError, match="no"):
        work()
    assert ["outer"] == undone


@pytest.mark.parametrize("kind", [POOL, FILE, ADDRESSES, ACCESS, OBJECT])
def test_a_block_is_refused_at_each_of_its_requests(requests: Requests, kind: str) -> None:
    client = Client("one_gpu")
    client.ok("hsa_init")
    [pool, *_] = client.pools(client.agents()[0])
    before = client.runtime.state.holdings()
    requests.arm([kind], 0, lasting=False)
    answer = client.call("hsa_amd_memory_pool_allocate", pool, 4096, 0, OUT)
    requests.disarm()
    assert (LACK, before) == (answer, client.runtime.state.holdings())
    address = client.ok("hsa_amd_memory_pool_allocate", pool, 4096, 0, OUT)
    client.ok("hsa_amd_memory_pool_free", address)
    assert before == client.runtime.state.holdings()
    client.ok("hsa_shut_down")


def test_the_first_hsa_init_takes_memory(requests: Requests) -> None:
    client = Client("one_gpu")
    requests.arm([ADDRESSES], 0, lasting=False)
    assert LACK == client.call("hsa_init")
    assert "HSA_STATUS_ERROR_NOT_INITIALIZED" == client.call("hsa_shut_down")
    client.ok("hsa_init")
    client.ok("hsa_shut_down")
