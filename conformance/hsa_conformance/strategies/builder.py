"""The call that is being put together: its values so far, and ways to get valid ones.

A builder works on a live process: making "an existing mapping" true means that the library is asked
for one. What that needs is prepared with calls that must succeed; see `Session.must`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

from hsa_adapters.protocol import Callback
from hsa_conformance.calls import Data, Out, Value
from hsa_conformance.findings import ProvesNothing, Unavailable
from hsa_conformance.model.state import Agent, Mapping, MemoryHandle, Pool, Reservation
from hsa_conformance.session import Session
from hsa_spec import Function, Parameter
from hsa_spec.conditions import Atom, Holds, compile_atom

Draw = Callable[[st.SearchStrategy[Any]], Any]
T = TypeVar("T")

READ_WRITE = 3

#: A size that leaves a hint open.
UNKNOWN_SIZE = 0xFFFFFFFF


class CannotMake(ProvesNothing):
    """An atom cannot be made to hold (or not) from here; another choice may do."""


class Lacking(CannotMake):
    """The machine has nothing of the kind, so no other choice will do either."""


class Stock:
    """Supplies valid things to build calls from.

    Args:
        session: the process and what is known of it.
        draw: Hypothesis's source of choices.

    """

    def __init__(self, session: Session, draw: Draw) -> None:
        self.session = session
        self.draw = draw

    def choose(self, options: Sequence[T]) -> T:
        """Draw one of several options; simpler ones come first."""
        if not options:
            raise CannotMake("nothing to choose from")
        return self.draw(st.sampled_from(options)) if len(options) > 1 else options[0]

    # the machine

    def available(self, options: Sequence[T], what: str) -> T:
        """Draw one of the things of a kind that the machine has.

        Args:
            options: the things.
            what: what they are, for the report of a machine without any.

        Raises:
            Unavailable: there is none.

        """
        if not options:
            raise Unavailable("NOT_APPLICABLE", f"the machine has no {what}")
        return self.choose(options)

    def agents(self, device: str | None = None) -> list[Agent]:
        """Return the agents, or those of one device type."""
        found = self.session.model.agents.values()
        return [a for a in found if device in (None, a.device)]

    def gpu(self) -> Agent:
        """Return a GPU agent.

        Raises:
            Unavailable: the machine has none.

        """
        return self.available(self.agents("gpu"), "GPU agent")

    def pools(self, where: Callable[[Pool], bool]) -> list[Pool]:
        """Return the memory pools that satisfy a condition."""
        return [p for p in self.session.model.pools.values() if where(p)]

    def vmem_pool(self) -> Pool:
        """Return a pool that virtual-memory handles can come from: an allocatable one of a GPU."""
        pools = self.pools(lambda p: p.allocatable and p.location == "gpu")
        if not pools:
            raise Unavailable("NOT_APPLICABLE", "no GPU agent has an allocatable memory pool")
        return self.choose(pools)

    def granule(self) -> int:
        """Return a size that suits every pool and every reservation, in bytes."""
        granules = [p.granule for p in self.session.model.pools.values() if p.allocatable]
        return max([self.session.model.page_size, *granules])

    def needs_kernels(self) -> None:
        """Say that what follows takes a machine that runs kernels, or would never end.

        Raises:
            Unavailable: the machine does not.

        """
        if not self.session.runs_kernels:
            raise Unavailable("NOT_APPLICABLE", "the imitated machine does not run kernels")

    # things that calls stand on

    def reservation(self, size: int) -> Reservation:
        """Reserve a range of this size, in bytes.

        Raises:
            Unavailable: the machine has no virtual memory API.

        """
        if not self.session.model.supports("virtual memory"):
            raise Unavailable("NOT_APPLICABLE", "the driver offers no virtual memory API")
        answer = self.session.must(
            "hsa_amd_vmem_address_reserve", va=Out(), size=size, address=0, flags=0
        )
        return self.session.model.reservations[answer["va"]]

    def memory_handle(self, size: int | None = None, pool: Pool | None = None) -> MemoryHandle:
        """Create a virtual-memory handle, of one to three granules unless told otherwise."""
        pool = pool or self.vmem_pool()
        answer = self.session.must(
            "hsa_amd_vmem_handle_create",
            pool=pool.handle,
            size=size or pool.granule * self.draw(st.integers(1, 3)),
            type=0,
            flags=0,
            memory_handle=Out(),
        )
        return self.session.model.handles[answer["memory_handle"]]

    def map(self, handle: MemoryHandle, address: int) -> Mapping:
        """Map a handle at an address inside a reservation."""
        self.session.must(
            "hsa_amd_vmem_map",
            va=address,
            size=handle.size,
            in_offset=0,
            memory_handle=handle.handle,
            flags=0,
        )
        return self.session.model.mappings[address]

    def mapping(self, pool: Pool | None = None) -> Mapping:
        """Reserve, create and map, with room left in the reservation behind the mapping."""
        handle = self.memory_handle(pool=pool)
        return self.map(handle, self.reservation(2 * handle.size).address)

    def set_access(self, mapping: Mapping, agent: int, permission: int = READ_WRITE) -> None:
        """Set one agent's permission for one mapping."""
        self.session.must(
            "hsa_amd_vmem_set_access",
            va=mapping.address,
            size=mapping.size,
            desc=access_descriptors([(agent, permission)]),
            desc_cnt=1,
        )

    def block(self, pool: Pool | None = None) -> int:
        """Allocate from a pool and return the address."""
        chosen = pool or self.choose(self.pools(lambda p: p.allocatable))
        answer = self.session.must(
            "hsa_amd_memory_pool_allocate",
            memory_pool=chosen.handle,
            size=chosen.granule * self.draw(st.integers(1, 3)),
            flags=0,
            ptr=Out(),
        )
        return answer["ptr"]

    def exported(self) -> int:
        """Create a handle, export it, and return the descriptor."""
        answer = self.session.must(
            "hsa_amd_vmem_export_shareable_handle",
            dmabuf_fd=Out(),
            handle=self.memory_handle().handle,
            flags=0,
        )
        return answer["dmabuf_fd"]

    def readable(self) -> int:
        """Return the address of readable zeroed memory in which no object lives."""
        page = self.session.model.page_size
        return self.session.place(bytes(2 * page), "memory")


class Builder(Stock):
    """Builds the arguments of one call.

    Args:
        session: the process and what is known of it.
        function: the function to be called.
        draw: Hypothesis's source of choices.

    """

    def __init__(self, session: Session, function: Function, draw: Draw) -> None:
        super().__init__(session, draw)
        self.function = function
        self.goal: Sequence[Atom] = ()  # what is being made to hold
        self.values: dict[str, Value] = {p.name: self.default(p) for p in function.params}

    # values

    def default(self, parameter: Parameter) -> Value:
        """Return what a parameter is when no clause asks for anything."""
        if parameter.type.startswith("callback:"):
            return Callback(
                parameter.type.removeprefix("callback:"),
                allocate=parameter.type.endswith("alloc_callback"),
            )
        if parameter.direction == "inout":
            return self.session.place(bytes(256), f"&{parameter.name}")
        if parameter.direction == "out":
            return Out(1024 if parameter.type == "void*" or self._writes_bits() else None)
        if parameter.role == "size":
            return UNKNOWN_SIZE if UNKNOWN_SIZE in parameter.reserved else self.granule()
        if parameter.role == "count":
            return 1
        return 0

    def _writes_bits(self) -> bool:
        """Tell whether the function writes as many bits as it is asked for."""
        return any(p.role == "count" and p.unit == "bits" for p in self.function.params)

    def raw(self) -> list[int]:
        """Return the arguments as numbers; room that is not laid out yet counts as non-NULL."""
        return [1 if isinstance(v, Out | Data | Callback) else int(v) for v in self.values.values()]

    def number(self, name: str) -> int:
        """Return the value of a parameter that is a number by now."""
        value = self.values[name]
        return value if isinstance(value, int) else 1

    def holds(self, atom: Atom) -> bool:
        """Tell whether an atom holds for the call as it is built so far."""
        return _compiled(atom, tuple(self.values))(self.session.model, self.raw())

    def suiting(self, name: str, options: Sequence[int]) -> list[int]:
        """Return the values for which all that is wanted of this parameter alone holds."""
        wanted = [a for a in self.goal if a.arguments() == {name}]
        before, found = self.values[name], []
        for value in options:
            self.values[name] = value
            if all(self.holds(a) for a in wanted):
                found.append(value)
        self.values[name] = before
        return found


@cache
def _compiled(atom: Atom, params: tuple[str, ...]) -> Holds:
    return compile_atom(atom, params)


def access_descriptors(access: Sequence[tuple[int, int]]) -> Data:
    """Return an array of hsa_amd_memory_access_desc_t.

    Args:
        access: agent and permission, in the order of the array.

    """
    content = b"".join(
        permission.to_bytes(8, "little") + int(agent).to_bytes(8, "little")
        for agent, permission in access
    )
    words = ", ".join(f"{{{permission}, {agent}}}" for agent, permission in access)
    return Data(content, f"[{words}]", {16 * i + 8: agent for i, (agent, _) in enumerate(access)})


def handle_array(handles: Sequence[int]) -> Data:
    """Return an array of handles."""
    content = b"".join(int(h).to_bytes(8, "little") for h in handles)
    words = ", ".join(str(h) for h in handles)
    return Data(content, f"[{words}]", {8 * i: handle for i, handle in enumerate(handles)})
