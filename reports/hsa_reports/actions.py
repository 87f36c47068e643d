"""What the steps of a failure did, in a form that a program can be made of."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_reports.operands import Value


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
        stack: bytes of the stack of the thread; 0: as by default.

    """

    function: str
    arguments: tuple[Value, ...]
    most: int = 0
    step: int = 0
    address: Value | None = None
    stack: int = 0


@dataclass(frozen=True)
class Join:
    """The end of the started call was waited for; the members are those of Call."""

    function: str
    status: int | None
    outputs: tuple[Given, ...] = ()


@dataclass(frozen=True)
class Together:
    """Calls that were made by several threads at one time.

    Args:
        lanes: the calls of each thread, one after the other.

    """

    lanes: tuple[tuple[Call, ...], ...]


@dataclass(frozen=True)
class Litmus:
    """Several threads made a few moves again and again, with nothing but these between them.

    Args:
        functions: what was called, in the order of the moves of one thread after the other.
        times: how often each thread made its moves.

    """

    functions: tuple[str, ...]
    times: int


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
        size: of the request for memory that was refused, in bytes; 0 where that is not known.
        alike: how many requests of this size were met in the step before it.

    """

    call: str
    error: str
    after: int
    lasting: bool
    size: int = 0
    alike: int = 0


@dataclass(frozen=True)
class Interrupt:
    """Every thread of the process got a signal with a handler that does nothing.

    Args:
        times: how often.
        pause: seconds before each time.
        restart: whether the system goes on with interrupted calls by itself.

    """

    times: int
    pause: float
    restart: bool


@dataclass(frozen=True)
class Fork:
    """A copy of the process made calls without arguments, and ended in some way."""

    calls: tuple[str, ...]
    way: str


@dataclass(frozen=True)
class End:
    """The process ended in some way."""

    way: str


Action = (
    Call
    | Start
    | Join
    | Together
    | Litmus
    | Read
    | Write
    | OpenFile
    | SetVariable
    | Close
    | Send
    | LookUp
    | Refuse
    | Interrupt
    | Fork
    | End
)
