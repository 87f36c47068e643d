"""Tables, callback types, typedefs, macros and unions of headers are held against the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import load
from hsa_spec.headers import compare, parse
from hsa_spec.headers.names import value_of
from hsa_spec.releases import Release
from tests.unit.spec.header_texts import write_header
from tests.unit.spec.registry_texts import write

pytest.importorskip("clang.cindex", reason="needs libclang: install the extra `headers`")
pytestmark = pytest.mark.usefixtures("cache")

TEXT = """\
function: hsa_do
header: hsa.h
summary: Do something.
result: void
---
function: hsa_undo
header: hsa.h
summary: Undo it.
result: void
---
table: hsa_doers_t
header: hsa.h
summary: All that is done.
members:
  - {name: hsa_do, function: hsa_do}
  - {name: hsa_undo, function: hsa_undo}
---
table: DoTable
header: hsa_api_trace.h
summary: What tools may replace.
version: true
members:
  - {name: hsa_do_fn, function: hsa_do}
  - {name: hsa_undo_fn, function: hsa_undo, since: {rocm: "6.0"}}
---
callback: hsa_call_t
header: hsa.h
summary: What is called.
result: void
params:
  - {name: data, type: void*}
---
typedef: hsa_number_t
header: hsa.h
summary: A number.
type: int64_t
---
macro: HSA_SHIFTED
header: hsa.h
summary: A flag.
value: 4
changes: [{since: {rocm: "6.0"}, before: 2, states: It moved.}]
---
struct: hsa_either_t
header: hsa.h
summary: A number, seen in two ways.
size: 8
alignment: 8
fields:
  - {name: first, type: uint32_t, offset: 0, size: 4}
  - {name: whole, type: uint64_t, offset: 0, size: 8}
"""
HEADER = """\
#include <stdint.h>
typedef enum { HSA_STATUS_SUCCESS = 0, HSA_STATUS_ERROR = 0x1000 } hsa_status_t;
void hsa_do(void);
void hsa_undo(void);
typedef struct { void (*hsa_do)(void); void (*hsa_undo)(void); } hsa_doers_t;
typedef void (*hsa_call_t)(void *data);
typedef int64_t hsa_number_t;
#define HSA_SHIFTED (1u << 2)
typedef struct { union { uint32_t first; uint64_t whole; }; } hsa_either_t;
"""
TRACE = """\
#include "hsa.h"
struct Version { unsigned part[4]; };
struct DoTable {
  Version version;
  decltype(hsa_do)* hsa_do_fn;
  decltype(hsa_undo)* hsa_undo_fn;
};
"""


def messages(
    folder: Path, header: str = HEADER, trace: str = TRACE, release: str = ""
) -> list[str]:
    headers = write_header(folder / "hsa", header)
    write_header(headers, trace, "hsa_api_trace.h")
    parsed = parse(headers)
    assert () == parsed.problems
    registry = load(write(folder / "registry", function=TEXT))
    return [str(d) for d in compare(registry, parsed, Release.parse(release)).differences]


def test_headers_that_agree(tmp_path: Path) -> None:
    """Where they say the same, nothing is reported."""
    assert [] == messages(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "void (*hsa_do)(void); void (*hsa_undo)(void);",
            "void (*hsa_undo)(void); void (*hsa_do)(void);",
            "hsa.h:5: hsa_doers_t: hsa_undo stands where the registry has hsa_do",
        ),
        (
            " } hsa_doers_t",
            " void (*hsa_more)(void); } hsa_doers_t",
            "hsa.h:5: hsa_doers_t.hsa_more: the table of the registry is without it",
        ),
        (
            "(void *data)",
            "(int data)",
            "hsa.h:6: hsa_call_t: parameter 1 has the type int, in the registry void*",
        ),
        (
            "typedef int64_t",
            "typedef int32_t",
            "hsa.h:7: hsa_number_t: the type is int32_t, in the registry int64_t",
        ),
        (
            "hsa_number_t;",
            "hsa_numeral_t;",
            "hsa.h: hsa_number_t: not in the header, but the registry has it",
        ),
        ("<< 2", "<< 3", "hsa.h:8: HSA_SHIFTED: the value is 8, in the registry 4"),
        (
            "uint32_t first;",
            "uint16_t first;",
            "hsa.h:9: hsa_either_t.first: the type is uint16_t, in the registry uint32_t",
        ),
    ],
)
def test_finds(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Each way to differ is one line."""
    assert 1 == HEADER.count(old)
    assert message in messages(tmp_path, HEADER.replace(old, new), release="6.0")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "decltype(hsa_do)* hsa_do_fn",
            "decltype(hsa_undo)* hsa_do_fn",
            "DoTable.hsa_do_fn: it is for hsa_undo, in the registry for hsa_do",
        ),
        (
            "  decltype(hsa_undo)* hsa_undo_fn;\n",
            "",
            "DoTable.hsa_undo_fn: not in the header, but the registry has it",
        ),
    ],
)
def test_finds_in_tables_of_tools(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Tables of the tools' interface say which function each member is for."""
    found = messages(tmp_path, trace=TRACE.replace(old, new), release="6.0")
    assert [f"hsa_api_trace.h:3: {message}"] == found


def test_a_constant_that_changed_has_the_value_of_its_release(tmp_path: Path) -> None:
    """A recorded change of a value is no difference, in the release where it holds."""
    older = HEADER.replace("<< 2", "<< 1")
    trace = TRACE.replace("  decltype(hsa_undo)* hsa_undo_fn;\n", "")
    assert [] == messages(tmp_path, older, trace, release="5.7")
    assert ["hsa.h:8: HSA_SHIFTED: the value is 2, in the registry 4"] == (
        messages(tmp_path, older, release="6.0")
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("0x10", 16),
        ("(0x10u)", 16),
        ("001003", 0o1003),
        ("(1u << 4)", 16),
        ("UINT32_MAX", "UINT32_MAX"),
        ("", ""),
    ],
)
def test_value_of_a_macro(text: str, value: int | str) -> None:
    """A macro is a number where its text is one."""
    assert value == value_of(text)
