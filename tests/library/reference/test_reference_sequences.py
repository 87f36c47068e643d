"""After any sequence of calls the books agree with each other and with the process."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client, readable
from tests.library.reference.reference_invariants import check

OUT = Client.OUT
SIZES = st.sampled_from([PAGE, 2 * PAGE, 5 * PAGE])


class Sequences(RuleBasedStateMachine):
    """Reserves, creates, maps, shares and gives back in any order, rightly and wrongly."""

    ranges = Bundle("ranges")
    handles = Bundle("handles")

    def __init__(self) -> None:
        super().__init__()
        self.client = Client("one_gpu")
        self.client.ok("hsa_init")

    @rule(target=ranges, size=SIZES)
    def reserve(self, size: int) -> tuple[int, int]:
        return self.client.reserve(size), size

    @rule(target=handles, size=SIZES)
    def create(self, size: int) -> tuple[int, int]:
        return self.client.create(size), size

    @rule(place=ranges, handle=handles, page=st.integers(0, 5))
    def map(self, place: tuple[int, int], handle: tuple[int, int], page: int) -> None:
        address = place[0] + page * PAGE
        self.client.call("hsa_amd_vmem_map", address, handle[1], 0, handle[0], 0)

    @rule(place=ranges, page=st.integers(0, 5), size=SIZES)
    def unmap(self, place: tuple[int, int], page: int, size: int) -> None:
        self.client.call("hsa_amd_vmem_unmap", place[0] + page * PAGE, size)

    @rule(handle=handles)
    def release(self, handle: tuple[int, int]) -> None:
        self.client.call("hsa_amd_vmem_handle_release", handle[0])

    @rule(target=handles, place=ranges)
    def retain(self, place: tuple[int, int]) -> object:
        mapping = self.client.runtime.state.find("mapping", place[0])
        if mapping is None:
            return multiple()
        handle = self.client.ok("hsa_amd_vmem_retain_alloc_handle", OUT, place[0])
        return handle, mapping.size

    @rule(place=consumes(ranges))
    def free(self, place: tuple[int, int]) -> None:
        self.client.call("hsa_amd_vmem_address_free", *place)

    @rule(size=SIZES)
    def allocate(self, size: int) -> None:
        pool = self.client.pools(self.client.cpu)[0]
        block = self.client.ok("hsa_amd_memory_pool_allocate", pool, size, 0, OUT)
        assert readable(block + size - 1)

    @rule()
    def start_again(self) -> None:
        self.client.ok("hsa_shut_down")
        self.client.ok("hsa_init")
        assert 0 == len(self.client.runtime.state.part(VirtualMemory).reservations)

    @invariant()
    def books_agree(self) -> None:
        check(self.client.runtime.state)

    def teardown(self) -> None:
        self.client.finish()


TestVirtualMemory = Sequences.TestCase
TestVirtualMemory.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
