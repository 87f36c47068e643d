"""What the steps of a failure were given, in a form that a program can be made of.

A number that only means something in one process stands as what it was there: an agent or a pool,
what an earlier step gave, or memory that the suite laid out; `offset` is what was added to it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A number that means the same in every process."""

    value: int


@dataclass(frozen=True)
class Agent:
    """An agent, recognised by its place.

    Args:
        name: what the words of the steps call it.
        device: its kind, a value of hsa_device_type_t.
        index: which of the agents of its kind, in the order of hsa_iterate_agents, from 1.
        offset: what was added to its handle.

    """

    name: str
    device: int
    index: int
    offset: int = 0


@dataclass(frozen=True)
class Pool:
    """A memory pool, recognised by its place.

    Args:
        name: what the words of the steps call it.
        agent: the agent that it belongs to.
        index: which of the agent's pools, in the order of the iteration, from 1.
        offset: what was added to its handle.

    """

    name: str
    agent: Agent
    index: int
    offset: int = 0


@dataclass(frozen=True)
class Listed:
    """A handle that a function gave to a callback, recognised by its place.

    Args:
        name: what the words of the steps call it.
        function: what is called to find it again.
        arguments: those of that call, the callback among them.
        place: which argument of the callback it is, from 0.
        index: in which call of the callback, from 1.
        address: where the function is; None: the symbol of its name.
        offset: what was added to the handle.

    """

    name: str
    function: str
    arguments: tuple[Value, ...]
    place: int
    index: int
    address: Value | None = None
    offset: int = 0


@dataclass(frozen=True)
class Named:
    """What an earlier step of the same process gave under this name."""

    name: str
    offset: int = 0


@dataclass(frozen=True)
class Taken:
    """A number of `size` bytes that stands at a place, from 0, of what a step left under a name."""

    name: str
    at: int
    size: int
    offset: int = 0


@dataclass(frozen=True)
class Memory:
    """The address of memory that the suite laid out.

    Args:
        block: tells blocks of one process apart; what is used twice has the same number.
        size: of the block, in bytes.
        content: its first bytes; the rest is zero.
        numbers: what stands in it that only this process knows, eight bytes each, by place.
        offset: what was added to its address.
        copied: the name of an output of several words that an earlier step of any process left;
            the block has the same size, and `content` is then by which bits it differs.
        at_end: whether memory that cannot be read follows the block.
        past: by how many bytes it begins behind the start of a page, if it is as large as a page.
        again: the number of an earlier block that is used no more, and whose place it takes.

    """

    block: int
    size: int
    content: bytes
    numbers: tuple[tuple[int, Value], ...] = ()
    offset: int = 0
    copied: str | None = None
    at_end: bool = False
    past: int = 0
    again: int | None = None


@dataclass(frozen=True)
class Output:
    """The address of fresh room for an output, in bytes."""

    size: int


@dataclass(frozen=True)
class Before:
    """What the call before, of the same thread beside others, wrote for an output parameter."""

    parameter: str


@dataclass(frozen=True)
class InnerCall:
    """A call that a callback makes.

    Args:
        function: what is called.
        arguments: its arguments.
        address: where the function is; None: the symbol of its name.

    """

    function: str
    arguments: tuple[Value, ...]
    address: Value | None = None


@dataclass(frozen=True)
class Callback:
    """A callback made for the call; the members are those of the adapters' Callback.

    Args:
        until: where eight bytes are that are not 0 when it may answer; None: it answers at once.
        writes: how many copies of each packet that it is given it writes, and in how many calls.
        calls: what it calls each time before it answers.

    """

    type: str
    returns: tuple[int, ...]
    allocate: bool = False
    until: Value | None = None
    writes: tuple[int, ...] = ()
    calls: tuple[InnerCall, ...] = ()


Origin = Agent | Pool | Listed | Named | Taken | Memory

Value = Number | Origin | Output | Before | Callback
