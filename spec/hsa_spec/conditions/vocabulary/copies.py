"""Words about locked memory, copies, shared virtual memory and interoperation."""

from hsa_spec.conditions.vocabulary.words import Term, around, fact, member, words
from hsa_spec.world import World

#: The values of hsa_amd_svm_attribute_t that can be set, and those that can be asked for. The
#: texts contradict each other on asking for the prefetch location, which is in neither.
_SETTABLE = frozenset({0, 1, 2, 3, 4, 6, 7, 0x200, 0x201, 0x202})
_READABLE = frozenset({0, 1, 2, 3, 4, 6, 7, 0x203})
_PREFETCH_LOCATION = 5
#: From here on, the value of an attribute is the agent that it is about.
_OF_AGENTS = 0x200


def _dependencies_valid(world: World, count: int, signals: int) -> bool:
    """Tell whether an array of signals to wait for is one; no signals and no array is one too."""
    if not count or not signals:
        return not count and not signals
    return all(world.find("signal", s) is not None for s in world.words(signals, count))


def _agents_reach_pool(world: World, agents: int, count: int, pool: int) -> bool:
    return all(world.holds("reaches_pool", a, pool) for a in world.words(agents, count))


# A hsa_amd_svm_attribute_pair_t is two words: the attribute, then its value.
def _attributes(world: World, pairs: int, count: int) -> frozenset[int]:
    return frozenset(world.words(pairs, 2 * count)[0::2] if pairs else ())


def _attributes_repeated(world: World, pairs: int, count: int) -> bool:
    """Tell whether an attribute is there twice, or two attributes are for the same agent."""
    found = world.words(pairs, 2 * count) if pairs else ()
    subjects = [
        ("agent", value) if attribute >= _OF_AGENTS else ("attribute", attribute)
        for attribute, value in zip(found[0::2], found[1::2], strict=False)
    ]
    return len(set(subjects)) < len(subjects)


def _ranges_reserved(world: World, starts: int, sizes: int, count: int) -> bool:
    ranges = zip(world.words(starts, count), world.words(sizes, count), strict=False)
    for start, size in ranges:
        found = around(world, "reservation", start)
        if found is None or start + size > found.address + found.size:
            return False
    return True


WORDS = words(
    Term(
        "dependencies_valid",
        ("count", "signals"),
        "bool",
        _dependencies_valid,
        "{1} is an array of {0} live signals, or both are nothing",
        "{1} is not an array of {0} live signals",
        lambda count, signals: None if count and signals else not count and not signals,
    ),
    Term(
        "agents_reach_pool",
        ("agents", "count", "pool"),
        "bool",
        _agents_reach_pool,
        "each of the {1} agents in {0} can be given access to {2}",
        "some of the {1} agents in {0} can never access {2}",
    ),
    Term(
        "attributes_settable",
        ("attributes", "count"),
        "bool",
        lambda w, pairs, count: _attributes(w, pairs, count) <= _SETTABLE,
        "the {1} pairs at {0} have attributes that can be set",
        "some of the {1} pairs at {0} has no attribute that can be set",
    ),
    Term(
        "attributes_readable",
        ("attributes", "count"),
        "bool",
        lambda w, pairs, count: _attributes(w, pairs, count) <= _READABLE,
        "the {1} pairs at {0} have attributes that can be read",
        "some of the {1} pairs at {0} has no attribute that can be read",
    ),
    Term(
        "attributes_repeated",
        ("attributes", "count"),
        "bool",
        _attributes_repeated,
        "two of the {1} pairs at {0} are about the same attribute or the same agent",
        "no two of the {1} pairs at {0} are about the same attribute or the same agent",
    ),
    Term(
        "asks_prefetch_location",
        ("attributes", "count"),
        "bool",
        lambda w, pairs, count: _PREFETCH_LOCATION in _attributes(w, pairs, count),
        "one of the {1} pairs at {0} asks for the prefetch location",
        "none of the {1} pairs at {0} asks for the prefetch location",
    ),
    Term(
        "ranges_reserved",
        ("starts", "sizes", "count"),
        "bool",
        _ranges_reserved,
        "the {2} ranges that {0} and {1} describe lie within reserved ranges",
        "some of the {2} ranges that {0} and {1} describe lies within no reserved range",
    ),
    member("pitched_base", "pitched", 0, 8, "the base of {0}"),
    member("pitched_pitch", "pitched", 8, 8, "the pitch of {0}"),
    member("copy_version", "operation", 0, 2, "the version of {0}"),
    fact(
        "attribute_values_valid",
        ("attributes", "count"),
        "the {1} pairs at {0} have values that their attributes can have",
        "some of the {1} pairs at {0} has a value that its attribute cannot have",
    ),
    fact(
        "reaches",
        ("agent", "address", "size"),
        "{0} can access the {2} bytes at {1}",
        "{0} cannot access the {2} bytes at {1}",
    ),
    fact(
        "engine_exists",
        ("destination", "source", "engine"),
        "copies from {1} to {0} can use engine {2}",
        "copies from {1} to {0} cannot use engine {2}",
    ),
    fact(
        "extents_fit",
        ("destination", "source", "range"),
        "the extent at {2} lies within {0} and {1}",
        "the extent at {2} does not lie within {0} and {1}",
    ),
    fact(
        "copies_valid",
        ("operations", "count"),
        "the {1} elements of {0} describe copies",
        "some of the {1} elements of {0} describes no copy",
    ),
    fact(
        "is_locked",
        ("address",),
        "{0} is the start of a locked range",
        "{0} is not the start of a locked range",
    ),
    fact(
        "is_known_memory",
        ("address",),
        "{0} lies in memory that the runtime knows",
        "{0} does not lie in memory that the runtime knows",
    ),
    fact(
        "can_migrate",
        ("address", "pool"),
        "hsa_amd_memory_pool_can_migrate allows the block at {0} to move to {1}",
        "hsa_amd_memory_pool_can_migrate does not allow the block at {0} to move to {1}",
    ),
    fact(
        "can_export_buffer",
        ("agent", "handle"),
        "the handle {1} names a buffer that can be mapped for the agents at {0}",
        "the handle {1} names no buffer that can be mapped for the agents at {0}",
    ),
    fact(
        "is_interop_buffer",
        ("address",),
        "{0} is the start of a buffer from hsa_amd_interop_map_buffer",
        "{0} is not the start of a buffer from hsa_amd_interop_map_buffer",
    ),
    fact(
        "allows_retries",
        ("address",),
        "the machine lets a GPU retry faults, which pages at {0} need",
        "the machine does not let a GPU retry faults, which pages at {0} need",
    ),
    fact(
        "shares_addresses",
        ("address",),
        "the machine shares addresses such as {0} between host and GPUs",
        "the machine does not share addresses such as {0} between host and GPUs",
    ),
)
