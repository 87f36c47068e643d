"""Makes the plan of a program from the steps of a failure."""

from __future__ import annotations

from hsa_conformance.reproduce.breach import breaks
from hsa_conformance.reproduce.mentions import counted
from hsa_conformance.reproduce.outputs import Outputs
from hsa_conformance.reproduce.plan import PROCESSES, CannotReproduce, Move, Plan, Turn
from hsa_conformance.reproduce.seen import Seen
from hsa_reports import Failure, Step
from hsa_reports.actions import Call, End, Fork, Interrupt, Refuse, Send, Start, Together
from hsa_reports.demands import Holds, KeepsNothing
from hsa_reports.operands import Agent, Listed, Pool
from hsa_reports.terms import Counted
from hsa_spec import Function, Registry

#: What a process calls to find agents and pools again.
_FIND_AGENT = ("hsa_iterate_agents", "hsa_agent_get_info")
_FIND_POOL = "hsa_amd_agent_iterate_memory_pools"


def plan_for(clause: str, failure: Failure, registry: Registry) -> Plan:
    """Return the plan of a program.

    Args:
        clause: id of the clause that failed.
        failure: how it failed.
        registry: the specification.

    Raises:
        CannotReproduce: the steps are not all there in a form that a program can be made of.

    """
    moves = [_move(number, step, failure) for number, step in enumerate(failure.steps, 1)]
    if not moves:
        raise CannotReproduce(f"the failure of {clause} has no steps")
    for refusal, refused, later in zip(moves, moves[1:], moves[2:], strict=False):
        if isinstance(refusal.action, Refuse) and not isinstance(refused.action, Refuse):
            later.relents = True
    outputs = Outputs()
    seen: dict[str, Seen] = {}
    for move in moves:
        process = move.step.process
        seen.setdefault(process, Seen(process, outputs)).add(move)
        if isinstance(move.action, Send):
            if move.step.process != "main":
                raise CannotReproduce(f"step {move.number} sends from the second process")
            seen.setdefault("peer", Seen("peer", outputs)).names.add(move.action.name)
    demand = failure.demand if breaks(moves[-1].action, failure.demand, registry) else None
    if isinstance(demand, Holds) and not seen[moves[-1].step.process].knows(demand, moves[-1]):
        demand = None
    # What two processes hold is not compared.
    if isinstance(demand, KeepsNothing) and len(seen) > 1:
        demand = None
    return Plan(
        clause,
        failure,
        _turns(moves),
        demand,
        *_functions(moves, counted(demand), registry),
        {process: frozenset(known.used) for process, known in seen.items()},
        {process: frozenset(known.bytes_of) for process, known in seen.items()},
        outputs.shared,
    )


def _move(number: int, step: Step, failure: Failure) -> Move:
    if step.action is None:
        raise CannotReproduce(
            f"step {number} is there in words only, as older versions wrote it: "
            f"make the run again with this one ({failure.reproduce})"
        )
    if isinstance(step.action, End | Fork | Interrupt):
        raise CannotReproduce(
            f"no program copies, interrupts or ends a process, as step {number} does"
        )
    if isinstance(step.action, Together):
        raise CannotReproduce(
            f"step {number} depends on how threads meet, which the run shows again "
            f"({failure.reproduce})"
        )
    if step.process not in PROCESSES:
        raise CannotReproduce(f"step {number} is of a process that is none of {PROCESSES}")
    return Move(number, step, step.action)


def _turns(moves: list[Move]) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    sent: list[str] = []
    for move in moves:
        process = move.step.process
        if not turns or turns[-1].process != process:
            turns.append(Turn(process, sent if process == "peer" else []))
            sent = [] if process == "peer" else sent
        turns[-1].moves.append(move)
        if isinstance(move.action, Send):
            sent.append(move.action.name)
    return tuple(turns)


def _functions(
    moves: list[Move], lists: tuple[Counted, ...], registry: Registry
) -> tuple[tuple[Function, ...], tuple[Function, ...]]:
    """Return what is called by its symbol, and what by its address."""
    calls = [move.action for move in moves if isinstance(move.action, Call | Start)]
    names = [call.function for call in calls if call.address is None]
    members = [call.function for call in calls if call.address is not None]
    found = [value for move in moves for value in move.found]
    names += _FIND_AGENT if any(isinstance(value, Agent) for value in found) else ()
    listed: list[Listed | Counted] = [v for v in found if isinstance(v, Listed)]
    listed += lists
    names += [value.query for value in lists if value.query is not None]
    names += [value.function for value in listed if value.address is None]
    members += [value.function for value in listed if value.address is not None]
    names += [_FIND_POOL] if any(isinstance(value, Pool) for value in found) else []
    for name in (*names, *members):
        if name not in registry.functions:
            raise CannotReproduce(f"this version's registry does not know {name}")
    symbols, pointed = (
        tuple(registry.functions[name] for name in dict.fromkeys(group))
        for group in (names, members)
    )
    return symbols, pointed
