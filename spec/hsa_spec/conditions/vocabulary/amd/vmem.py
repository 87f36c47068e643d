"""Words about virtual memory: reserved ranges, handles of memory, mappings, descriptors."""

from hsa_spec.conditions.vocabulary.amd.pools import all_reach
from hsa_spec.conditions.vocabulary.words import Term, around, fact, never_zero, place, thing, words
from hsa_spec.world import World


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


# A hsa_amd_memory_access_desc_t is two words: the permission in the low half of the first, then
# the agent's handle.
def _descriptors_agents_valid(world: World, descriptors: int, count: int) -> bool:
    agents = world.words(descriptors, 2 * count)[1::2]
    return all(world.find("agent", a) is not None for a in agents)


def _descriptors_agents_zero(world: World, descriptors: int, count: int) -> bool:
    return 0 in world.words(descriptors, 2 * count)[1::2]


def _descriptors_permissions_valid(world: World, descriptors: int, count: int) -> bool:
    return all(w & 0xFFFFFFFF <= 3 for w in world.words(descriptors, 2 * count)[0::2])


def _descriptors_reach(world: World, descriptors: int, count: int, address: int) -> bool:
    found = around(world, "mapping", address)
    agents = world.words(descriptors, 2 * count)[1::2]
    return found is not None and all_reach(world, agents, found.pool)


def _never_negative(number: int) -> bool | None:
    return False if number < 0 else None


WORDS = words(
    thing(
        "memory_handle",
        "a virtual-memory handle that the caller holds",
        size=("int", "the size of {0}"),
        references=("int", "the number of references to {0}"),
    ),
    place(
        "reservation",
        "the start of a reserved range",
        "the range reserved at {0}",
        address=("int", "the start of {0}"),
        size=("int", "the size of {0}"),
        mappings=("int", "the number of mappings in {0}"),
    ),
    Term(
        "is_reserved",
        ("address", "size"),
        "bool",
        _reserved,
        "the {1} bytes at {0} lie within one reserved range",
        "the {1} bytes at {0} do not lie within one reserved range",
    ),
    place(
        "mapping",
        "the start of a mapping",
        "the mapping at {0}",
        implies=(("is_mapped", True),),
        address=("int", "the start of {0}"),
        size=("int", "the size of {0}"),
        pool=("int", "the pool of {0}"),
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
        "descriptors_reach",
        ("descriptors", "count", "address"),
        "bool",
        _descriptors_reach,
        "each of the {1} agents in {0} can be given access to the memory at {2}",
        "some of the {1} agents in {0} can never access the memory at {2}",
    ),
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
