"""Commands that show the specification."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from difflib import get_close_matches
from typing import TYPE_CHECKING

from hsa_conformance.cli.errors import CommandError

if TYPE_CHECKING:
    from hsa_spec import Clause, Function, Registry, Rule


def execute_list(options: argparse.Namespace) -> int:
    """Carry `spec list` out."""
    from hsa_spec import as_json, load

    registry = load()
    if options.topic is not None and options.topic not in registry.topics:
        raise CommandError(
            f"{options.topic!r} is no topic; the topics are {', '.join(registry.topics)}"
        )
    functions = [f for f in registry.functions.values() if options.topic in (None, f.topic)]
    rules = () if options.topic else tuple(registry.rules.values())
    if options.json:
        print(json.dumps([as_json(subject) for subject in [*functions, *rules]], indent=2))
        return 0
    for function in functions:
        _say(f"{function.name:<42} {function.topic:<23} {len(function.clauses):>3} clauses")
    for rule in rules:
        _say(f"{rule.name:<42} {'rule':<23} {len(rule.clauses):>3} clauses")
    return 0


def execute_show(options: argparse.Namespace) -> int:
    """Carry `spec show` out."""
    from hsa_spec import as_json, load

    registry, name = load(), options.name
    found: object = registry.find(name)
    if found is None and name in registry.enumerators:
        _, found = registry.enumerators[name]
    if found is not None and options.json:
        print(json.dumps(as_json(found), indent=2))
    elif found is not None and options.yaml:
        print(_in_full(name), end="")
    elif name in registry.functions:
        _show_function(registry.functions[name], registry)
    elif name in registry.clauses:
        _show_clause(registry.clauses[name], registry)
    elif name in registry.rules:
        _show_rule(registry.rules[name], registry)
    else:
        _say(*_lines(registry, name))
    return 0


def execute_terms(options: argparse.Namespace) -> int:
    """Carry `spec terms` out."""
    from hsa_spec.conditions.vocabulary import TERMS
    from hsa_spec.terms import reading, signature

    for term in sorted(TERMS.values(), key=lambda term: term.name):
        _say(signature(term), f"    {reading(term)}")
    return 0


def execute_diff(options: argparse.Namespace) -> int:
    """Carry `spec diff` out."""
    from hsa_spec import load
    from hsa_spec.diff import diff, lines, release

    try:
        old, new = release(options.old), release(options.new)
    except ValueError as error:
        raise CommandError(str(error)) from None
    changes = diff(load(), old, new)
    if options.json:
        print(json.dumps([asdict(change) for change in changes], indent=2))
    else:
        _say(*lines(changes))
    return 0


def execute_sets(options: argparse.Namespace) -> int:
    """Carry `spec sets` out."""
    from hsa_spec import load, named_sets

    sets = named_sets(load())
    if options.name is None:
        for found in sets.values():
            _say(f"{found.name:<16} {len(found.functions):>3} functions  {found.summary}")
        return 0
    if options.name not in sets:
        raise CommandError(f"there is no set {options.name!r}; the sets are {', '.join(sets)}")
    print("\n".join(sorted(sets[options.name].functions)))
    return 0


def _in_full(name: str) -> str | None:
    from hsa_spec.full_documents import in_full

    return in_full(name.partition("/")[0])


def _say(*lines: str) -> None:
    """Print lines, broken between words where they are too long."""
    from hsa_reports.text import wrapped

    for line in lines:
        print("\n".join(wrapped(part) for part in line.split("\n")))


def _show_function(function: Function, registry: Registry) -> None:
    params = ", ".join(f"{p.type} {p.name}" for p in function.params)
    _say(f"{function.result} {function.name}({params})")
    _say("", function.summary, "", f"{function.header}, topic {function.topic}")
    for parameter in function.params:
        facts = [parameter.direction, parameter.unit, "may be NULL" if parameter.nullable else ""]
        _say(f"  {parameter.name}: {', '.join(f for f in facts if f)}")
    for clause in function.clauses:
        print()
        _show_clause(clause, registry)


def _show_clause(clause: Clause, registry: Registry) -> None:
    from hsa_spec import describe
    from hsa_spec.deciding import decider_of_all

    _say(f"{clause.id} [{clause.strength}, decided by the {decider_of_all(registry, clause)}]")
    _say(f"  {describe(clause)}")
    _say(f"  source: {clause.source}")
    for reading in clause.contested:
        _say(f"  contested: {reading}")
    if clause.untestable:
        _say(f"  not tested: {clause.untestable}")
    if clause.needs:
        _say(f"  needs: {', '.join(clause.needs)}")


def _show_rule(rule: Rule, registry: Registry) -> None:
    from hsa_spec import rule_text, terms
    from hsa_spec.conditions.vocabulary import TERMS

    _say(*rule_text.lines(rule))
    if rule.name in TERMS:
        print()
        _say(*terms.lines(TERMS[rule.name], registry))


def _lines(registry: Registry, name: str) -> list[str]:
    """Return what is said of a type, a constant or a term."""
    from hsa_spec import declared_text, terms
    from hsa_spec.conditions.vocabulary import TERMS

    if name in registry.enumerators:
        return declared_text.enumerator_lines(*registry.enumerators[name], registry)
    if name in registry.types:
        return declared_text.lines(registry.types[name], registry)
    if name in TERMS:
        return terms.lines(TERMS[name], registry)
    raise CommandError(_unknown(registry, name))


def _unknown(registry: Registry, name: str) -> str:
    from hsa_spec.conditions.vocabulary import TERMS

    names = [*registry.functions, *registry.clauses, *registry.rules, *registry.types]
    names += [*registry.enumerators, *TERMS]
    near = get_close_matches(name, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `hsa-conformance spec list`"
    return f"{name!r} is no function, clause, rule, type, constant or term; {hint}"
