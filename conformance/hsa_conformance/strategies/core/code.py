"""Code for the machine's agents, in memory and in files, and what is no code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hypothesis import strategies as st

from hsa_conformance.calls import Out, Value
from hsa_conformance.code_objects import TARGETS, Code, Kernel, Target, Variable, build
from hsa_conformance.findings import Unavailable
from hsa_conformance.model.core.code import Processor
from hsa_conformance.model.state import Agent
from hsa_conformance.strategies.builder import Builder, Stock
from hsa_conformance.strategies.makers import Makers

UNDEFINED: Final = "elsewhere"  # what code with a declaration leaves to others
_LINE: Final = b"This is text, and no code for any processor.\n"


def ask_processors(stock: Stock) -> None:
    """Ask once what every agent runs."""
    model, registry = stock.session.model, stock.session.registry
    name = registry.constants["HSA_AGENT_INFO_NAME"]
    for agent in model.agents.values():
        if model.find("processor", agent.handle) is None:
            answer = stock.session.must(
                "hsa_agent_get_info", agent=agent.handle, attribute=name, value=Out(64)
            )
            text = (answer.outputs["value"] or b"").split(b"\0")[0].rstrip(b"\xa5")
            target = TARGETS.get(text.decode("latin-1")) if agent.device == "gpu" else None
            model.keep("processor", agent.handle, thing=Processor(target))


def gpu(stock: Stock) -> int:
    """Return an agent that code can be made for.

    Raises:
        Unavailable: the machine has none.

    """
    chosen: Agent = stock.available(gpus(stock), "GPU agent that code can be made for")
    return chosen.handle


def gpus(stock: Stock) -> list[Agent]:
    """Return the agents that code can be made for."""
    ask_processors(stock)
    return [a for a in stock.agents("gpu") if target(stock, a.handle) is not None]


def target(stock: Stock, agent: int) -> Target | None:
    """Return what an agent runs, or None where code cannot be made for it."""
    processor = stock.session.model.find("processor", agent)
    return processor.target if isinstance(processor, Processor) else None


def wanted(stock: Stock) -> bool:
    """Draw whether code is to be loaded; never where no agent takes any."""
    return bool(gpus(stock)) and stock.choose([False, True])


def code(stock: Stock, agent: int | None = None, *, declares: bool = False) -> Code:
    """Return code for an agent, or for any processor where the machine has none.

    Args:
        stock: where choices come from.
        agent: the agent; None for some.
        declares: whether it leaves UNDEFINED to be defined by others.

    """
    agent = agent or next((a.handle for a in gpus(stock)), None)
    made_for = target(stock, agent) if agent else None
    kernels = [Kernel("first", stock.choose([16, 24])), Kernel("second", 32, 256, 64)]
    variables = [Variable("counter", 7), Variable("limit", 9, constant=True)]
    return Code(
        made_for or TARGETS["gfx900"],
        tuple(kernels[: stock.draw(st.integers(1, 2))]),
        (
            *variables[: stock.draw(st.integers(0, 2))],
            *((Variable("pointer", points_to=UNDEFINED),) if declares else ()),
        ),
        stock.choose([4, 5]),
    )


def other_code(stock: Stock) -> Code:
    """Return code for a processor that no agent has."""
    ask_processors(stock)
    found = [p.target for p in stock.session.model.kept("processor")]
    others = [TARGETS[n] for n in ("gfx900", "gfx906", "gfx1030") if TARGETS[n] not in found]
    return Code(stock.choose(others))


def other_profile(profile: int) -> Code:
    """Return code that asks for another profile than this one."""
    variables = (Variable("counter", 7),)
    return Code(TARGETS["gfx900"], (), variables, version=2, profile=1 - profile)


def no_code(stock: Stock) -> bytes:
    """Return bytes that are no code."""
    return stock.choose([bytes(4096), _LINE * 100])


def place(stock: Stock, content: Code | bytes) -> tuple[int, int]:
    """Put code, or what is none, into memory and return address and size."""
    data = build(content) if isinstance(content, Code) else content
    return stock.session.place(data, "code"), len(data)


def reader(stock: Stock, content: Code | bytes) -> int:
    """Create a reader of code in memory.

    Raises:
        Unavailable: it is no code, and no reader of such a thing is made.

    """
    address, size = place(stock, content)
    values: dict[str, Value] = {"code_object": address, "size": size, "code_object_reader": Out()}
    function = "hsa_code_object_reader_create_from_memory"
    if isinstance(content, Code):
        return stock.session.must(function, **values)["code_object_reader"]
    answer = stock.session.call(function, **values)
    if not answer.ok:
        raise Unavailable("NOT_APPLICABLE", f"{function} refuses what is no code")
    return answer["code_object_reader"]


def code_object(stock: Stock, content: Code) -> int:
    """Make a code object of code."""
    address, size = place(stock, content)
    answer = stock.session.must(
        "hsa_code_object_deserialize",
        serialized_code_object=address,
        serialized_code_object_size=size,
        options=0,
        code_object=Out(),
    )
    return answer["code_object"]


def put(b: Builder, name: str, content: Code | bytes) -> None:
    """Give a call a reader, or a code object where the call wants one, of code or of none."""
    if b.function.parameter[name].type == "hsa_code_object_t" and isinstance(content, Code):
        b.values[name] = code_object(b, content)
    else:
        b.values[name] = reader(b, content)


def file(stock: Stock, content: Code | bytes, *, before: int = 0) -> int:
    """Open a file with code, or with what is none, and return the descriptor.

    Args:
        stock: where it is opened.
        content: what it holds.
        before: zero bytes that come first.

    """
    data = build(content) if isinstance(content, Code) else content
    return stock.session.open_file(before + len(data), bytes(before) + data)


def text(stock: Stock, words: str) -> int:
    """Put a text into memory and return its address."""
    return stock.session.place(words.encode() + b"\0", f'"{words}"')


# statements


def _readable(b: Builder, x: str) -> None:
    b.values[x] = file(b, code(b))


def _unreadable(b: Builder, x: str) -> None:
    if b.choose(["closed", "write"]) == "write":
        content = build(code(b))
        b.values[x] = b.session.open_file(len(content), content, readable=False)
        return
    descriptor = b.session.open_file(64)
    b.session.close_descriptor(descriptor)
    b.values[x] = b.choose([descriptor, -1])


def _whole_file(b: Builder, x: str) -> None:
    b.values[x] = file(b, code(b))


def _no_whole_file(b: Builder, x: str) -> None:
    b.values[x] = file(b, no_code(b))


def _part(b: Builder, x: str, offset: str, size: str) -> None:
    chosen = code(b)
    b.values[offset] = b.choose([0, b.session.model.page_size, 64])
    b.values[size] = len(build(chosen))
    b.values[x] = file(b, chosen, before=b.number(offset))


def _no_part(b: Builder, x: str, offset: str, size: str) -> None:
    content = no_code(b)
    b.values[offset], b.values[size] = 0, len(content)
    b.values[x] = file(b, content)


def _memory(b: Builder, x: str, size: str) -> None:
    b.values[x], b.values[size] = place(b, code(b))


def _no_memory(b: Builder, x: str, size: str) -> None:
    b.values[x], b.values[size] = place(b, no_code(b))


MAKERS: Mapping[str, Makers] = {
    "file_is_readable": Makers(_readable, _unreadable),
    "whole_file_holds_code": Makers(_whole_file, _no_whole_file),
    "file_holds_code": Makers(_part, _no_part),
    "holds_code": Makers(_memory, _no_memory),
}


def not_available() -> Unavailable:
    """Return what is said of code that belongs to all agents alike."""
    return Unavailable("NOT_APPLICABLE", "no format of code for AMD GPUs is for all agents alike")
