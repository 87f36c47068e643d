"""What a clause says by its name alone, where the name is one that many functions have.

| Slug | When | Status |
| --- | --- | --- |
| `not-initialized` | before `hsa_init` | contested: NOT_INITIALIZED, or anything |
| `P-null` | the parameter is NULL | INVALID_ARGUMENT, or that of the type's `invalid` |
| `P-zero` | the parameter is 0 | the same |
| `P-unknown-handle`, `P-invalid` | not zero, and not what the type's `invalid` wants | the same |
| `P-unknown` | no enumerator of the parameter's type | INVALID_ARGUMENT |
| `out-of-resources` | no memory is left, by fault injection | OUT_OF_RESOURCES |
| `success` | no other clause says otherwise | SUCCESS |
| `distinct` | an effect: no two objects that live have one handle | |
| `failure-creates-nothing` | an effect: a failed call creates nothing | |
| `nothing-kept` | an effect: what was made and given back, or asked, adds nothing up | |
| `driver-refuses` | an effect: a refusal of the driver is told; needs what `success` does | |
| `succeeds-later` | an effect: what was refused resources succeeds with them | |
| `threads` | an effect: threads may make calls at one time | |
| `same-answer` | an effect: other calls do not change what the call tells | |
| `order` | an effect: other accesses of memory are ordered as the function's name says | |

P is a parameter, with hyphens in its name. Handles that no call returned `should` be refused, even
where the status is listed: the specification leaves it to the implementation whether it looks. So
`should` 0, unless a text that binds the function reserves it, as `reserved` of the type says: hsa.h
binds all, another header its own functions. `readings.py` adds the text by which it need not look.
`source` is the list of statuses, and the parameter where the list lacks the status.

Calls before `hsa_init` are contested, whatever the function: its list, or without one the meaning
that hsa.h gives the status, answers NOT_INITIALIZED, and the text of hsa_init calls them undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hsa_spec.defaults.subject import Subject, is_pointer
from hsa_spec.defaults.success import OTHERWISE
from hsa_spec.model import ANYTHING

_ARGUMENT = "HSA_STATUS_ERROR_INVALID_ARGUMENT"
_NOT_INITIALIZED = "HSA_STATUS_ERROR_NOT_INITIALIZED"
_NO_LIST, _NOT_LISTED = "no list of statuses", "the list does not name it"
_FIXED: Mapping[str, Mapping[str, Any]] = {
    "out-of-resources": {
        "when": ['exhausted("memory")'],
        "status": "HSA_STATUS_ERROR_OUT_OF_RESOURCES",
        "needs": ["fault_injection"],
    },
    "success": {
        "when": [OTHERWISE],
        "status": "HSA_STATUS_SUCCESS",
        "strength": "must",
        "source": {
            "text": "brief",
            "note": "no list of statuses; success is what the name of the status says",
        },
    },
    "distinct": {
        "states": "Each call gives an object of its own, whose handle no other that lives has.",
        "strength": "should",
        "source": {"convention": "create"},
    },
    "failure-creates-nothing": {
        "states": "A failed call creates nothing.",
        "strength": "should",
        "source": {"convention": "failure"},
    },
    "driver-refuses": {
        "states": "A valid call during which the driver refuses something, as it may, succeeds in "
        "another way, or fails with an error that the function lists, OUT_OF_RESOURCES or ERROR. "
        "In both cases nothing of it is left once what it made is destroyed, the same call "
        "succeeds when nothing is refused, and the runtime goes on working. If it fails, all else "
        "is as it was.",
        "strength": "should",
        "source": {"convention": "refusal"},
        "needs": ["fault_injection"],
    },
    "same-answer": {
        "states": "While the runtime runs, and what is asked about lives, the call tells the same "
        "each time, in each byte that the text defines, whatever other calls were made meanwhile "
        "and whether they succeeded.",
        "strength": "should",
        "source": {"convention": "stable"},
    },
    "succeeds-later": {
        "states": "A call that failed because the driver refused something succeeds when it is "
        "made again and nothing is refused.",
        "strength": "should",
        "source": {
            "text": "brief",
            "note": "what the call is for; a lack of resources, or another error, is that call's",
        },
        "needs": ["fault_injection"],
    },
}


def body(slug: str, written: Mapping[str, Any], subject: Subject) -> Mapping[str, Any]:
    """Return what a clause says by its name: some of its keys, or none.

    The source is the one for a status that the list of the function lacks.

    Args:
        slug: its name.
        written: what its document says of it; the name of a parameter with a sentence of its own
            in `states` says nothing more.
        subject: its function.

    """
    if slug in _FIXED:
        return _FIXED[slug]
    if slug in _BY_FUNCTION:
        return _BY_FUNCTION[slug](subject)
    if slug == "order":
        return _order(written, subject)
    if "states" in written:
        return {}
    for end, rule in _BY_PARAMETER.items():
        if p := subject.param(slug, end):
            return rule(p, subject)
    return {}


def _not_initialized(subject: Subject) -> Mapping[str, Any]:
    listed = _NOT_INITIALIZED in subject.documented
    text = {"retval" if listed else "enumerator": _NOT_INITIALIZED}
    undefined = {"header": "hsa.h", "function": "hsa_init", "text": "details"}
    return {
        "when": ["not initialized()"],
        "contested": [{**text, "status": _NOT_INITIALIZED}, {**undefined, "status": ANYTHING}],
    }


def _nothing_kept(subject: Subject) -> Mapping[str, Any]:
    if any(p.get("ownership") == "consumes" for p in subject.params) or not subject.params:
        return {
            "states": "When objects are made and given back again and again, in equal rounds, what "
            "the process and the driver hold does not grow from round to round.",
            "strength": "should",
            "source": {"convention": "pair"},
        }
    return {
        "states": "When the same is asked again and again, whatever it is, what the process and "
        "the driver hold does not grow from time to time.",
        "strength": "should",
        "source": {"convention": "stable"},
    }


def _null(p: Mapping[str, Any], subject: Subject) -> Mapping[str, Any]:
    invalid = subject.invalid(p)
    return {
        "when": [f"{p['name']} == NULL"],
        "status": invalid.status if invalid else _ARGUMENT,
        "source": _param(p, subject, "a pointer that is needed"),
    }


def _zero(p: Mapping[str, Any], subject: Subject) -> Mapping[str, Any]:
    invalid = subject.invalid(p)
    said: dict[str, Any] = {"when": [f"{p['name']} == 0"]}
    if invalid is None:
        return {**said, "status": _ARGUMENT}
    if not subject.reserves_zero(p):
        said["strength"] = "should"
    source = _param(p, subject, "a handle of nothing")
    return {**said, "status": invalid.status, "source": source}


def _unknown_handle(p: Mapping[str, Any], subject: Subject) -> Mapping[str, Any]:
    invalid = subject.invalid(p)
    if invalid is None:
        return {}
    nothing = "NULL" if is_pointer(p) else "0"
    return {
        "when": [f"{p['name']} != {nothing}", f"not {invalid.unless}({p['name']})"],
        "status": invalid.status,
        "strength": "should",
        "source": {"param": p["name"]},
    }


def _no_enumerator(p: Mapping[str, Any], subject: Subject) -> Mapping[str, Any]:
    if p["type"] not in subject.facts.enums:
        return {}
    return {
        "when": [f"{p['name']} not in {p['type']}"],
        "status": _ARGUMENT,
        "source": {"param": p["name"]},
    }


def _param(p: Mapping[str, Any], subject: Subject, why: str) -> Mapping[str, str]:
    lack = _NOT_LISTED if subject.documented else _NO_LIST
    return {"param": p["name"], "note": f"{lack}; {why}"}


def _threads(subject: Subject) -> Mapping[str, Any]:
    silent = "" if subject.header == "hsa.h" else f", and {subject.header} says nothing of threads"
    return {
        "states": "What calls of several threads at one time answer and do is what they would in "
        "some order, one after the other.",
        "strength": "should",
        "source": {
            "specification": "2 HSA Core Programming Guide",
            "note": f"functions are thread-safe unless they say otherwise{silent}",
        },
    }


_ACQUIRES = (
    "Accesses of memory behind the call find what was done before its signal was given, by a "
    "releasing call, the value that the call saw."
)
_RELEASES = (
    "Who sees by an acquiring call what the call makes of its signal finds what was done before it."
)
_ORDERS: Mapping[str, str] = {
    "acquire": _ACQUIRES,
    "scacquire": _ACQUIRES,
    "release": _RELEASES,
    "screlease": _RELEASES,
    "acq_rel": f"{_ACQUIRES} {_RELEASES}",
    "scacq_screl": f"{_ACQUIRES} {_RELEASES}",
}


def _order(written: Mapping[str, Any], subject: Subject) -> Mapping[str, Any]:
    """Return what the end of a function's name says of order; a text that names the order binds."""
    source = {"source": {"text": "declaration", "note": "the name says it"}}
    named = next((s for end, s in _ORDERS.items() if subject.name.endswith(f"_{end}")), None)
    if named is None:
        return {
            **source,
            "states": "The call orders no other accesses of memory.",
            "strength": "may",
            "untestable": "a permission, which no behaviour can break",
        }
    strength = {} if "source" in written else {"strength": "should"}
    return {**source, **strength, "states": named}


_BY_FUNCTION: Mapping[str, Callable[[Subject], Mapping[str, Any]]] = {
    "not-initialized": _not_initialized,
    "nothing-kept": _nothing_kept,
    "threads": _threads,
}
_BY_PARAMETER: Mapping[str, Callable[[Mapping[str, Any], Subject], Mapping[str, Any]]] = {
    "-null": _null,
    "-zero": _zero,
    "-unknown-handle": _unknown_handle,
    "-invalid": _unknown_handle,
    "-unknown": _no_enumerator,
}
