"""Code for the machine's agents, in memory and in files, and what is no code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.code_objects import TARGETS, Code, Kernel, Target, Variable, build
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.engine.generation.values.geometry import COUNTS, sizes
from hsa_conformance.engine.session.model import File
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent
from hsa_conformance.topics.shared.code.state import Processor
from hsa_reports import Verdict

#: Bytes of no meaning, more than a page, that code may begin with.
LARGE: Final = 8192
#: The most characters that a name has here; those of templates have as many.
_LONGEST: Final = 4096
UNDEFINED: Final = "elsewhere"  # what code with a declaration leaves to others
READER: Final = "hsa_code_object_reader_create_from_memory"
_LINE: Final = b"This is text, and no code for any processor.\n"


def ask_processors(fixtures: Fixtures) -> None:
    """Ask once what every agent runs."""
    model, registry = fixtures.session.model, fixtures.session.registry
    name = registry.constants["HSA_AGENT_INFO_NAME"]
    for agent in known_agents(fixtures):
        if model.find("processor", agent.handle) is None:
            with fixtures.session.learning():
                answer = fixtures.session.set_up(
                    "hsa_agent_get_info", agent=agent.handle, attribute=name, value=Out()
                )
            text = (answer.outputs["value"] or b"").split(b"\0")[0].rstrip(b"\xa5")
            target = TARGETS.get(text.decode("latin-1")) if agent.device == "gpu" else None
            model.add("processor", agent.handle, thing=Processor(target))


def gpu(fixtures: Fixtures) -> int:
    """Return an agent that code can be made for.

    Raises:
        Unavailable: the machine has none.

    """
    chosen: Agent = fixtures.available(gpus(fixtures), "GPU agent that code can be made for")
    return chosen.handle


def gpus(fixtures: Fixtures) -> list[Agent]:
    """Return the agents that code can be made for."""
    ask_processors(fixtures)
    return [a for a in known_agents(fixtures, "gpu") if target(fixtures, a.handle) is not None]


def target(fixtures: Fixtures, agent: int) -> Target | None:
    """Return what an agent runs, or None where code cannot be made for it."""
    processor = fixtures.session.model.find("processor", agent)
    return processor.target if isinstance(processor, Processor) else None


def wanted(fixtures: Fixtures) -> bool:
    """Draw whether code is to be loaded; never where no agent takes any."""
    return bool(gpus(fixtures)) and fixtures.choose([False, True])


def code(
    fixtures: Fixtures,
    agent: int | None = None,
    *,
    declares: bool = False,
    long_names: bool = False,
) -> Code:
    """Return code for an agent, or for any processor where the machine has none.

    Args:
        fixtures: where choices come from.
        agent: the agent; None for some.
        declares: whether it leaves UNDEFINED to be defined by others.
        long_names: whether its last two variables have names of `two_long_names`.

    """
    agent = agent or next((a.handle for a in gpus(fixtures)), None)
    made_for = target(fixtures, agent) if agent else None
    kernels = [Kernel("first", fixtures.choose([16, 24])), Kernel("second", 32, 256, 64)]
    variables = [Variable("counter", 7), Variable("limit", 9, constant=True)]
    return Code(
        made_for or TARGETS["gfx900"],
        tuple(kernels[: fixtures.draw(drawing.integers(1, 2))]),
        (
            *variables[: fixtures.draw(drawing.integers(0, 2))],
            *((Variable("pointer", points_to=UNDEFINED),) if declares else ()),
            *(map(Variable, two_long_names(fixtures)) if long_names else ()),
        ),
        fixtures.choose([4, 5]),
        filling=fixtures.choose([0, LARGE]),
    )


def two_long_names(fixtures: Fixtures) -> tuple[str, str]:
    """Return two names that differ in the last character alone."""
    same = "n" * (fixtures.draw(sizes(2, _LONGEST, telling=COUNTS)) - 1)
    return f"{same}1", f"{same}2"


def other_code(fixtures: Fixtures) -> Code:
    """Return code for a processor of a family that no agent is of.

    Within a family a runtime may well take code for another processor.
    """
    ask_processors(fixtures)
    agents = fixtures.session.model.live("processor")
    families = {agent.target.generation for agent in agents if agent.target}
    known = (TARGETS[name] for name in ("gfx900", "gfx906", "gfx1030"))
    others = [target for target in known if target.generation not in families]
    return Code(fixtures.choose(others))


def other_profile(profile: int) -> Code:
    """Return code that asks for another profile than this one."""
    variables = (Variable("counter", 7),)
    return Code(TARGETS["gfx900"], (), variables, version=2, profile=1 - profile)


def no_code(fixtures: Fixtures) -> bytes:
    """Return bytes that are no code."""
    return fixtures.choose([bytes(4096), _LINE * 100])


def place(fixtures: Fixtures, content: Code | bytes) -> tuple[int, int]:
    """Put code, or what is none, into memory and return address and size."""
    data = build(content) if isinstance(content, Code) else content
    return fixtures.session.place(data, "code"), len(data)


def reader(fixtures: Fixtures, content: Code | bytes) -> int:
    """Create a reader of code in memory.

    Raises:
        Unavailable: it is no code, and no reader of such a thing is made.

    """
    address, size = place(fixtures, content)
    values: dict[str, Value] = {"code_object": address, "size": size, "code_object_reader": Out()}
    if isinstance(content, Code):
        return fixtures.session.set_up(READER, **values)["code_object_reader"]
    answer = fixtures.session.call(READER, **values)
    if not answer.ok:
        raise Unavailable(Verdict.NOT_APPLICABLE, f"{READER} refuses what is no code")
    return answer["code_object_reader"]


def origin(fixtures: Fixtures, content: Code) -> int:
    """Make what executables load code from; see `origin_at`."""
    return origin_at(fixtures, *place(fixtures, content))


def origin_at(fixtures: Fixtures, address: int, size: int) -> int:
    """Make what executables load from code in memory: a reader, or in HSA 1.0 a code object."""
    if not fixtures.session.offers(READER):
        return code_object_at(fixtures, address, size)
    answer = fixtures.session.set_up(
        READER, code_object=address, size=size, code_object_reader=Out()
    )
    return answer["code_object_reader"]


def code_object(fixtures: Fixtures, content: Code) -> int:
    """Make a code object of code."""
    return code_object_at(fixtures, *place(fixtures, content))


def code_object_at(fixtures: Fixtures, address: int, size: int) -> int:
    """Make a code object of code in memory."""
    answer = fixtures.session.set_up(
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


def file(fixtures: Fixtures, content: Code | bytes, *, before: int = 0) -> int:
    """Open a file with code, or with what is none, and return the descriptor.

    Args:
        fixtures: where it is opened.
        content: what it holds.
        before: zero bytes that come first.

    """
    data = build(content) if isinstance(content, Code) else content
    return fixtures.session.open_file(before + len(data), bytes(before) + data)


def text(fixtures: Fixtures, words: str) -> int:
    """Put a text into memory and return its address."""
    return fixtures.session.place(words.encode() + b"\0", f'"{words}"')


# statements


def _readable(b: Builder, x: str) -> None:
    b.values[x] = file(b, code(b))


def _unreadable(b: Builder, x: str) -> None:
    if b.choose(["closed", "write"]) == "write":
        # It holds what the call wants of it, so that nothing else is wrong.
        known = b.session.model.find("file", b.number(x))
        content = known.content if isinstance(known, File) else build(code(b))
        size = known.size if isinstance(known, File) else len(content)
        b.values[x] = b.session.open_file(size, content, readable=False)
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


GENERATORS: Mapping[str, Generators] = {
    "file_is_readable": Generators(_readable, _unreadable),
    "whole_file_holds_code": Generators(_whole_file, _no_whole_file),
    "file_holds_code": Generators(_part, _no_part),
    "holds_code": Generators(_memory, _no_memory),
}


def not_available() -> Unavailable:
    """Return what is said of code that belongs to all agents alike."""
    return Unavailable(
        Verdict.NOT_APPLICABLE, "no format of code for AMD GPUs is for all agents alike"
    )
