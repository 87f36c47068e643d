"""A header that agrees with the small registry of the lint tests, and ways to differ from it."""

from __future__ import annotations

from pathlib import Path

HEADER = """\
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
typedef enum {
  HSA_STATUS_SUCCESS = 0x0,
  HSA_STATUS_ERROR = 0x1000,
} hsa_status_t;
typedef struct hsa_thing_s { uint64_t handle; } hsa_thing_t;
typedef struct { uint32_t small; uint64_t large; } hsa_pair_t;
typedef enum hsa_colour_s {
  HSA_COLOUR_RED = 0,
  HSA_COLOUR_BLUE = 1,
  HSA_COLOUR_LAST = HSA_COLOUR_BLUE
} hsa_colour_t;
/**
 * @retval ::HSA_STATUS_SUCCESS fine
 * @retval ::HSA_STATUS_ERROR not fine
 */
hsa_status_t hsa_do(uint32_t count);
/** @copydoc hsa_do */
hsa_status_t hsa_more(hsa_thing_t thing, const hsa_pair_t *pairs, uint32_t count,
                      hsa_status_t (*back)(void *data), hsa_thing_t *found, int number);
"""

#: Differences: what is replaced, by what, and how the only line about it goes on.
DIFFERENCES = [
    (
        "  HSA_COLOUR_RED = 0,",
        "  /** Red. The type of this attribute is ::uint64_t. */ HSA_COLOUR_RED = 0,",
        "hsa.h:10: HSA_COLOUR_RED: the stated type is uint64_t, in the registry uint32_t",
    ),
    (
        "  HSA_COLOUR_RED = 0,",
        "  /** Red. The value is only defined if it is a colour. */ HSA_COLOUR_RED = 0,",
        "hsa.h:10: HSA_COLOUR_RED: the text leaves the value open for some objects, "
        "the registry says otherwise",
    ),
    (
        "  HSA_COLOUR_BLUE = 1,",
        "  /** Blue. */ HSA_COLOUR_BLUE = 1,",
        "hsa.h:10: HSA_COLOUR_BLUE: the text leaves the value open for no object, "
        "the registry says otherwise",
    ),
    (
        "  HSA_COLOUR_RED = 0,",
        "  /* Red. Returns uint32_t[2] into value. */ HSA_COLOUR_RED = 0,",
        "hsa.h:10: HSA_COLOUR_RED: the stated type is uint32_t[2], in the registry uint32_t",
    ),
    (
        "hsa_status_t hsa_do(uint32_t count);",
        "",
        "hsa.h: hsa_do: not in the header, but the registry has it",
    ),
    (
        "hsa_status_t hsa_do(",
        "void hsa_do(",
        "hsa.h:19: hsa_do: the result has the type void, in the registry hsa_status_t",
    ),
    (
        "(uint32_t count);",
        "(uint64_t count);",
        "hsa.h:19: hsa_do: parameter 1 has the type uint64_t, in the registry uint32_t",
    ),
    (
        "const hsa_pair_t *pairs",
        "hsa_pair_t *pairs",
        "hsa.h:21: hsa_more: parameter 2 has the type hsa_pair_t*, "
        "in the registry const hsa_pair_t*",
    ),
    (
        "(uint32_t count);",
        "(uint32_t number);",
        "hsa.h:19: hsa_do: parameter 1 is named number, in the registry count",
    ),
    (
        "(uint32_t count);",
        "(uint32_t count, int more);",
        "hsa.h:19: hsa_do: the header has 2 parameters, in the registry 1",
    ),
    (
        "(*back)(void *data)",
        "(*back)(int data)",
        "hsa.h:21: hsa_more: parameter 4, hsa_call_t: parameter 1 has the type int, "
        "in the registry void*",
    ),
    (
        "(*back)(void *data)",
        "(*back)(void)",
        "hsa.h:21: hsa_more: parameter 4, hsa_call_t: the header has 0 parameters, "
        "in the registry 1",
    ),
    (
        "hsa_status_t (*back)(void *data)",
        "void *back",
        "hsa.h:21: hsa_more: parameter 4 has the type void*, in the registry callback:hsa_call_t",
    ),
    (
        "/** @copydoc hsa_do */",
        "/** @retval HSA_STATUS_SUCCESS fine */",
        "hsa.h:21: hsa_more: the registry lists HSA_STATUS_ERROR, the header does not",
    ),
    (
        "/** @copydoc hsa_do */",
        "/** @copydoc hsa_do\n @retval ::HSA_STATUS_ERROR_NEW new */",
        "hsa.h:22: hsa_more: the header lists HSA_STATUS_ERROR_NEW, the registry does not",
    ),
    (
        "  HSA_STATUS_ERROR = 0x1000,\n",
        "",
        "hsa.h:4: HSA_STATUS_ERROR: not in the header, but the registry has it",
    ),
    (
        "HSA_STATUS_ERROR = 0x1000",
        "HSA_STATUS_ERROR = 0x1001",
        "hsa.h:4: HSA_STATUS_ERROR: the value is 0x1001, in the registry 0x1000",
    ),
    (
        "HSA_COLOUR_LAST =",
        "HSA_COLOUR_NEW = 7, HSA_COLOUR_LAST =",
        "hsa.h:10: HSA_COLOUR_NEW: hsa_colour_t of the registry is without it",
    ),
    (
        "  HSA_STATUS_ERROR = 0x1000,\n} hsa_status_t;",
        "} hsa_status_t;\nenum { HSA_STATUS_ERROR = 0x1000, HSA_STATUS_ERROR_NEW };",
        "hsa.h:7: HSA_STATUS_ERROR_NEW: hsa_status_t of the registry is without it",
    ),
    (
        "hsa_colour_t;",
        "hsa_color_t;",
        "hsa.h: hsa_colour_t: not in the header, but the registry has it",
    ),
    (
        "typedef struct hsa_thing_s { uint64_t handle; } hsa_thing_t;",
        "typedef struct hsa_thing_s { uint64_t number; } hsa_thing_t;",
        "hsa.h:8: hsa_thing_t.handle: not in the header, but the registry has it",
    ),
    (
        "uint64_t large; }",
        "uint64_t large; bool more; }",
        "hsa.h:9: hsa_pair_t.more: the structure of the registry is without it",
    ),
    (
        "{ uint32_t small;",
        "{ int32_t small;",
        "hsa.h:9: hsa_pair_t.small: the type is int32_t, in the registry uint32_t",
    ),
    (
        "uint32_t small; uint64_t large;",
        "uint64_t large; uint32_t small;",
        "hsa.h:9: hsa_pair_t.small: the offset is 8, in the registry 0",
    ),
    (
        "typedef struct { uint32_t small; uint64_t large; }",
        "typedef struct __attribute__((aligned(16))) { uint32_t small; uint64_t large; }",
        "hsa.h:9: hsa_pair_t: the header has 16 bytes aligned to 16, the registry 16 aligned to 8",
    ),
]


def write_header(folder: Path, text: str = HEADER, name: str = "hsa.h") -> Path:
    """Write a header, and return its folder."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder
