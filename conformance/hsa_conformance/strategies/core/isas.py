"""Instruction set architectures, their names and call conventions, and wavefronts."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from hsa_adapters.protocol import Callback
from hsa_conformance.calls import PATTERN, Out
from hsa_conformance.findings import Blocked
from hsa_conformance.model.core.isas import Isa, Wavefront
from hsa_conformance.strategies.builder import Builder, CannotMake, Stock
from hsa_conformance.strategies.makers import Makers
from hsa_conformance.symbols import Symbol
from hsa_reports.actions import Named

ROOM = 1024  # bytes for a name
GREATEST = (1 << 32) - 1


def reported(stock: Stock, agent: int) -> list[int]:
    """Return the instruction set architectures of an agent, in the library's order."""
    answer = stock.session.must(
        "hsa_agent_iterate_isas", agent=agent, callback=Callback("hsa_isa_callback"), data=0
    )
    return [handle for handle, _ in answer.callbacks]


def survey(stock: Stock) -> None:
    """Ask once which instruction set architectures the agents have."""
    model = stock.session.model
    if "surveyed isas" in model.objects:
        return
    found: dict[int, Isa] = {}
    for agent in stock.agents():
        for place, handle in enumerate(reported(stock, agent.handle), 1):
            if handle not in found:
                words = f"{agent.handle}_isa{place}"
                symbol = Symbol(handle, words, origin=Named(words))
                first = agent.handle if place == 1 else None
                found[handle] = Isa(
                    symbol, _name(stock, symbol), first, _conventions(stock, symbol)
                )
    for known in found.values():
        model.keep("isa", known.handle, thing=known)
    model.objects["surveyed isas"] = {}


def _name(stock: Stock, isa: int) -> bytes:
    attribute = stock.session.registry.constants["HSA_ISA_INFO_NAME"]
    answer = stock.session.call(
        "hsa_isa_get_info_alt", isa=isa, attribute=attribute, value=Out(ROOM)
    )
    return written(answer.outputs["value"] or b"") if answer.ok else b""


def written(content: bytes) -> bytes:
    """Return the text that a query left in room for more, without a NUL byte."""
    return content.rstrip(bytes([PATTERN])).partition(b"\0")[0]


def _conventions(stock: Stock, isa: int) -> int | None:
    attribute = stock.session.registry.constants["HSA_ISA_INFO_CALL_CONVENTION_COUNT"]
    answer = stock.session.call(
        "hsa_isa_get_info", isa=isa, attribute=attribute, index=0, value=Out(4)
    )
    return answer.number("value") if answer.ok and not answer.untouched("value") else None


def isas(stock: Stock) -> list[Isa]:
    """Return the instruction set architectures of the machine."""
    survey(stock)
    known: list[Isa] = stock.session.model.kept("isa")
    return known


def isa(stock: Stock) -> int:
    """Return an instruction set architecture of some agent.

    Raises:
        Unavailable: no agent has any.

    """
    chosen = stock.available(isas(stock), "instruction set architecture")
    if chosen.first_of is None:
        return chosen.handle
    # Asked for anew, so that a program can do the same.
    answer = stock.session.must(
        "hsa_agent_get_info",
        agent=chosen.first_of,
        attribute=stock.session.registry.constants["HSA_AGENT_INFO_ISA"],
        value=Out(8),
    )
    if answer["value"] != chosen.handle:
        raise Blocked("hsa_agent_iterate_isas/first-is-attribute", f"{answer['value']:#x}")
    return answer["value"]


def wavefront(stock: Stock) -> int:
    """Return a wavefront of some instruction set architecture.

    Raises:
        Unavailable: none has any.

    """
    answer = stock.session.must(
        "hsa_isa_iterate_wavefronts",
        isa=isa(stock),
        callback=Callback("hsa_wavefront_callback"),
        data=0,
    )
    handles = [handle for handle, _ in answer.callbacks]
    place, handle = stock.available(list(enumerate(handles, 1)), "wavefront")
    words = f"wavefront{place}"
    symbol = Symbol(handle, words, origin=Named(words))
    stock.session.model.keep("wavefront", symbol, thing=Wavefront(symbol))
    return symbol


def name(stock: Stock, text: bytes) -> int:
    """Return the address of a name."""
    return stock.session.place(text + b"\0", f'"{text.decode("ascii", "replace")}"')


def _isa(b: Builder, x: str) -> None:
    b.values[x] = isa(b)


def _no_isa(b: Builder, x: str) -> None:
    b.values[x] = b.choose([b.readable(), b.choose(b.agents()).handle])


def _wavefront(b: Builder, x: str) -> None:
    b.values[x] = wavefront(b)


def _no_wavefront(b: Builder, x: str) -> None:
    b.values[x] = b.choose([b.readable(), b.choose(b.agents()).handle])


def _name_of_isa(b: Builder, x: str) -> None:
    known = b.available([i.name for i in isas(b) if i.name], "named instruction set architecture")
    b.values[x] = name(b, known)


def _no_name_of_isa(b: Builder, x: str) -> None:
    known = [i.name + b"!" * b.draw(st.integers(1, 200)) for i in isas(b)]
    b.values[x] = name(b, b.choose([b"", b"no such architecture", b"amdgcn-amd-amdhsa--", *known]))


def _convention(b: Builder, x: str, index: str) -> None:
    b.values[index] = b.draw(st.integers(0, max(0, _count(b, x) - 1)))


def _no_convention(b: Builder, x: str, index: str) -> None:
    count = _count(b, x)
    b.values[index] = b.choose([count, count + 1, GREATEST])


def _count(b: Builder, x: str) -> int:
    known = b.session.model.find("isa", b.number(x))
    if not isinstance(known, Isa) or known.conventions is None:
        raise CannotMake("how many call conventions there are is not known")
    return known.conventions


MAKERS: Mapping[str, Makers] = {
    "is_isa": Makers(_isa, _no_isa),
    "is_wavefront": Makers(_wavefront, _no_wavefront),
    "names_isa": Makers(_name_of_isa, _no_name_of_isa),
    "has_call_convention": Makers(_convention, _no_convention),
}
