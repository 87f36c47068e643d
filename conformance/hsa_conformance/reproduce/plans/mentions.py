"""What an action needs, and what a demand speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_reports.actions import (
    Action,
    Call,
    Close,
    End,
    Fork,
    Interrupt,
    Join,
    Litmus,
    LookUp,
    OpenFile,
    Read,
    Refuse,
    Send,
    SetVariable,
    Start,
    Together,
    Write,
)
from hsa_reports.demands import Demand, Holds, InheritsNothing
from hsa_reports.operands import Callback, InnerCall, Memory, Value
from hsa_reports.terms import Apply, Counted, Held, Term


def calls(action: Action) -> Iterator[Call | Start]:
    """Yield the calls that an action makes."""
    if isinstance(action, Together):
        for lane in action.lanes:
            yield from lane
    elif isinstance(action, Call | Start):
        yield action
        for inner in _inside(action):
            yield Call(inner.function, inner.arguments, None, address=inner.address)


def _inside(call: Call | Start) -> Iterator[InnerCall]:
    """Yield the calls that the callback of a call makes."""
    for value in call.arguments:
        if isinstance(value, Callback):
            yield from value.calls


def values(action: Action) -> Iterator[Value]:
    """Yield every value that an action needs, also those inside memory."""
    match action:
        case Call() | Start():
            address = () if action.address is None else (action.address,)
            inner = (value for call in _inside(action) for value in call.arguments)
            places = (call.address for call in _inside(action) if call.address is not None)
            direct: tuple[Value, ...] = (*action.arguments, *address, *inner, *places)
        case Together():
            direct = tuple(value for call in calls(action) for value in values(call))
        case Read() | Write():
            direct = (action.address,)
        case Close() | Send():
            direct = (action.descriptor,)
        case SetVariable(number=number):
            direct = () if number is None else (number,)
        case OpenFile() | LookUp() | Join() | Refuse() | Interrupt() | Fork() | End() | Litmus():
            direct = ()
    for value in direct:
        if isinstance(value, Memory):
            yield from (number for _, number in value.numbers)
        yield value


def leaves(term: Term) -> Iterator[Value | Held | Counted]:
    """Yield what a term is computed from."""
    if isinstance(term, Apply):
        for operand in term.operands:
            yield from leaves(operand)
    else:
        yield term


def demanded(demand: Demand | None) -> Iterator[Value | Held | Counted]:
    """Yield what a demand speaks of, beside the last step."""
    if isinstance(demand, Holds):
        yield from leaves(demand.relation)
    elif isinstance(demand, InheritsNothing):
        yield from demand.given


def counted(demand: Demand | None) -> tuple[Counted, ...]:
    """Return what a demand wants to be counted, each once."""
    found = [leaf for leaf in demanded(demand) if isinstance(leaf, Counted)]
    return tuple(dict.fromkeys(found))
