"""Lists of attributes of shared virtual memory, and memory that can be shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures, NotOnMachine
from hsa_conformance.engine.generation.generators import Generators, spoilt
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.svm.state import OF_AGENTS, PREFERRED_LOCATION
from hsa_conformance.topics.amd.vmem.fixtures import reserve
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.shared.signals import learn_frequency

SET: Final = "hsa_amd_svm_attributes_set"

#: How an agent can access a range; what is set, and what is answered.
ACCESS: Final = ("AGENT_ACCESSIBLE", "AGENT_ACCESSIBLE_IN_PLACE", "AGENT_NO_ACCESS")
#: Values that an attribute can have which is neither an agent nor a place.
PLAIN: Final[Mapping[str, Sequence[int]]] = {
    "GLOBAL_FLAG": (0, 1),
    "READ_ONLY": (0, 1),
    "HIVE_LOCAL": (0, 1),
    "MIGRATION_GRANULARITY": range(19),
    "READ_MOSTLY": (0, 1),
    "GPU_EXEC": (0, 1),
}

Pair = tuple[int, int]


def discover(fixtures: Fixtures) -> None:
    """Ask the machine once whether host and GPUs can share addresses, and GPUs retry faults.

    The rate of the timestamp says how long a prefetch is waited for.
    """
    session = fixtures.session
    learn_frequency(fixtures)
    for kind, name in (("sharing", "SVM_SUPPORTED"), ("retries", "XNACK_ENABLED")):
        if session.model.find(kind) is None:
            session.model.add(kind, thing=_says(session, f"HSA_AMD_SYSTEM_INFO_{name}"))


def _says(session: Session, attribute: str) -> bool:
    """Return whether the system says so; one that does not know the question does not."""
    if not session.offered_api.has_attribute(attribute):
        return False
    number = session.registry.constants[attribute]
    with session.learning():
        answer = session.call("hsa_system_get_info", attribute=number, value=Out())
    return answer.ok and bool(answer.number("value"))


def attribute(fixtures: Fixtures, name: str) -> int:
    """Return the number of an attribute."""
    return fixtures.session.registry.constants[f"HSA_AMD_SVM_ATTRIB_{name}"]


def known(fixtures: Fixtures) -> list[str]:
    """Return the names of the plain attributes that the release has."""
    enum = fixtures.session.registry.enums["hsa_amd_svm_attribute_t"]
    release = fixtures.session.release
    present = {e.name for e in enum.enumerators if release.has(e.versions) is True}
    return [name for name in PLAIN if f"HSA_AMD_SVM_ATTRIB_{name}" in present]


def pair_list(pairs: Sequence[Pair]) -> Data:
    """Return an array of hsa_amd_svm_attribute_pair_t."""
    content = b"".join(int(n).to_bytes(8, "little") for pair in pairs for n in pair)
    words = ", ".join(f"{{{a:#x}, {v}}}" for a, v in pairs)
    return Data(content, f"[{words}]", {16 * i + 8: v for i, (_, v) in enumerate(pairs)})


def _put(b: Builder, array: str, count: str, pairs: Sequence[Pair]) -> None:
    b.values[array] = b.session.lay_out(pair_list(pairs))
    b.values[count] = len(pairs)


def _some(b: Builder, count: int = 2) -> list[Pair]:
    names = b.draw(drawing.permutations(known(b)))[:count]
    return [(attribute(b, n), b.draw(drawing.sampled_from(PLAIN[n]))) for n in names]


def _good(b: Builder, array: str, count: str) -> None:
    location = (PREFERRED_LOCATION, b.choose([0, *(a.handle for a in known_agents(b))]))
    _put(b, array, count, [*_some(b, b.elements(array, 1 + len(known(b))) - 1), location])


def _spoil(b: Builder, array: str, count: str, bad: Pair) -> None:
    _put(b, array, count, spoilt(b, _some(b), bad))


def _not_settable(b: Builder, array: str, count: str) -> None:
    query = attribute(b, "ACCESS_QUERY")
    bad = b.choose([(0x6EEEEEEE, 0), (0x1000, 0), (query, some_gpu(b).handle)])
    _spoil(b, array, count, bad)


def _not_readable(b: Builder, array: str, count: str) -> None:
    set_only = [(attribute(b, name), some_gpu(b).handle) for name in ACCESS]
    _spoil(b, array, count, b.choose([(0x6EEEEEEE, 0), (0x1000, 0), *set_only]))


def _bad_value(b: Builder, array: str, count: str) -> None:
    agent = b.choose([b.readable(), 0])
    if b.function.name == SET:
        flag = attribute(b, "GLOBAL_FLAG")
        bad = b.choose(
            [
                (attribute(b, "AGENT_ACCESSIBLE"), agent),
                (flag, b.choose([2, 3, 0x7FFFFFFF])),
                (PREFERRED_LOCATION, b.readable()),
            ]
        )
        pairs = [p for p in _some(b) if p[0] != flag]
        _put(b, array, count, spoilt(b, pairs, bad))
    else:
        _spoil(b, array, count, (attribute(b, "ACCESS_QUERY"), agent))


def _repeated(b: Builder, array: str, count: str) -> None:
    name = b.choose(known(b))
    number = attribute(b, name)
    twice = [(number, b.draw(drawing.sampled_from(PLAIN[name]))) for _ in range(2)]
    gpu = some_gpu(b).handle
    access = [(OF_AGENTS, gpu), (OF_AGENTS + 1, gpu)]
    _put(b, array, count, b.choose([twice, access]))


def _asking(b: Builder, array: str, count: str) -> None:
    _spoil(b, array, count, (attribute(b, "PREFETCH_LOCATION"), 0))


def _shared(b: Builder, x: str) -> None:
    discover(b)
    if not b.session.model.find("sharing"):
        raise NotOnMachine("host and GPUs do not share addresses on the machine")
    b.values[x] = b.readable()


def _not_shared(b: Builder, _: str) -> None:
    discover(b)
    if b.session.model.find("sharing"):
        raise NotOnMachine("host and GPUs share all addresses on the machine")


def _retrying(b: Builder, _: str) -> None:
    discover(b)
    if not b.session.model.find("retries"):
        raise NotOnMachine("GPUs do not retry faults on the machine")


def _not_retrying(b: Builder, _: str) -> None:
    discover(b)
    if b.session.model.find("retries"):
        raise NotOnMachine("GPUs retry faults on the machine")


def _put_ranges(b: Builder, starts: str, sizes: str, count: str, ranges: Sequence[Pair]) -> None:
    for name, column in ((starts, 0), (sizes, 1)):
        b.values[name] = b.session.lay_out(handle_array([r[column] for r in ranges]))
    b.values[count] = len(ranges)


def _reserved(b: Builder, starts: str, sizes: str, count: str) -> None:
    size = b.granule()
    found = [reserve(b, size) for _ in range(b.elements(starts))]
    _put_ranges(b, starts, sizes, count, [(r.address, size) for r in found])


def _not_reserved(b: Builder, starts: str, sizes: str, count: str) -> None:
    _put_ranges(b, starts, sizes, count, [(b.readable(), b.session.model.page_size)])


GENERATORS: Mapping[str, Generators] = {
    "attributes_settable": Generators(_good, _not_settable),
    "attributes_readable": Generators(_good, _not_readable),
    "attributes_repeated": Generators(_repeated, _good),
    "attribute_values_valid": Generators(_good, _bad_value),
    "asks_prefetch_location": Generators(_asking, _good),
    "shares_addresses": Generators(_shared, _not_shared),
    "allows_retries": Generators(_retrying, _not_retrying),
    "ranges_reserved": Generators(_reserved, _not_reserved),
}
