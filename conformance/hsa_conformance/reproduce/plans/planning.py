"""Makes the plan of a program from the steps of a failure.

`Plan.used` names the outputs that later steps use, which become variables.
"""

from __future__ import annotations

from itertools import pairwise, takewhile

from hsa_conformance.reproduce.plans.breach import breaks
from hsa_conformance.reproduce.plans.inventory import Inventory
from hsa_conformance.reproduce.plans.mentions import calls, counted
from hsa_conformance.reproduce.plans.outputs import Outputs
from hsa_conformance.reproduce.plans.plan import PROCESSES, CannotReproduce, Move, Plan, Turn
from hsa_reports import Failure, Step
from hsa_reports.actions import End, Fork, Interrupt, Litmus, Refuse, Send
from hsa_reports.demands import Holds, InheritsNothing, KeepsNothing
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
            later.restored_call = refusal.action.call
    outputs = Outputs()
    seen: dict[str, Inventory] = {}
    for move in moves:
        process = move.step.process
        seen.setdefault(process, Inventory(process, outputs)).add(move)
        if isinstance(move.action, Send):
            if move.step.process != "main":
                raise CannotReproduce(f"step {move.number} sends from the second process")
            seen.setdefault("peer", Inventory("peer", outputs)).names.add(move.action.name)
    demand = failure.demand if breaks(moves[-1].action, failure.demand, registry) else None
    if isinstance(demand, Holds | InheritsNothing):
        last = seen[moves[-1].step.process]
        demand = demand if last.knows(demand, moves[-1]) else None
    once = len(moves) if not isinstance(demand, KeepsNothing) else _once(moves, demand)
    turns, begins = _turns(moves, once)
    return Plan(
        clause,
        failure,
        turns,
        turns[begins:],
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
    if isinstance(step.action, Litmus):
        raise CannotReproduce(
            f"no program makes a litmus test, as step {number} does: make the run again "
            f"({failure.reproduce})"
        )
    if step.process not in PROCESSES:
        raise CannotReproduce(f"step {number} is of a process that is none of {PROCESSES}")
    return Move(number, step, step.action)


def _once(moves: list[Move], demand: KeepsNothing) -> int:
    """Return how many moves come before those of a round: a start that lasts is none of it."""
    once = len(moves) - demand.steps
    names = [getattr(move.action, "function", None) for move in moves[once:]]
    lasting = takewhile(lambda name: name == "hsa_init", names)
    return once if "hsa_shut_down" in names else once + len(list(lasting))


def _turns(moves: list[Move], once: int) -> tuple[tuple[Turn, ...], int]:
    """Return the turns, and which of them is the first that is made again and again.

    Args:
        moves: the moves.
        once: how many of them are made once.

    """
    turns: list[Turn] = []
    sent: list[str] = []
    begins = None
    for place, move in enumerate(moves):
        process = move.step.process
        if place == once:
            _require_received(sent)
            begins = len(turns)
            turns.append(Turn("main", []))
        if not turns or turns[-1].process != process:
            turns.append(Turn(process, sent if process == "peer" else []))
            sent = [] if process == "peer" else sent
        turns[-1].moves.append(move)
        if isinstance(move.action, Send):
            sent.append(move.action.name)
    if begins is not None:
        _require_received(sent)
        if turns[-1].process != "main":
            turns.append(Turn("main", []))
    for turn, later in pairwise(turns):
        turn.passes = later.waits = turn.process != later.process
    return tuple(turns), len(turns) if begins is None else begins


def _require_received(sent: list[str]) -> None:
    if sent:
        raise CannotReproduce("a descriptor is sent in one round and received in another")


def _functions(
    moves: list[Move], lists: tuple[Counted, ...], registry: Registry
) -> tuple[tuple[Function, ...], tuple[Function, ...]]:
    """Return what is called by its symbol, and what by its address."""
    made = [call for move in moves for call in calls(move.action)]
    names = [call.function for call in made if call.address is None]
    members = [call.function for call in made if call.address is not None]
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
