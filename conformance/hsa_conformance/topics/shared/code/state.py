"""What the suite knows of code: what readers read, what is loaded, what symbols there are."""

from __future__ import annotations

from dataclasses import dataclass, field

from hsa_conformance.code_objects import MADE, Code, Target
from hsa_conformance.code_objects.damage import SPOILT
from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.session.model import File, Model
from hsa_conformance.topics.core.agents.state import find_agent

VARIABLE, KERNEL = 0, 1
PROGRAM = 0  # stands for the agent of what all agents share


@dataclass(frozen=True)
class Processor:
    """What an agent runs: a target that code can be made for, or None."""

    target: Target | None


@dataclass(frozen=True)
class Source:
    """What was handed over as code: the code, or None where it is none.

    Readers and deserialized code objects are such.
    """

    code: Code | None


@dataclass
class Executable:
    """An executable.

    Attributes:
        profile: the number of the profile that it was created for.
        frozen: whether it is frozen.
        symbols: the kind of each symbol by name and agent, PROGRAM where all agents share it.
        loaded: the code in it, and the agent that it was loaded for.
        load_failed: whether code failed to load: no text says what that leaves in it.

    """

    profile: int
    frozen: bool = False
    load_failed: bool = False
    symbols: dict[tuple[str, int], int] = field(default_factory=dict)
    loaded: list[tuple[Code, int]] = field(default_factory=list)

    def names(self, name: str) -> list[int]:
        """Return the agents that have a symbol of this name."""
        return [agent for known, agent in self.symbols if known == name]


@dataclass(frozen=True)
class LoadedCodeObject:
    """A code object, and the executable that loaded it."""

    executable: int


@dataclass(frozen=True)
class ExecutableSymbol:
    """A symbol of an executable: its kind, and whether all agents share it."""

    executable: int
    kind: int
    program: bool


@dataclass(frozen=True)
class CodeSymbol:
    """A symbol of a code object, and its kind."""

    code_object: int
    kind: int


def code_in(content: bytes | None) -> Code | None:
    """Return the code that some bytes are, or None where they are none.

    Raises:
        ProvesNothing: they look like code, and the suite did not make them.

    """
    if content is None:
        return None
    made = MADE.get(content)
    if made is None and content not in SPOILT and content.startswith(b"\x7fELF"):
        raise ProvesNothing("only what the suite made is known to be code")
    return made


def code_in_file(model: Model, descriptor: int, offset: int, size: int | None) -> Code | None:
    """Return the code in a part of an open file; of size None, in all that follows."""
    file = model.find("file", descriptor)
    if not isinstance(file, File):
        return None
    end = file.size if size is None else offset + size
    return code_in(file.part(offset, end))


def text(model: Model, address: int) -> str:
    """Return the text at an address that the suite wrote, or none where there is none."""
    found = b""
    while address and len(found) < 1 << 12:
        byte = model.read(address + len(found), 1)
        if byte is None:
            break
        if byte == b"\0":
            return found.decode("latin-1")
        found += byte
    return ""


def executable(model: Model, handle: int) -> Executable:
    """Return a live executable, or one with nothing in it where there is none."""
    found = model.find("executable", handle)
    return found if isinstance(found, Executable) else Executable(profile=0)


def source(model: Model, handle: int) -> Code | None:
    """Return the code that a reader reads, or that a code object is."""
    found = model.find("code_object_reader", handle) or model.find("code_object", handle)
    return found.code if isinstance(found, Source) else None


def runs(model: Model, agent: int, code: Code) -> bool:
    """Return whether an agent's processor is the one that code is for.

    Raises:
        ProvesNothing: nobody asked what the agent runs.

    """
    processor = model.find("processor", agent)
    if not isinstance(processor, Processor):
        if find_agent(model, agent) is None:
            return False
        raise ProvesNothing("nobody asked what the agent runs")
    return processor.target == code.target
