"""What the steps of a failure did, in a form that a program can be made of.

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

    """

    block: int
    size: int
    content: bytes
    numbers: tuple[tuple[int, Value], ...] = ()
    offset: int = 0
    copied: str | None = None


@dataclass(frozen=True)
class Output:
    """The address of fresh room for an output, in bytes."""

    size: int


@dataclass(frozen=True)
class Callback:
    """A callback made for the call; the members are those of the adapters' Callback."""

    type: str
    returns: tuple[int, ...]
    allocate: bool = False


Origin = Agent | Pool | Listed | Named | Taken | Memory
Value = Number | Origin | Output | Callback


@dataclass(frozen=True)
class Given:
    """What a call left in an output.

    Args:
        parameter: the output.
        name: what later steps call it, where they can; of more than eight bytes, what memory that
            is copied from it does.
        content: the bytes; None where they cannot be read.

    """

    parameter: str
    name: str | None
    content: bytes | None


@dataclass(frozen=True)
class Call:
    """A call of the API.

    Args:
        function: what is called.
        arguments: its arguments.
        status: the raw result; None when the process did not survive it.
        outputs: what it left.
        address: where the function is; None: the symbol of its name.

    """

    function: str
    arguments: tuple[Value, ...]
    status: int | None
    outputs: tuple[Given, ...] = ()
    address: Value | None = None


@dataclass(frozen=True)
class Start:
    """A call was started in a thread of its own, to go on while others are made.

    Args:
        function: what is called.
        arguments: its arguments.
        most: how often it is made at most, again and again until it is waited for; 0: once.
        step: by how much its last argument grows from call to call.
        address: where the function is; None: the symbol of its name.

    """

    function: str
    arguments: tuple[Value, ...]
    most: int = 0
    step: int = 0
    address: Value | None = None


@dataclass(frozen=True)
class Join:
    """The end of the started call was waited for; the members are those of Call."""

    function: str
    status: int | None
    outputs: tuple[Given, ...] = ()


@dataclass(frozen=True)
class Read:
    """A look at memory.

    Args:
        address: where.
        size: how many bytes.
        content: what was there; None where that is refused.
        name: what later steps call the number of eight bytes that was there, where they do.

    """

    address: Value
    size: int
    content: bytes | None
    name: str | None = None


@dataclass(frozen=True)
class Write:
    """Bytes written to memory; `done` is False where that is refused."""

    address: Value
    content: bytes
    done: bool


@dataclass(frozen=True)
class OpenFile:
    """An ordinary file of `size` bytes was opened; later steps call the descriptor `name`.

    The file begins with `content`; unless it is `readable`, it is open for writing alone.
    """

    size: int
    name: str
    content: bytes = b""
    readable: bool = True


@dataclass(frozen=True)
class SetVariable:
    """A variable of the environment was set to a text with a number behind it, if there is one."""

    name: str
    text: str
    number: Value | None = None


@dataclass(frozen=True)
class Close:
    """A descriptor was closed."""

    descriptor: Value


@dataclass(frozen=True)
class Send:
    """A descriptor was sent to the second process, whose steps call it `name`."""

    descriptor: Value
    name: str


@dataclass(frozen=True)
class LookUp:
    """A symbol was looked up in the library, in vain."""

    function: str


@dataclass(frozen=True)
class Refuse:
    """The driver was made to fail in the next step, which only an imitation of it can be.

    Args:
        call: the kind of the driver's call.
        error: the errno's name.
        after: how many calls of the kind succeed before.
        lasting: whether all later ones of the kind failed, too.

    """

    call: str
    error: str
    after: int
    lasting: bool


Action = (
    Call | Start | Join | Read | Write | OpenFile | SetVariable | Close | Send | LookUp | Refuse
)


@dataclass(frozen=True)
class Answers:
    """The last call has to answer one of these statuses."""

    statuses: tuple[str, ...]


@dataclass(frozen=True)
class Survives:
    """The process has to survive the last call."""


@dataclass(frozen=True)
class Fills:
    """The last call, when it answers SUCCESS, has to write this output."""

    parameter: str


@dataclass(frozen=True)
class StaysWithin:
    """The last call must not write behind this output."""

    parameter: str


@dataclass(frozen=True)
class Gives:
    """The last call has to answer SUCCESS and to give one of these contents in this output."""

    parameter: str
    contents: tuple[bytes, ...]


@dataclass(frozen=True)
class Returns:
    """The last call, whose result is no status, has to return one of these values."""

    values: tuple[int, ...]


@dataclass(frozen=True)
class Shows:
    """The last look at memory has to show these bytes, or None: to be refused."""

    content: bytes | None


@dataclass(frozen=True)
class Permits:
    """The last look at memory, or write to it, has to be done, or refused."""

    done: bool


@dataclass(frozen=True)
class Exports:
    """The library has to have the symbol of the last step."""


@dataclass(frozen=True)
class Held:
    """The bytes that a step left in an output of more than eight, by the output's name."""

    name: str
    size: int


@dataclass(frozen=True)
class Counted:
    """How many handles a function gives to its callback.

    Args:
        function: what is called.
        arguments: those of the call, the callback among them.
        place: which argument of the callback the handle is, from 0.
        query: the function that each is asked by, where only some of them count.
        attribute: what is asked for.
        content: what a handle that counts has to answer.
        address: where the function is; None: the symbol of its name.

    """

    function: str
    arguments: tuple[Value, ...]
    place: int = 0
    query: str | None = None
    attribute: int = 0
    content: bytes = b""
    address: Value | None = None


@dataclass(frozen=True)
class Apply:
    """What an operator makes of terms; numbers are unsigned, of 64 bits; 0 is false.

    Args:
        operator: a key of `hsa_reports.relations.OPERATORS`.
        operands: what it is applied to.

    """

    operator: str
    operands: tuple[Term, ...]


Term = Value | Held | Counted | Apply


@dataclass(frozen=True)
class Holds:
    """A relation between what the steps gave has to hold after the last one, which succeeds."""

    relation: Apply


@dataclass(frozen=True)
class KeepsNothing:
    """The last steps, made in equal rounds, must not leave more behind after each round.

    Args:
        steps: how many steps a round has.
        things: what must not grow, as `hsa_adapters.worker.ledger` names it.

    """

    steps: int
    things: tuple[str, ...]


Demand = (
    KeepsNothing
    | Holds
    | Answers
    | Survives
    | Fills
    | StaysWithin
    | Gives
    | Returns
    | Shows
    | Permits
    | Exports
)
