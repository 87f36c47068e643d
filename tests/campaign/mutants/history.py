"""What a process has seen: the objects that live, kinds of memory, and the call before."""

from __future__ import annotations

from hsa_adapters.calls import Call, Callback, Outcome
from hsa_conformance.engine.generation.fixtures import PLAIN
from hsa_spec import Function, Parameter, Registry
from hsa_spec.layout import pointee, unqualified

AGENT = "hsa_agent_t"
#: Functions that take memory, with where its address is and what the suite calls its kind.
_MEMORY = {
    "hsa_memory_allocate": ("ptr", "region block"),
    "hsa_amd_memory_pool_allocate": ("ptr", "pool block"),
    "hsa_amd_memory_lock": ("host_ptr", "locked memory"),
    "hsa_amd_memory_lock_to_pool": ("host_ptr", "locked memory"),
    "hsa_amd_vmem_map": ("va", "mapped memory"),
}
#: Where the address is of memory that is given back.
_GIVEN_BACK = {
    "hsa_memory_free": "ptr",
    "hsa_amd_memory_pool_free": "ptr",
    "hsa_amd_memory_unlock": "host_ptr",
    "hsa_amd_vmem_unmap": "va",
}
POINTERS = (PLAIN, *dict.fromkeys(kind for _, kind in _MEMORY.values()))
#: What lives as long as the machine does.
LASTING = {
    AGENT,
    "hsa_region_t",
    "hsa_amd_memory_pool_t",
    "hsa_isa_t",
    "hsa_cache_t",
    "hsa_wavefront_t",
}


def kind_of(parameter: Parameter, registry: Registry) -> str | None:
    """Return the kind of object that an input names, None where it names none."""
    ctype = unqualified(parameter.type)
    struct = registry.structs.get(ctype)
    if ctype == "hsa_queue_t*" or (struct and struct.handle and ctype != "hsa_callback_data_t"):
        return pointee(ctype)
    return None


def outputs(function: Function, call: Call) -> dict[str, tuple[int, int]]:
    """Return the address and the size of each output that the suite reads, by parameter."""
    rooms = dict(call.reads[::2])
    found = zip(function.params, call.args, strict=True)
    return {
        p.name: (a, rooms[a])
        for p, a in found
        if p.direction != "in" and isinstance(a, int) and a in rooms
    }


def filled(function: Function, call: Call, outcome: Outcome) -> int:
    """Return how many bytes of the caller's memory a call wrote that is there for any content."""
    rooms = {p.name for p in function.params if p.direction == "out" and pointee(p.type) == "void"}
    places = {a for name, (a, _) in outputs(function, call).items() if name in rooms}
    before = dict(call.writes)
    most = 0
    for (address, _), content in zip(call.reads, outcome.reads, strict=False):
        if address in places and content:
            old = before.get(address, b"").ljust(len(content))
            changed = (i for i, byte in enumerate(content) if byte != old[i])
            most = max(most, 1 + max(changed, default=-1))
    return most


class History:
    """What the calls of one process came to.

    Args:
        registry: knows what parameters are.
        scratch: address and size of the suite's own memory, which stands for plain memory.

    Attributes:
        living: the handles of the objects that live, by kind, the oldest first.

    """

    def __init__(self, registry: Registry, scratch: tuple[int, int]) -> None:
        self._registry = registry
        self._scratch = scratch
        self.living: dict[str, list[int]] = {}
        self._memory: dict[int, tuple[int, str]] = {}
        self._before: dict[str, tuple[tuple[object, ...], int]] = {}

    def first(self, kind: str) -> int:
        """Return the oldest object of a kind."""
        return self.living[kind][0]

    def is_second(self, kind: str, handle: object) -> bool:
        """Return whether a handle is that of the second oldest of the objects that live."""
        return self.living.get(kind, [])[1:2] == [handle]

    def pointer(self, address: int) -> str | None:
        """Return the kind of memory that an address lies in, None where that is not known."""
        for base, (size, kind) in self._memory.items():
            if base <= address < base + size:
                return kind
        base, size = self._scratch
        return PLAIN if base <= address < base + size else None

    def again(self, call: Call) -> bool:
        """Return whether a call is the second of two in a row that ask for the same."""
        before, times = self._before.get(call.function, ((), 0))
        return times == 1 and before == _asked(call)

    def note(self, call: Call, outcome: Outcome) -> None:
        """Take note of a call that was answered."""
        function = self._registry.functions[call.function]
        before, times = self._before.get(call.function, ((), 0))
        asked = _asked(call)
        self._before[call.function] = (asked, times + 1 if asked == before else 1)
        self._heard(function, call, outcome)
        if outcome.result == 0 and function.result == "hsa_status_t":
            self._created(function, call, outcome)
            self._consumed(function, call)
            self._moved(function, call, outcome)

    def _heard(self, function: Function, call: Call, outcome: Outcome) -> None:
        for argument, parameter in zip(call.args, function.params, strict=True):
            if not isinstance(argument, Callback):
                continue
            callback = self._registry.callbacks[parameter.type.removeprefix("callback:")]
            for heard in outcome.callbacks:
                for value, given in zip(heard, callback.params, strict=False):
                    if kind := kind_of(given, self._registry):
                        self._see(kind, value)

    def _created(self, function: Function, call: Call, outcome: Outcome) -> None:
        written = dict(zip((a for a, _ in call.reads), outcome.reads, strict=True))
        for parameter in function.params:
            handle = pointee(parameter.type)
            struct = self._registry.structs.get(handle)
            if not ((struct and struct.handle) or handle == "hsa_queue_t*"):
                continue
            argument = call.args[function.params.index(parameter)]
            content = written.get(argument) if isinstance(argument, int) else None
            if parameter.direction == "out" and content is not None and len(content) == 8:
                self._see(pointee(handle), int.from_bytes(content, "little"))

    def _consumed(self, function: Function, call: Call) -> None:
        for argument, parameter in zip(call.args, function.params, strict=True):
            kind = kind_of(parameter, self._registry)
            given_back = parameter.ownership == "consumes" or function.name.endswith("_release")
            if kind is None or kind in LASTING or not given_back:
                continue
            if isinstance(argument, int) and argument in self.living.get(kind, []):
                self.living[kind].remove(argument)
            for derived in ("hsa_executable_symbol_t", "hsa_loaded_code_object_t"):
                self.living.pop(derived, None)

    def _moved(self, function: Function, call: Call, outcome: Outcome) -> None:
        names = [p.name for p in function.params]
        if function.name == "hsa_shut_down":
            self.living = {k: v for k, v in self.living.items() if k in LASTING}
        if name := _GIVEN_BACK.get(function.name):
            address = call.args[names.index(name)]
            self._memory.pop(address if isinstance(address, int) else 0, None)
        if function.name in _MEMORY:
            name, kind = _MEMORY[function.name]
            place, size = call.args[names.index(name)], call.args[names.index("size")]
            written = dict(zip((a for a, _ in call.reads), outcome.reads, strict=True))
            content = written.get(place) if isinstance(place, int) else None
            base = int.from_bytes(content, "little") if content is not None else place
            if isinstance(base, int) and isinstance(size, int):
                self._memory[base] = (size, kind)

    def _see(self, kind: str, handle: int) -> None:
        known = self.living.setdefault(kind, [])
        if handle and handle not in known:
            known.append(handle)


def _asked(call: Call) -> tuple[object, ...]:
    """Return what a call asks for, but for where it wants the answers."""
    places = {address for address, _ in call.reads}
    own = [None if a in places else a for a in call.args]
    return (*own, *(content for address, content in call.writes if address not in places))
