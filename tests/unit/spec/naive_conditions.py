"""A second evaluator of conditions, which shares nothing with the package's but the world.

It walks Python's own syntax tree and raises where there is nothing to look at, so an atom holds
exactly when walking it ends with True.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.unit.spec.toy_world import ToyWorld

_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.In: lambda value, values: value in values,
    ast.NotIn: lambda value, values: value not in values,
}


class NothingThereError(Exception):
    """A look-up found nothing."""


def holds(
    text: str,
    world: ToyWorld,
    arguments: Mapping[str, int],
    constants: Mapping[str, int],
    enums: Mapping[str, frozenset[int]],
) -> bool:
    """Return whether an atom holds.

    Args:
        text: the atom.
        world: answers questions about state.
        arguments: the values of the parameters by name.
        constants: the values of enumerators by name.
        enums: the values of enumerations by name.

    """
    names: dict[str, frozenset[int] | int] = {"NULL": 0, **constants, **enums, **arguments}
    try:
        return _value(ast.parse(text, mode="eval").body, world, names) is True
    except (NothingThereError, ZeroDivisionError):
        return False


def _value(tree: ast.expr, world: ToyWorld, names: Mapping[str, frozenset[int] | int]) -> Any:
    match tree:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=ast.Not(), operand=of):
            return not _value(of, world, names)
        case ast.UnaryOp(op=ast.USub(), operand=of):
            return -_value(of, world, names)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_value(left, world, names), _value(right, world, names))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _OPERATORS[type(op)](_value(left, world, names), _value(right, world, names))
        case ast.Attribute(value=of, attr=name):
            return getattr(_value(of, world, names), name)
        case ast.Call(func=ast.Name(id=name), args=args):
            return _term(name, world, [_value(a, world, names) for a in args])
    raise AssertionError(ast.dump(tree))


def _there(found: Any) -> Any:
    if found is None:
        raise NothingThereError
    return found


def _term(name: str, world: ToyWorld, args: Any) -> Any:
    if name in _KINDS:
        return _there(world.find(name, *args))
    if name.removeprefix("is_") in _KINDS:
        return world.find(name.removeprefix("is_"), *args) is not None
    if name in ("supports", "exhausted"):
        return getattr(world, name)(*args)
    if name in _OTHERS:
        return _OTHERS[name](world, *args)
    return world.holds(name, *args)


_KINDS = frozenset(
    [
        "agent",
        "pool",
        "memory_handle",
        "reservation",
        "mapping",
        "allocation",
        "signal",
        "signal_group",
        "queue",
        "region",
        "region_block",
        "isa",
        "wavefront",
        "cache",
        "executable",
        "code_object_reader",
        "executable_symbol",
        "code_object",
        "code_symbol",
        "loaded_code_object",
        "external_semaphore",
        "image",
        "sampler",
        "code_object_writer",
        "counter_session",
        "program",
        "sampling_session",
    ]
)


def _every_signal(world: ToyWorld, handles: Sequence[int]) -> bool:
    return not [h for h in handles if world.find("signal", h) is None]


def _dependencies(world: ToyWorld, count: int, signals: int) -> bool:
    if 0 in (count, signals):
        return count == signals == 0
    return _every_signal(world, world.words(signals, count))


def _pairs(world: ToyWorld, address: int, count: int) -> list[tuple[int, int]]:
    words = list(world.words(address, 2 * count)) if address else []
    return [(words[i], words[i + 1]) for i in range(0, len(words) - 1, 2)]


def _kinds_of_pairs(world: ToyWorld, address: int, count: int) -> set[int]:
    words = list(world.words(address, 2 * count)) if address else []
    return {words[i] for i in range(0, len(words), 2)}


def _repeated(world: ToyWorld, address: int, count: int) -> bool:
    about = [f"agent {v}" if a >= 512 else f"{a}" for a, v in _pairs(world, address, count)]
    return any(about.count(one) > 1 for one in about)


def _all_reserved(world: ToyWorld, starts: int, sizes: int, count: int) -> bool:
    ranges = zip(world.words(starts, count), world.words(sizes, count), strict=False)
    return not [1 for a, n in ranges if not _within_reservation(world, a, n)]


def _field(words: Sequence[int], offset: int) -> int:
    return words[offset // 8] // 2 ** (8 * (offset % 8)) % 2**32


def _queue_described(words: Sequence[int]) -> bool:
    kind, size = _field(words, 4), _field(words, 8)
    if _field(words, 0) % 2**16 != 1 or _field(words, 12) > 2 or bin(size).count("1") != 1:
        return False
    last = {0: 60, 1: 44, 2: 40}.get(kind)
    if last is None or any(_field(words, o) for o in range(last, 96, 4)):
        return False
    return kind != 0 or (size % 64 == 0 and _field(words, 48) <= 2 and _field(words, 56) % 32 == 0)


def _queues_described(world: ToyWorld, address: int, count: int) -> bool:
    if 0 in (address, count):
        return False
    words = list(world.words(address, 12 * count))
    return all(_queue_described(words[i : i + 12]) for i in range(0, len(words), 12))


def _agents_or_none(world: ToyWorld, count: int, agents: int) -> bool:
    return count == 0 or (agents != 0 and _every_agent(world, world.words(agents, count)))


def _part(world: ToyWorld, address: int, word: int, bits: int) -> int:
    return _there(world.words(address + 8 * word, 1)[0] % 2**bits if address else None)


def _around(world: ToyWorld, kind: str, address: int) -> Any:
    return (*world.overlapping(kind, address, 1), None)[0]


def _row(world: ToyWorld, address: int, size: int) -> bool:
    """Return whether the mappings of these bytes follow on each other, from start to end."""
    row = world.overlapping("mapping", address, size)
    starts = [*(m.address for m in row), address + size]
    return bool(row) and starts == [address, *sorted(m.address + m.size for m in row)]


def _within_reservation(world: ToyWorld, address: int, size: int) -> bool:
    around = _around(world, "reservation", address)
    return bool(around) and around.address + around.size >= address + size


def _every_agent(world: ToyWorld, handles: Sequence[int]) -> bool:
    return not [h for h in handles if world.find("agent", h) is None]


def _reached(world: ToyWorld, handles: Sequence[int], thing: Any) -> bool:
    return bool(thing) and not [
        h for h in handles if not world.holds("reaches_pool", h, thing.pool)
    ]


def _agents_of(world: ToyWorld, descriptors: int, count: int) -> list[int]:
    words = list(world.words(descriptors, 2 * count))
    return [words[i] for i in range(1, len(words), 2)]


def _permissions_of(world: ToyWorld, descriptors: int, count: int) -> list[int]:
    words = list(world.words(descriptors, 2 * count))
    return [words[i] % 2**32 for i in range(0, len(words), 2)]


_OTHERS: dict[str, Callable[..., Any]] = {
    "initialized": lambda w: w.references >= 1,
    "references": lambda w: w.references,
    "page_size": lambda w: w.page_size,
    "is_power_of_two": lambda _, n: n > 0 and bin(n).count("1") == 1,
    "is_alignment": lambda w, n: n == 0 or (n >= w.page_size and bin(n).count("1") == 1),
    "is_reserved": _within_reservation,
    "is_mapped": lambda w, a: _around(w, "mapping", a) is not None,
    "overlaps_mapping": lambda w, a, n: w.overlapping("mapping", a, n) != [],
    "fully_mapped": _row,
    "agents_valid": lambda w, a, n: _every_agent(w, w.words(a, n)),
    "agents_zero": lambda w, a, n: w.words(a, n).count(0) > 0,
    "agents_reach": lambda w, a, n, p: _reached(w, w.words(a, n), w.find("allocation", p)),
    "descriptors_agents_valid": lambda w, d, n: _every_agent(w, _agents_of(w, d, n)),
    "descriptors_agents_zero": lambda w, d, n: 0 in _agents_of(w, d, n),
    "descriptors_permissions_valid": lambda w, d, n: set(_permissions_of(w, d, n)) <= {0, 1, 2, 3},
    "descriptors_reach": lambda w, d, n, a: _reached(
        w, _agents_of(w, d, n), _around(w, "mapping", a)
    ),
    "pointer_info_size": lambda w, i: _there(w.words(i, 1)[0] % 2**32 if i else None),
    "signals_valid": lambda w, s, n: _every_signal(w, w.words(s, n)),
    "dependencies_valid": _dependencies,
    "agents_reach_pool": lambda w, a, n, p: (
        not [h for h in w.words(a, n) if not w.holds("reaches_pool", h, p)]
    ),
    "attributes_settable": lambda w, a, n: (
        not _kinds_of_pairs(w, a, n) - {0, 1, 2, 3, 4, 6, 7, 512, 513, 514}
    ),
    "attributes_readable": lambda w, a, n: (
        not _kinds_of_pairs(w, a, n) - {0, 1, 2, 3, 4, 6, 7, 515}
    ),
    "attributes_repeated": _repeated,
    "asks_prefetch_location": lambda w, a, n: 5 in _kinds_of_pairs(w, a, n),
    "ranges_reserved": _all_reserved,
    "queue_descriptors_valid": _queues_described,
    "pitched_base": lambda w, p: _part(w, p, 0, 64),
    "pitched_pitch": lambda w, p: _part(w, p, 1, 64),
    "copy_version": lambda w, o: _part(w, o, 0, 16),
    "are_apart": lambda _, a, b, size: a + size <= b or b + size <= a,
    "signals_distinct": lambda w, s, n: (
        not s or sorted(set(w.words(s, n))) == sorted(w.words(s, n))
    ),
    "agents_distinct": lambda w, a, n: not a or sorted(set(w.words(a, n))) == sorted(w.words(a, n)),
    "agents_listed": _agents_or_none,
    "queue_descriptor_version": lambda w, d: _part(w, d, 0, 16),
    "number_at": lambda w, a: _part(w, a, 0, 64),
    "points_to_agent": lambda w, a: a != 0 and _every_agent(w, w.words(a, 1)),
    "semaphore_handle_type": lambda w, d: _part(w, d, 0, 32),
    "semaphore_os_handle": lambda w, d: _part(w, d, 1, 64),
}
