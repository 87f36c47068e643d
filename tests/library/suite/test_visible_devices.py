"""GPUs that the environment names: a library that lists others is blamed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import pytest

from hsa_adapters import InProcessAdapter
from hsa_adapters.in_process import InProcess
from hsa_conformance.engine.running.runner import Settings
from hsa_reference import Runtime, load_machine
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.inside import results

CLAUSE = "runtime/visible-devices"
VISIT = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p)

#: Returns the places of the GPUs to list; gets the words of the variable, and all UUIDs.
Reading = Callable[[Sequence[str], Sequence[str]], Sequence[int]]


def right(words: Sequence[str], uuids: Sequence[str]) -> Sequence[int]:
    """Read the list up to what names nothing new."""
    places: list[int] = []
    for word in words:
        place = uuids.index(word) if word in uuids else int(word)
        if place in places or place >= len(uuids):
            break
        places.append(place)
    return places


MISTAKES: dict[str, Reading] = {
    "the variable is ignored": lambda _, uuids: range(len(uuids)),
    "the first word alone counts": lambda words, uuids: right(words[:1], uuids),
    "UUIDs name the first": lambda words, uuids: right(
        ["0" if word in uuids else word for word in words], uuids
    ),
    "the last is never there": lambda words, uuids: [
        place for place in right(words, uuids) if place < len(uuids) - 1
    ],
    "a list with an end that names nothing is empty": lambda words, uuids: (
        right(words, uuids) if len(right(words, uuids)) == len(words) else []
    ),
}


class Library(dict[str, Callable[..., int]]):
    """A reference that lists the GPUs that a variable names, in some reading of it."""

    def __init__(self, functions: Runtime, read: Reading) -> None:
        super().__init__(functions.functions())
        self.right = functions.functions()
        self.read = read
        self.words: Sequence[str] | None = None
        self["hsa_iterate_agents"] = self.iterate
        self["hsa_agent_get_info"] = self.describe

    def describe(self, agent: int, attribute: int, value: int) -> int:
        """Give each agent a UUID."""
        status = self.right["hsa_agent_get_info"](agent, attribute, value)
        if status == 0 and attribute == 0xA011:
            ctypes.memmove(value, f"GPU-{agent:016X}".encode(), 20)
        return status

    def iterate(self, callback: int, data: int) -> int:
        """List agents, those of the host first."""
        if self.words is None or not callback:
            return self.right["hsa_iterate_agents"](callback, data)
        found: list[int] = []

        def note(agent: int, _: int) -> int:
            found.append(agent)
            return 0

        collect = VISIT(note)
        status = self.right["hsa_iterate_agents"](ctypes.cast(collect, ctypes.c_void_p).value, 0)
        gpus = [agent for agent in found if self.text(agent, 17, 4) == "\1"]
        uuids = [self.text(gpu, 0xA011, 21) for gpu in gpus]
        chosen = [gpus[place] for place in self.read(self.words, uuids)]
        for agent in [*(a for a in found if a not in gpus), *chosen]:
            status = status or VISIT(callback)(agent, data)
        return status

    def text(self, agent: int, attribute: int, size: int) -> str:
        """Return an attribute up to its first zero."""
        value = ctypes.create_string_buffer(size)
        self.describe(agent, attribute, ctypes.addressof(value))
        return value.value.decode()


@pytest.fixture
def verdict(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> Callable[..., set[Verdict]]:
    """Return a function that judges the clause on a library of two GPUs with a reading."""

    def set_variable(self: InProcess, name: str, value: str) -> bool:
        library = self._functions
        assert isinstance(library, Library)
        assert name == "ROCR_VISIBLE_DEVICES"
        library.words = value.split(",")
        return True

    monkeypatch.setattr(InProcess, "set_variable", set_variable)
    machine = load_machine("two_gpus", registry)

    def judge(read: Reading, release: str | None = "7.2.4") -> set[Verdict]:
        adapter = InProcessAdapter(
            "reading", lambda: Library(Runtime(machine, registry), read), registry
        )
        settings = Settings(seed=1, release=release)
        return {r.verdict for r in results(adapter, registry, CLAUSE, settings=settings)}

    return judge


def test_the_gpus_that_are_named_are_right(verdict: Callable[..., set[Verdict]]) -> None:
    """A list that ends where something names nothing new is one of several right ones."""
    assert {Verdict.PASS} == verdict(right)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_other_gpus_than_those_named_are_wrong(
    verdict: Callable[..., set[Verdict]], mistake: str
) -> None:
    assert Verdict.WARN in verdict(MISTAKES[mistake])


def test_a_library_that_is_not_rocr_need_not_read_the_variable(
    verdict: Callable[..., set[Verdict]],
) -> None:
    """It is ROCr's own."""
    ignored = MISTAKES["the variable is ignored"]
    assert Verdict.WARN not in verdict(ignored, None)
