"""Whether the last step of a failure is what breaks the demand."""

from __future__ import annotations

from hsa_reports.actions import Action, Call, Join, LookUp, Read, Write
from hsa_reports.demands import (
    Answers,
    Demand,
    Exports,
    Fills,
    Gives,
    Holds,
    KeepsNothing,
    Permits,
    Returns,
    Shows,
    StaysWithin,
    Survives,
)
from hsa_reports.operands import Output
from hsa_spec import Registry


def breaks(action: Action, demand: Demand | None, registry: Registry) -> bool:
    """Return whether the last step, as it was recorded, is what breaks the demand.

    Args:
        action: what the step does, and what came of it.
        demand: what it has to do; None where only words can say it.
        registry: the specification.

    """
    if isinstance(demand, Holds):
        given = action.status if isinstance(action, Call) else getattr(action, "content", None)
        return isinstance(action, Call | Read) and given is not None
    match demand, action:
        case Survives(), Call(status=None) | Join(status=None):
            broken = True
        case Answers(statuses), Call(status=int(status)):
            broken = registry.status_name(status) not in statuses
        case Fills(parameter), Call(status=0) as call:
            broken = _room(call, parameter, registry)
        case StaysWithin(parameter), Call(status=int()) as call:
            broken = _room(call, parameter, registry)
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
        case (KeepsNothing(), Call(status=int())) | (Exports(), LookUp()):
            broken = True
        case _:
            broken = False
    return broken


def _room(call: Call, parameter: str, registry: Registry) -> bool:
    """Return whether a call has room of its own for an output."""
    names = (
        registry.functions[call.function].parameter if call.function in registry.functions else {}
    )
    return any(
        name == parameter and isinstance(value, Output)
        for name, value in zip(names, call.arguments, strict=False)
    )
