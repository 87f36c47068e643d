"""Whether the last step of a failure is what breaks the demand."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_reports.actions import Action, Call, Join, LookUp, Read, Together, Write
from hsa_reports.demands import (
    Answers,
    AsAlone,
    Demand,
    Exports,
    Fills,
    Gives,
    Holds,
    InheritsNothing,
    KeepsNothing,
    LeavesAlone,
    Permits,
    Returns,
    Shows,
    StaysWithin,
    Survives,
)
from hsa_reports.operands import Memory, Output, Value
from hsa_spec import Registry


def breaks(action: Action, demand: Demand | None, registry: Registry) -> bool:
    """Return whether the last step, as it was recorded, is what breaks the demand.

    Args:
        action: what the step does, and what came of it.
        demand: what it has to do; None where only words can say it.
        registry: the specification.

    """
    if isinstance(action, Together):
        return _breaks_together(action, demand, registry)
    match demand, action:
        # A thread of the library may end the process after the call.
        case Survives(), Call() | Join(status=None):
            broken = True
        case Answers(statuses), Call(status=int(status)) | Join(status=int(status)):
            broken = registry.status_name(status) not in statuses
        case Fills(parameter), Call(status=0) as call:
            broken = _room(call, parameter, registry)
        case StaysWithin(parameter) | LeavesAlone(parameter), Call(status=int()) as call:
            broken = isinstance(_argument(call, parameter, registry), Output | Memory)
        case Gives(parameter, contents), Call(status=int(status)) as call:
            given = {g.parameter: g.content for g in call.outputs}
            wrong = status != 0 or given.get(parameter) not in contents
            broken = wrong and _room(call, parameter, registry)
        case Returns(values), Call(status=int(status)):
            broken = status not in values
        case Shows(content), Read():
            broken = action.content != content
        case Permits(done), Write():
            broken = action.done is not done
        case Permits(done), Read(content=shown):
            broken = (shown is not None) is not done
        case (
            (KeepsNothing() | InheritsNothing(), _)
            | (Exports(), LookUp())
            | (Holds(), Call(status=int()) | Join(status=int()) | Read(content=bytes()))
        ):
            broken = True
        case _:
            broken = False
    return broken


def _breaks_together(action: Together, demand: Demand | None, registry: Registry) -> bool:
    """Return whether one of the calls of several threads is what breaks the demand."""
    calls = [call for lane in action.lanes for call in lane]
    match demand:
        case Survives():
            return any(call.status is None for call in calls)
        case Answers(statuses):
            return bool(unanswered(action, statuses, registry))
        case AsAlone(function):
            return any(call.function == function for call in calls)
        case _:
            return isinstance(demand, KeepsNothing | InheritsNothing)


def unanswered(action: Together, statuses: Sequence[str], registry: Registry) -> tuple[str, ...]:
    """Return the functions of which a call answered none of some statuses."""
    wrong = {
        call.function: None
        for lane in action.lanes
        for call in lane
        if call.status is not None and registry.status_name(call.status) not in statuses
    }
    return tuple(wrong)


def _room(call: Call, parameter: str, registry: Registry) -> bool:
    """Return whether a call has room of its own for an output."""
    return isinstance(_argument(call, parameter, registry), Output)


def _argument(call: Call, parameter: str, registry: Registry) -> Value | None:
    """Return what a call is given for a parameter, if this registry knows both."""
    function = registry.functions.get(call.function)
    names = () if function is None else function.parameter
    return dict(zip(names, call.arguments, strict=False)).get(parameter)
