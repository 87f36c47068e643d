"""The loader's functions of the installed ROCr, which has no symbols of them: known answers."""

from __future__ import annotations

import ctypes.util
import shutil
from collections.abc import Iterator

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.calls import Callback
from hsa_adapters.virtual_kfd import DEFAULT, ImitatedAdapter, load_machine
from hsa_conformance.code_objects import Code, Variable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.shared.code import generators as code
from hsa_spec import load

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

LOADER = "hsa_ven_amd_loader"


@pytest.fixture(scope="module")
def pool() -> Iterator[SessionPool]:
    library = ctypes.util.find_library("hsa-runtime64")
    if library is None:
        pytest.skip("no libhsa-runtime64 is installed (Debian: apt install libhsa-runtime64-1)")
    registry = load()
    adapter = ImitatedAdapter(LibraryAdapter(library, registry), load_machine(DEFAULT))
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    yield pool
    pool.close()


@pytest.fixture
def session(pool: SessionPool) -> Iterator[Session]:
    with pool.session(initialised=True, fresh=True) as session:
        yield session


def stock_of(session: Session) -> Fixtures:
    return Fixtures(session, lambda _: 1)


def test_the_bytes_of_a_variable_are_found_on_the_host(session: Session) -> None:
    """What the code says its variable starts with is at the address that the host can reach."""
    fixtures = stock_of(session)
    agent, handle = code.gpu(fixtures), executables.executable(fixtures)
    target = code.target(fixtures, agent)
    assert target is not None
    content = Code(target, variables=(Variable("counter", 7),))
    executables.load(fixtures, handle, agent, code.reader(fixtures, content))
    attribute = session.registry.constants["HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS"]
    symbol = executables.symbol(fixtures, handle, "counter", agent)
    answer = session.set_up(
        "hsa_executable_symbol_get_info",
        executable_symbol=symbol,
        attribute=attribute,
        value=Out(8),
    )
    found = session.set_up(
        f"{LOADER}_query_host_address", device_address=answer["value"], host_address=Out()
    )
    assert (7).to_bytes(4, "little") == session.read(found["host_address"], 4)
    owner = session.set_up(
        f"{LOADER}_query_executable", device_address=answer["value"], executable=Out()
    )
    assert handle == owner["executable"]


def test_each_executable_is_reported_through_the_table(session: Session) -> None:
    """A callback gets them, in a call by address as in any other."""
    fixtures = stock_of(session)
    handles = {int(executables.executable(fixtures)) for _ in range(3)}
    callback = Callback(f"{LOADER}_executable_callback")
    answer = session.set_up(f"{LOADER}_iterate_executables", callback=callback, data=5)
    assert {(handle, 5) for handle in handles} == set(answer.callbacks)


def test_a_call_after_the_end_of_the_runtime_is_refused(pool: SessionPool) -> None:
    """The table is got from a runtime that is initialised, and is still there afterwards."""
    with pool.session(initialised=False, fresh=True) as session:
        answer = session.call(
            f"{LOADER}_query_host_address", device_address=4096, host_address=Out()
        )
        assert "HSA_STATUS_ERROR_NOT_INITIALIZED" == answer.name
