"""Instruction set architectures, their names and call conventions, and wavefronts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.callback_handles import renamed
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.symbols import Labels, Symbol
from hsa_conformance.engine.calls.values import PATTERN, Answer, Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.isas.state import NAMES, Isa, Wavefront
from hsa_conformance.topics.core.isas.targets import TARGETS

GREATEST = (1 << 32) - 1
FIND: Final = "hsa_isa_from_name"
#: Whether an architecture is one that no agent has.
_OTHER: Final = drawing.sampled_from((False, False, True))


def reported(fixtures: Fixtures, agent: int) -> list[int]:
    """Return the instruction set architectures of an agent, in the library's order.

    HSA 1.0 knows of one alone.
    """
    if not fixtures.session.offers("hsa_agent_iterate_isas"):
        handle = first(fixtures, agent)
        return [handle] if handle else []  # a handle of 0 is nothing
    answer = fixtures.session.set_up(
        "hsa_agent_iterate_isas", agent=agent, callback=Callback("hsa_isa_callback"), data=0
    )
    return [handle for handle, _ in answer.callbacks]


def first(fixtures: Fixtures, agent: int) -> int:
    """Return the instruction set architecture that an agent has as an attribute."""
    answer = fixtures.session.set_up(
        "hsa_agent_get_info",
        agent=agent,
        attribute=fixtures.session.registry.constants["HSA_AGENT_INFO_ISA"],
        value=Out(),
    )
    return answer["value"]


def discover(fixtures: Fixtures) -> None:
    """Ask once which instruction set architectures the agents have."""
    model = fixtures.session.model
    if "discovered isas" in model.objects:
        return
    labels = Labels("isa")
    found: dict[int, tuple[Symbol, int | None]] = {}
    for agent in known_agents(fixtures):
        for place, handle in enumerate(reported(fixtures, agent.handle), 1):
            if handle not in found:
                words = f"{agent.handle}_isa{place}"
                label = labels.next("isa", agent.handle)
                symbol = renamed(handle, words).labelled(label)
                found[handle] = symbol, agent.handle if place == 1 else None
    fixtures.session.stable_answers.confirm("isas", [str(symbol) for symbol, _ in found.values()])
    for symbol, first in found.values():
        name, conventions = _described(fixtures, symbol)
        model.add("isa", symbol, thing=Isa(symbol, name, first, conventions))
    model.objects["discovered isas"] = {}


def _described(fixtures: Fixtures, isa: int) -> tuple[bytes, int | Blocked | None]:
    with fixtures.session.learning():
        return _name(fixtures, isa), _conventions(fixtures, isa)


def _name(fixtures: Fixtures, isa: int) -> bytes:
    answer = ask(fixtures, isa, "HSA_ISA_INFO_NAME")
    return written(answer.outputs["value"] or b"") if answer.ok else b""


def ask(fixtures: Fixtures, isa: int, attribute: str) -> Answer:
    """Ask for an attribute that has no index, by the newest query that is offered."""
    number = fixtures.session.registry.constants[attribute]
    function, index = "hsa_isa_get_info_alt", {}
    if not fixtures.session.offers(function):
        function, index = "hsa_isa_get_info", {"index": 0}
    return fixtures.session.call(function, isa=isa, attribute=number, value=Out(), **index)


def written(content: bytes) -> bytes:
    """Return the text that a query left in room for more, without a NUL byte."""
    return content.rstrip(bytes([PATTERN])).partition(b"\0")[0]


def _conventions(fixtures: Fixtures, isa: int) -> int | Blocked | None:
    session, function = fixtures.session, "hsa_isa_get_info"
    if not session.offers(function):
        return None
    attribute = session.registry.constants["HSA_ISA_INFO_CALL_CONVENTION_COUNT"]
    answer = session.call(function, isa=isa, attribute=attribute, index=0, value=Out())
    if not answer.ok:
        return Blocked(f"{function}/success", answer.name, refused=True, steps=session.trace.steps)
    return None if answer.untouched("value") else answer.number("value")


def isas(fixtures: Fixtures) -> list[Isa]:
    """Return the instruction set architectures that agents of the machine have."""
    discover(fixtures)
    known: list[Isa] = fixtures.session.model.live("isa")
    return [isa for isa in known if isa.reported]


def isa(fixtures: Fixtures) -> int:
    """Return an instruction set architecture of some agent.

    Raises:
        Unavailable: no agent has any.

    """
    chosen = fixtures.available(isas(fixtures), "instruction set architecture")
    if chosen.first_of is None:
        return chosen.handle
    # Asked for anew, so that a program can do the same.
    handle = first(fixtures, chosen.first_of)
    if handle != chosen.handle:
        raise Blocked("hsa_agent_iterate_isas/first-is-attribute", f"{handle:#x}")
    return handle


def any_isa(fixtures: Fixtures) -> int:
    """Return an instruction set architecture of some agent, or now and then another one.

    Raises:
        Unavailable: no agent has any.

    """
    if fixtures.draw(_OTHER) and (others := other_names(fixtures)):
        return found(fixtures, fixtures.draw(drawing.sampled_from(others)))
    return isa(fixtures)


def found(fixtures: Fixtures, text: str | bytes) -> int:
    """Return the instruction set architecture that is found by a name."""
    session, content = fixtures.session, text.encode() if isinstance(text, str) else text
    handle = session.set_up(FIND, name=name(fixtures, content), isa=Out())["isa"]
    if session.model.find("isa", handle) is None:
        session.model.add("isa", handle, thing=Isa(handle, content, reported=False))
    return handle


def known_names(fixtures: Fixtures) -> list[str]:
    """Return the names of LLVM's targets by which the library knows an architecture."""
    # The same in all processes, and a question for each name.
    named = [text for target in TARGETS.values() for text in target.names()]
    return fixtures.session.stable_answers.once(
        "targets of LLVM", lambda: [text for text in named if _is_known(fixtures, text)]
    )


def _is_known(fixtures: Fixtures, text: str) -> bool:
    with fixtures.session.learning():
        place = name(fixtures, text.encode())
        return fixtures.session.call(FIND, name=place, isa=Out()).ok


def other_names(fixtures: Fixtures) -> list[str]:
    """Return those of processors that no agent has, each with what no name need say left open."""
    if not fixtures.session.offers(FIND):
        return []
    own = {each.name.decode("ascii", "replace").partition(":")[0] for each in isas(fixtures)}
    return [text for text in known_names(fixtures) if ":" not in text and text not in own]


def wavefronts(fixtures: Fixtures, isa: int) -> list[int]:
    """Return the wavefronts of an instruction set architecture, in the library's order."""
    answer = fixtures.session.set_up(
        "hsa_isa_iterate_wavefronts", isa=isa, callback=Callback("hsa_wavefront_callback"), data=0
    )
    return [handle for handle, *_ in answer.callbacks]


def wavefront(fixtures: Fixtures) -> int:
    """Return a wavefront of some instruction set architecture.

    Raises:
        Unavailable: none has any.

    """
    handles = wavefronts(fixtures, any_isa(fixtures))
    place, handle = fixtures.available(list(enumerate(handles, 1)), "wavefront")
    words = f"wavefront{place}"
    symbol = renamed(handle, words)
    fixtures.session.model.add("wavefront", symbol, thing=Wavefront(symbol))
    return symbol


def name(fixtures: Fixtures, text: bytes) -> int:
    """Return the address of a name."""
    return fixtures.session.place(text + b"\0", f'"{text.decode("ascii", "replace")}"')


def _isa(b: Builder, x: str) -> None:
    # That of an agent says of each feature whether it is on; a name may leave that open.
    b.values[x] = isa(b) if x == "agent_isa" else any_isa(b)


def _no_isa(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (agent.handle for agent in known_agents(b)))


def _wavefront(b: Builder, x: str) -> None:
    b.values[x] = wavefront(b)


def _no_wavefront(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (agent.handle for agent in known_agents(b)))


def _name_of_isa(b: Builder, x: str) -> None:
    own = b.require_any([i.name for i in isas(b) if i.name], "named instruction set architecture")
    others = [text.encode() for text in other_names(b)]
    for number, text in enumerate(others):
        b.session.model.add(NAMES, number, thing=text)
    b.values[x] = name(b, b.choose([*own, *others]))


def _no_name_of_isa(b: Builder, x: str) -> None:
    known = [i.name + b"!" * b.draw(drawing.integers(1, 200)) for i in isas(b)]
    b.values[x] = name(b, b.choose([b"", b"no such architecture", b"amdgcn-amd-amdhsa--", *known]))


def _convention(b: Builder, x: str, index: str) -> None:
    b.values[index] = b.draw(drawing.integers(0, max(0, _count(b, x) - 1)))


def _no_convention(b: Builder, x: str, index: str) -> None:
    count = _count(b, x)
    b.values[index] = b.choose([count, count + 1, GREATEST])


def _count(b: Builder, x: str) -> int:
    known = b.session.model.find("isa", b.number(x))
    if not isinstance(known, Isa):
        raise CannotMake("how many call conventions there are is not known")
    return known.count


GENERATORS: Mapping[str, Generators] = {
    "is_isa": Generators(_isa, _no_isa),
    "is_wavefront": Generators(_wavefront, _no_wavefront),
    "names_isa": Generators(_name_of_isa, _no_name_of_isa),
    "has_call_convention": Generators(_convention, _no_convention),
}
