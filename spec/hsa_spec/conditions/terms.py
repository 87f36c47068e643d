"""The vocabulary of conditions: every term with its evaluator and its English.

The third face of a term, the generators that make it true or only just false, needs Hypothesis and
lives with the suite, under the same names; a test holds the two lists together.
"""

from __future__ import annotations

from collections.abc import Mapping

from hsa_spec.conditions.vocabulary import WORDS
from hsa_spec.conditions.vocabulary.words import Term, around, fact, never_zero
from hsa_spec.world import World

#: The parameters of terms that are words; all others are numbers.
TEXTS = frozenset({"resource", "feature"})

#: What can be asked of the things that look-ups find.
VIEWS: Mapping[str, Mapping[str, str]] = {
    **WORDS.views,
    "agent": {"device": "text"},
    "pool": {
        "allocatable": "bool",
        "granule": "int",
        "max_size": "int",
        "location": "text",
        "agent": "int",
    },
    "memory_handle": {"size": "int", "references": "int"},
    "reservation": {"address": "int", "size": "int", "mappings": "int"},
    "mapping": {"address": "int", "size": "int"},
    "allocation": {"address": "int", "size": "int", "pool": "int"},
}

#: How a view's attribute reads, with {0} for the thing.
ATTRIBUTES: Mapping[tuple[str, str], str] = {
    **WORDS.attributes,
    ("agent", "device"): "the device type of {0}",
    ("pool", "allocatable"): "{0} allows allocation",
    ("pool", "granule"): "the allocation granule of {0}",
    ("pool", "max_size"): "the largest allocation that {0} allows",
    ("pool", "location"): "the location of {0}",
    ("pool", "agent"): "the agent of {0}",
    ("memory_handle", "size"): "the size of {0}",
    ("memory_handle", "references"): "the number of references to {0}",
    ("reservation", "address"): "the start of {0}",
    ("reservation", "size"): "the size of {0}",
    ("reservation", "mappings"): "the number of mappings in {0}",
    ("mapping", "address"): "the start of {0}",
    ("mapping", "size"): "the size of {0}",
    ("allocation", "address"): "the start of {0}",
    ("allocation", "size"): "the size of {0}",
    ("allocation", "pool"): "the pool of {0}",
}


def _reserved(world: World, address: int, size: int) -> bool:
    found = around(world, "reservation", address)
    return found is not None and address + size <= found.address + found.size


def _fully_mapped(world: World, address: int, size: int) -> bool:
    end = address
    for mapping in world.overlapping("mapping", address, size):
        if mapping.address != end:
            return False
        end += mapping.size
    return address < end == address + size


def _agents_valid(world: World, agents: int, count: int) -> bool:
    return all(world.find("agent", a) is not None for a in world.words(agents, count))


def _agents_zero(world: World, agents: int, count: int) -> bool:
    return 0 in world.words(agents, count)


def _agents_reach(world: World, agents: int, count: int, pointer: int) -> bool:
    block = world.find("allocation", pointer)
    return block is not None and all(
        world.holds("reaches_pool", a, block.pool) for a in world.words(agents, count)
    )


# A hsa_amd_memory_access_desc_t is two words: the permission in the low half of the first, then
# the agent's handle.
def _descriptors_agents_valid(world: World, descriptors: int, count: int) -> bool:
    agents = world.words(descriptors, 2 * count)[1::2]
    return all(world.find("agent", a) is not None for a in agents)


def _descriptors_agents_zero(world: World, descriptors: int, count: int) -> bool:
    return 0 in world.words(descriptors, 2 * count)[1::2]


def _descriptors_permissions_valid(world: World, descriptors: int, count: int) -> bool:
    return all(w & 0xFFFFFFFF <= 3 for w in world.words(descriptors, 2 * count)[0::2])


# A hsa_amd_pointer_info_t starts with its own size, in 32 bits.
def _pointer_info_size(world: World, info: int) -> int | None:
    return world.words(info, 1)[0] & 0xFFFFFFFF if info else None


def _descriptors_reach(world: World, descriptors: int, count: int, address: int) -> bool:
    found = around(world, "mapping", address)
    agents = world.words(descriptors, 2 * count)[1::2]
    return found is not None and all(world.holds("reaches_pool", a, found.pool) for a in agents)


def _is_alignment(world: World, number: int) -> bool:
    return number == 0 or (number >= world.page_size and number & (number - 1) == 0)


#: The usual size of a page, which has to be told from others only on a machine that has it.
_PAGE = 4096


def _never_negative(number: int) -> bool | None:
    return False if number < 0 else None


def _by_name(*terms: Term) -> Mapping[str, Term]:
    return {t.name: t for t in terms}


TERMS: Mapping[str, Term] = _by_name(
    *WORDS.terms.values(),
    Term(
        "initialized",
        (),
        "bool",
        lambda w: w.references > 0,
        "the runtime is initialised",
        "the runtime is not initialised",
    ),
    Term(
        "references",
        (),
        "int",
        lambda w: w.references,
        "the reference count of the runtime",
    ),
    Term("page_size", (), "int", lambda w: w.page_size, "the page size", certain=lambda: _PAGE),
    Term(
        "exhausted",
        ("resource",),
        "bool",
        lambda w, resource: w.exhausted(resource),
        "the machine has run out of {0}",
        "the machine has {0} to spare",
    ),
    Term(
        "supports",
        ("feature",),
        "bool",
        lambda w, feature: w.supports(feature),
        "the machine supports {0}",
        "the machine does not support {0}",
    ),
    Term(
        "is_power_of_two",
        ("number",),
        "bool",
        lambda _, n: n > 0 and n & (n - 1) == 0,
        "{0} is a power of two",
        "{0} is not a power of two",
        lambda n: n > 0 and n & (n - 1) == 0,
    ),
    Term(
        "is_alignment",
        ("number",),
        "bool",
        _is_alignment,
        "{0} is zero or a power of two of at least a page",
        "{0} is neither zero nor a power of two of at least a page",
        lambda n: n == 0 or (n >= _PAGE and n & (n - 1) == 0),
    ),
    # handles
    Term(
        "is_agent",
        ("handle",),
        "bool",
        lambda w, h: w.find("agent", h) is not None,
        "{0} is an agent",
        "{0} is not an agent",
        never_zero,
    ),
    Term("agent", ("handle",), "agent", lambda w, h: w.find("agent", h), "{0}"),
    Term(
        "is_pool",
        ("handle",),
        "bool",
        lambda w, h: w.find("pool", h) is not None,
        "{0} is a memory pool",
        "{0} is not a memory pool",
        never_zero,
    ),
    Term("pool", ("handle",), "pool", lambda w, h: w.find("pool", h), "{0}"),
    Term(
        "is_memory_handle",
        ("handle",),
        "bool",
        lambda w, h: w.find("memory_handle", h) is not None,
        "{0} is a virtual-memory handle that the caller holds",
        "{0} is not a virtual-memory handle that the caller holds",
        never_zero,
    ),
    Term(
        "memory_handle",
        ("handle",),
        "memory_handle",
        lambda w, h: w.find("memory_handle", h),
        "{0}",
    ),
    # addresses
    Term(
        "is_reservation",
        ("address",),
        "bool",
        lambda w, a: w.find("reservation", a) is not None,
        "{0} is the start of a reserved range",
        "{0} is not the start of a reserved range",
        never_zero,
    ),
    Term(
        "reservation",
        ("address",),
        "reservation",
        lambda w, a: w.find("reservation", a),
        "the range reserved at {0}",
    ),
    Term(
        "is_reserved",
        ("address", "size"),
        "bool",
        _reserved,
        "the {1} bytes at {0} lie within one reserved range",
        "the {1} bytes at {0} do not lie within one reserved range",
    ),
    Term(
        "is_mapping",
        ("address",),
        "bool",
        lambda w, a: w.find("mapping", a) is not None,
        "{0} is the start of a mapping",
        "{0} is not the start of a mapping",
        never_zero,
        (("is_mapped", True),),
    ),
    Term(
        "mapping", ("address",), "mapping", lambda w, a: w.find("mapping", a), "the mapping at {0}"
    ),
    Term(
        "is_mapped",
        ("address",),
        "bool",
        lambda w, a: around(w, "mapping", a) is not None,
        "{0} lies in a mapping",
        "{0} lies in no mapping",
        never_zero,
    ),
    Term(
        "overlaps_mapping",
        ("address", "size"),
        "bool",
        lambda w, a, size: bool(w.overlapping("mapping", a, size)),
        "the {1} bytes at {0} overlap an existing mapping",
        "the {1} bytes at {0} overlap no existing mapping",
    ),
    Term(
        "fully_mapped",
        ("address", "size"),
        "bool",
        _fully_mapped,
        "the {1} bytes at {0} are one or more whole, adjacent mappings",
        "the {1} bytes at {0} are not a row of whole mappings",
    ),
    fact(
        "access_was_set",
        ("address", "agent"),
        "the permissions of {1} were set for the mapping at {0}",
        "the permissions of {1} were never set for the mapping at {0}",
    ),
    Term(
        "is_allocation",
        ("address",),
        "bool",
        lambda w, a: w.find("allocation", a) is not None,
        "{0} is a block from hsa_amd_memory_pool_allocate",
        "{0} is not a block from hsa_amd_memory_pool_allocate",
        never_zero,
    ),
    Term(
        "allocation",
        ("address",),
        "allocation",
        lambda w, a: w.find("allocation", a),
        "the block at {0}",
    ),
    # arrays in the caller's memory
    Term(
        "agents_valid",
        ("agents", "count"),
        "bool",
        _agents_valid,
        "all {1} elements of {0} are agents",
        "some of the {1} elements of {0} is not an agent",
        implies=(("agents_zero", False),),
    ),
    Term(
        "agents_zero",
        ("agents", "count"),
        "bool",
        _agents_zero,
        "some of the {1} elements of {0} is the zero handle",
        "none of the {1} elements of {0} is the zero handle",
    ),
    Term(
        "agents_reach",
        ("agents", "count", "pointer"),
        "bool",
        _agents_reach,
        "each of the {1} agents in {0} can be given access to the pool of {2}",
        "some of the {1} agents in {0} can never access the pool of {2}",
    ),
    Term(
        "descriptors_agents_valid",
        ("descriptors", "count"),
        "bool",
        _descriptors_agents_valid,
        "all {1} elements of {0} name agents",
        "some of the {1} elements of {0} names something that is not an agent",
        implies=(("descriptors_agents_zero", False),),
    ),
    Term(
        "descriptors_agents_zero",
        ("descriptors", "count"),
        "bool",
        _descriptors_agents_zero,
        "some of the {1} elements of {0} names the zero handle",
        "none of the {1} elements of {0} names the zero handle",
    ),
    Term(
        "descriptors_permissions_valid",
        ("descriptors", "count"),
        "bool",
        _descriptors_permissions_valid,
        "all {1} elements of {0} hold a hsa_access_permission_t",
        "some of the {1} elements of {0} holds no hsa_access_permission_t",
    ),
    Term(
        "pointer_info_size",
        ("info",),
        "int",
        _pointer_info_size,
        "the size member of {0}",
    ),
    Term(
        "descriptors_reach",
        ("descriptors", "count", "address"),
        "bool",
        _descriptors_reach,
        "each of the {1} agents in {0} can be given access to the memory at {2}",
        "some of the {1} agents in {0} can never access the memory at {2}",
    ),
    # file descriptors
    fact(
        "is_open",
        ("descriptor",),
        "{0} is an open file descriptor",
        "{0} is not an open file descriptor",
        _never_negative,
    ),
    fact(
        "is_shareable",
        ("descriptor",),
        "{0} is an open shareable handle",
        "{0} is not an open shareable handle",
        _never_negative,
    ),
)
