"""A registry in which nothing is wrong, and ways to break it that linting has to find."""

from __future__ import annotations

from tests.unit.spec.registry_texts import FUNCTION

MORE = """\
---
handle: hsa_thing_t
header: hsa.h
summary: A thing.
---
struct: hsa_pair_t
header: hsa.h
summary: Two numbers.
size: 16
alignment: 8
fields:
  - {name: small, type: uint32_t, offset: 0, size: 4}
  - {name: large, type: uint64_t, offset: 8, size: 8}
---
callback: hsa_call_t
header: hsa.h
summary: What is called.
result: hsa_status_t
params:
  - {name: data, type: void*}
---
enum: hsa_colour_t
header: hsa.h
summary: Colours.
enumerators:
  - {name: HSA_COLOUR_RED, value: 0, summary: Red.}
  - {name: HSA_COLOUR_BLUE, value: 1, summary: Blue.}
  - {name: HSA_COLOUR_LAST, value: 1, summary: The last one.}
---
attributes: hsa_colour_t
of: agent
asked_by: [hsa_more]
values:
  HSA_COLOUR_RED: {type: uint32_t, unit: bytes}
  HSA_COLOUR_BLUE:
    type: "hsa_pair_t[]"
    length: HSA_COLOUR_RED
    defined_for: [{HSA_COLOUR_RED: 3}]
    elsewhere: undefined
    unchecked: nobody knows what it says
---
function: hsa_more
summary: Do more.
params:
  - {name: thing, type: hsa_thing_t, role: handle}
  - {name: pairs, type: const hsa_pair_t*, role: array, length: count}
  - {name: count, type: uint32_t, role: count, unit: elements}
  - {name: back, type: callback:hsa_call_t, role: callback, nullable: true}
  - {name: found, type: hsa_thing_t*, direction: out, role: handle, nullable: true}
  - {name: number, type: int}
documented: [SUCCESS, ERROR]
clauses:
  not-initialized:
    when: [not initialized()]
    status: ERROR
  number-low:
    strength: may
    when: [initialized(), number < 0, thing != 0]
    status: [SUCCESS, ERROR]
    source: {param: number}
  nowhere:
    strength: undefined
    states: Nothing is said of dangling handles.
    untestable: recorded, never judged
    source: {header: hsa.h, function: hsa_do, text: details}
  success:
    when: [initialized(), number >= 0, count in hsa_colour_t]
    source: {header: hsa.h, field: hsa_pair_t.large}
  effect:
    states: The thing is found.
    source: {header: hsa.h, enumerator: HSA_COLOUR_RED}
"""
TEXT = FUNCTION + MORE


def contest(*readings: str) -> str:
    """Return the condition of hsa_do/count-zero, contested by these readings."""
    return "when: count == 0\n    contested:" + "".join(f"\n      - {r}" for r in readings)


#: Mistakes by the rule they break and their subject: what is replaced, by what, and the message.
MISTAKES = {
    ("one-success", "hsa_do"): [
        (
            "status: SUCCESS",
            "status: ERROR",
            "expected one clause hsa_do/success, which must answer HSA_STATUS_SUCCESS",
        ),
    ],
    ("one-success", "hsa_do/count-zero"): [
        (
            "status: ERROR",
            "status: SUCCESS",
            "hsa_do/success has to come before other clauses that only succeed",
        ),
    ],
    ("documented", "hsa_do"): [
        (
            "status: ERROR",
            "status: SUCCESS",
            "HSA_STATUS_ERROR is documented, and no clause answers it",
        ),
    ],
    ("documented", "hsa_do/count-zero"): [
        (
            "documented: [SUCCESS, ERROR]",
            "documented: [SUCCESS]",
            "HSA_STATUS_ERROR is not documented, so the clause needs a note, or is no must",
        ),
    ],
    ("first-atom", "hsa_do/count-zero"): [
        (
            "when: count == 0",
            "when: count == 0 and initialized()",
            "starts with initialized() or its opposite, not with count == 0",
        ),
    ],
    ("duplicate", "hsa_do/success"): [
        (
            "when: count == 0",
            "when: count > 0",
            "holds when count-zero does, answers otherwise, and neither is contested",
        ),
    ],
    ("duplicate", "hsa_more/number-low"): [
        (
            "when: [initialized(), number < 0, thing != 0]\n    status: [SUCCESS, ERROR]",
            "when: [not initialized()]\n    status: ERROR",
            "says what not-initialized says",
        ),
    ],
    ("condition", "hsa_do/count-zero"): [
        (
            "when: count == 0",
            "anytime: true\n    when: []",
            "a clause with a status and no condition never holds: say when",
        ),
        ("count == 0", "count == 0 and count == 0", "is there twice"),
        ("count == 0", "count < 5 and count >= 5", "contradicts another"),
        ("count == 0", "count < 5 and count > 9", "no value meets all"),
        ("count == 0", "count != 0 and count < 1", "no value meets all"),
        ("count == 0", "count < 0", "'count < 0' can never hold"),
        ("count == 0", "count >= 0", "'count >= 0' always holds"),
        ("count == 0", "count == 4294967296", "can never hold"),
        ("count == 0", "NULL == 0", "asks for nothing that can change"),
        ("count == 0", "1 + 1 == 2", "asks for nothing"),
    ],
    ("reason", "hsa_more/nowhere"): [
        ("untestable: recorded, never judged", "untestable: yes sir", "'unt"),
    ],
    ("contested", "hsa_do/count-zero"): [
        (
            "when: count == 0",
            contest("{retval: ERROR, status: ERROR}", "{retval: ERROR, status: SUCCESS}"),
            "'contested' cites one text twice",
        ),
        (
            "when: count == 0",
            contest("{retval: ERROR, status: ERROR}", "{text: brief, status: ERROR}"),
            "every reading in 'contested' gives the same answer",
        ),
        (
            "when: count == 0",
            contest("{retval: ERROR, status: ERROR}", "{text: brief, status: SUCCESS}"),
            "'status' of a contested clause follows from its readings: leave it out",
        ),
        (
            "when: count == 0",
            contest("{retval: ERROR, status: ERROR}", "{text: brief, states: It counts.}"),
            "a reading of a clause with a status has a status",
        ),
    ],
    ("reason", "hsa_more/number-low"): [
        (
            "strength: may",
            "strength: must",
            "success and errors are both right, and neither 'contested' nor a note says why",
        ),
    ],
    ("condition", "hsa_more/success"): [
        (
            "count in hsa_colour_t",
            "count in hsa_colour_t, count > 1",
            "no value meets all conditions",
        ),
        (
            "count in hsa_colour_t",
            "count not in hsa_colour_t, count <= 1",
            "no value meets all conditions",
        ),
    ],
    ("parameter", "hsa_more"): [
        ("length: count", "length: cuont", "pairs: its length 'cuont' is no"),
        ("role: array, length: count", "role: array", "pairs: an array names"),
        ("length: count", "length: count, named_by: hsa_colour_t", "names no values or"),
        ("number, type: int", "number, type: int, role: enum", "no enumeration names its values"),
        ("length: count", "length: number", "is no parameter with the role"),
        ("name: back", "name: thing", "two parameters share a name"),
        (
            "type: int}",
            "type: int, minimum: 5, maximum: 4}",
            "number: its minimum, 5, is above its maximum, 4",
        ),
        ("hsa_thing_t*, direction", "hsa_thing_t, direction", "found is an output, and"),
        ("callback:hsa_call_t,", "callback:hsa_c_t,", "there is no callback hsa_c_t"),
        ("type: callback:hsa_call_t", "type: void*", "go together"),
        ("hsa_thing_t, role", "uint64_t, role", "uint64_t is neither a handle"),
        ("type: int}", "type: long}", "number: 'long' is neither a C type"),
        ("const hsa_pair_t*", "const hsa_p_t*", "'hsa_p_t' is neither a C type"),
        ("type: int}", "type: int, kept: {text: details}}", "number: only memory that the call"),
        ("direction: out,", "direction: out, kept: {text: details},", "found: only memory that"),
    ],
    ("parameter", "hsa_call_t"): [
        ("type: void*", "type: void", "data: 'void' is neither a C type"),
        ("result: hsa_status_t", "result: hsa_s_t", "the result: 'hsa_s_t'"),
    ],
    ("layout", "hsa_pair_t"): [
        ("offset: 8, size: 8", "offset: 4, size: 8", "starts at multiples of 8"),
        ("offset: 8, size: 8", "offset: 0, size: 8", "large overlaps what comes"),
        ("offset: 8, size: 8", "offset: 16, size: 8", "ends at 24, behind the"),
        ("offset: 8, size: 8", "offset: 8, size: 4", "takes 8 bytes, not 4"),
        ("size: 16", "size: 20", "20 bytes are no multiple of the alignment, 8"),
        ("alignment: 8", "alignment: 4", "large asks for an alignment of 8"),
        ("large, type: uint64_t", "large, type: u64", "large: 'u64' is neither"),
    ],
    ("enumerator", "hsa_colour_t"): [
        ("BLUE, value: 1", "BLUE, value: 0", "has the value of HSA_COLOUR_RED"),
    ],
    ("attribute", "HSA_COLOUR_RED"): [
        ("{type: uint32_t, unit", "{type: u32, unit", "'u32' is neither a C type"),
        ("uint32_t, unit: bytes}", "uint32_t}", "a number needs a unit"),
        ("unit: bytes}", "unit: bytes, named_by: hsa_colour_t}", "a unit and names"),
        ("unit: bytes}", "named_by: hsa_color_t}", "there is no enum hsa_color_t"),
        ("asked_by: [hsa_more]\n", "", "no function reports or sets it"),
        ("asked_by: [hsa_more]", "asked_by: [hsa_less]", "there is no function hsa_less"),
        ("unit: bytes}", "unit: bytes, length: HSA_COLOUR_RED}", "without a number has a length"),
    ],
    ("attribute", "HSA_COLOUR_BLUE"): [
        ("    length: HSA_COLOUR_RED\n", "", "an array without a number has a length"),
        ("length: HSA_COLOUR_RED", "length: HSA_COLOUR_LAST", "is no attribute of the same"),
        ("    elsewhere: undefined\n", "", "says what happens elsewhere"),
        ("elsewhere: undefined", "elsewhere: ERROR_X", "there is no status HSA_STATUS_ERROR_X"),
        ("{HSA_COLOUR_RED: 3}", "{HSA_COLOUR_LAST: 3}", "HSA_COLOUR_LAST is no attribute"),
    ],
    ("attribute", "hsa_colour_t"): [
        (
            "  HSA_COLOUR_RED: {type: uint32_t, unit: bytes}\n",
            "",
            "HSA_COLOUR_RED of an info query has no attribute",
        ),
    ],
    ("strength", "hsa_more/effect"): [
        (
            "source: {header: hsa.h, enumerator: HSA_COLOUR_RED}",
            "source: {convention: failure}",
            "a convention is no text: `should`",
        ),
    ],
    ("source", "hsa_more"): [
        ("length: count", "length: count, kept: {param: pears}", "has no parameter pears"),
    ],
    ("source", "hsa_do/count-zero"): [
        (
            "when: count == 0",
            contest(
                "{retval: ERROR, status: ERROR}", "{function: hsa_d, text: brief, status: anything}"
            ),
            "the source names hsa_d, which the registry does not describe",
        ),
        (
            "when: count == 0",
            contest("{param: count, status: ERROR}", "{text: brief, status: anything}"),
            "it is no text of a reading",
        ),
    ],
    ("versions", "hsa_more"): [
        (
            "summary: Do more.",
            'summary: Do more.\nsince: {rocm: "6.0"}\nuntil: {rocm: "6.0"}',
            "hsa_more ends before it begins: since ROCm 6.0, before ROCm 6.0",
        ),
        (
            "summary: Do more.",
            'summary: Do more.\nsince: {amd_interface: "1.4"}\nuntil: {rocm: "5.6"}',
            "hsa_more ends before it begins",
        ),
        (
            "summary: Do more.",
            'summary: Do more.\nsince: {amd_interface: "1.10"}\nuntil: {amd_interface: "1.9"}',
            "hsa_more ends before it begins",
        ),
        (
            "summary: Do more.",
            'summary: Do more.\nsince: {hsa: "1.1"}\nuntil: {hsa: "1.1"}',
            "hsa_more ends before it begins: since HSA 1.1, before HSA 1.1",
        ),
    ],
    ("versions", "hsa_colour_t"): [
        (
            "BLUE, value: 1,",
            'BLUE, value: 1, since: {rocm: "6.2"}, until: {rocm: "5.7"},',
            "HSA_COLOUR_BLUE ends before it begins",
        ),
    ],
    ("versions", "hsa_do/count-zero"): [
        (
            "when: count == 0",
            'when: count == 0\n    until: {rocm: "5.7"}',
            "no clause of its kind says what holds when it ends: before ROCm 5.7",
        ),
        (
            "when: count == 0",
            'when: count == 0\n    since: {rocm: "6.0"}\n    until: {rocm: "5.7"}',
            "it ends before it begins: since ROCm 6.0, before ROCm 5.7",
        ),
        (
            "summary: Do something.\nparams:\n  - {name: count, type: uint32_t}\n"
            "documented: [SUCCESS, ERROR]\nwithout: [not-initialized, driver-refuses]\n"
            "clauses:\n  count-zero:\n",
            'summary: Do something.\nsince: {amd_interface: "1.4"}\n'
            "params:\n  - {name: count, type: uint32_t}\n"
            "documented: [SUCCESS, ERROR]\nwithout: [not-initialized, driver-refuses]\n"
            'clauses:\n  count-zero:\n    since: {rocm: "5.6"}\n',
            "it is there since ROCm 5.6, and hsa_do only since interface 1.4",
        ),
    ],
    ("versions", "hsa_more/effect"): [
        (
            "RED, value: 0,",
            'RED, value: 0, since: {rocm: "6.0"},',
            "it is older than HSA_COLOUR_RED, which is there since ROCm 6.0",
        ),
        (
            "RED, value: 0,",
            'RED, value: 0, since: {hsa: "1.1"},',
            "it is older than HSA_COLOUR_RED, which is there since HSA 1.1",
        ),
    ],
    ("kind", "hsa_more/number-low"): [
        (
            "thing != 0]",
            "is_agent(thing)]",
            "is_agent is about hsa_agent_t, and thing is hsa_thing_t",
        ),
    ],
    ("kind", "hsa_more/success"): [
        (
            "count, type: uint32_t, role: count",
            "count, type: hsa_status_t, role: count",
            "count is of hsa_status_t, not of hsa_colour_t",
        ),
    ],
    ("source", "hsa_more/nowhere"): [
        ("function: hsa_do, text", "function: hsa_d, text", "names hsa_d,"),
        ("{header: hsa.h, function", "{header: hsa_x.h, function", "not in hsa_x.h"),
    ],
    ("source", "hsa_more/number-low"): [
        ("param: number", "param: numbers", "has no parameter numbers"),
        ("param: number", "retval: XX", "not document HSA_STATUS_XX"),
    ],
    ("source", "hsa_more/success"): [
        ("field: hsa_pair_t.large", "field: hsa_pair_t.big", "no member hsa_pair_t.big"),
        ("{header: hsa.h, field", "{header: hsa_x.h, field", "not in hsa_x.h"),
    ],
    ("source", "hsa_more/effect"): [
        ("enumerator: HSA_COLOUR_RED", "enumerator: HSA_RED", "no enumerator HSA_RED"),
        ("{header: hsa.h, enumerator", "{header: hsa_x.h, enumerator", "not in hsa_x.h"),
    ],
}
