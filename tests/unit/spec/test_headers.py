"""C headers are read with libclang, and every way to differ from the registry is found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hsa_spec import Registry, load
from hsa_spec.headers import Comparison, HeaderError, compare, parse
from hsa_spec.releases import Release
from tests.unit.spec.header_texts import DIFFERENCES, HEADER, write_header
from tests.unit.spec.lint_mistakes import TEXT
from tests.unit.spec.registry_texts import write

pytest.importorskip("clang.cindex", reason="needs libclang: install the extra `headers`")

INSTALLED = Path("/usr/include/hsa")

pytestmark = pytest.mark.usefixtures("cache")


def compared(folder: Path, header: str = HEADER, text: str = TEXT, release: str = "") -> Comparison:
    registry = load(write(folder / "registry", function=text))
    headers = parse(write_header(folder / "hsa", header))
    assert () == headers.problems
    return compare(registry, headers, Release.parse(release))


def messages(comparison: Comparison) -> list[str]:
    return [str(difference) for difference in comparison.differences]


def replaced(text: str, old: str, new: str) -> str:
    assert 1 == text.count(old)
    return text.replace(old, new)


def test_header_that_agrees(tmp_path: Path) -> None:
    """Where header and registry say the same, nothing is reported."""
    done = compared(tmp_path)
    assert [] == messages(done)
    assert [(2, 2), (2, 2), (2, 2)] == [done.compared[k] for k in ("functions", "enums", "structs")]


@pytest.mark.parametrize(("old", "new", "message"), DIFFERENCES)
def test_finds(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Each way to differ is one line that starts with the header and its line."""
    assert message in messages(compared(tmp_path, replaced(HEADER, old, new)))


@pytest.mark.parametrize(
    "comment",
    [
        "The type of this attribute is uint32_t, a number.",
        "The type of this attribute is character array with the length that another has.",
        "Returns true if it is red.",
        "Red.",
    ],
)
def test_a_comment_that_states_no_other_type_agrees(tmp_path: Path, comment: str) -> None:
    """Ordinary words are no types."""
    enumerator = "HSA_COLOUR_RED = 0,"
    header = replaced(HEADER, enumerator, f"/** {comment} */ {enumerator}")
    assert [] == [m for m in messages(compared(tmp_path, header)) if "stated type" in m]


@pytest.mark.parametrize(
    "declaration",
    [
        "enum hsa_new { HSA_NEW_ONE };",
        "struct hsa_new { int a; };",
        "typedef union { int a; float b; } hsa_new;",
        "void hsa_new(void);",
        "typedef void (*hsa_new)(int);",
        "typedef uint32_t hsa_new;",
        "typedef struct { void (*hsa_a)(void); void (*hsa_b)(void); } hsa_new;",
        "#define hsa_new 1",
    ],
)
def test_what_only_the_header_has_is_a_difference(tmp_path: Path, declaration: str) -> None:
    """Nothing that a header of the API declares may be missing in the registry."""
    done = compared(tmp_path, f"{HEADER}{declaration}\n")
    line = len(HEADER.splitlines()) + 1
    assert [f"hsa.h:{line}: hsa_new: in the header, but not in the registry"] == messages(done)


def test_enumeration_without_a_name_that_only_the_header_has(tmp_path: Path) -> None:
    """It is named by its first enumerator."""
    done = compared(tmp_path, HEADER + "enum { HSA_NEW_ONE, HSA_NEW_TWO };\n")
    (message,) = messages(done)
    assert "HSA_NEW_ONE: in the header, but not in the registry" in message


@pytest.mark.parametrize(
    "declaration", ["#define HSA_GUARD", "void helper(void);", "typedef int number_t;"]
)
def test_what_is_not_the_api_does_not_count(tmp_path: Path, declaration: str) -> None:
    """Include guards and names that are not the API's need no entry."""
    assert [] == messages(compared(tmp_path, f"{HEADER}{declaration}\n"))


def test_headers_of_the_implementation_need_no_entry(tmp_path: Path) -> None:
    """Of amd_hsa_*.h, the registry holds what it wants."""
    folder = write_header(tmp_path / "hsa")
    write_header(folder, "typedef struct { int a; } amd_hsa_inside_t;\n", "amd_hsa_inside.h")
    registry = load(write(tmp_path / "registry", function=TEXT))
    assert [] == messages(compare(registry, parse(folder), Release()))


def test_enumeration_without_a_name(tmp_path: Path) -> None:
    """An enumeration that has no name in the header is known by its enumerators."""
    header = HEADER.replace("enum hsa_colour_s", "enum").replace("} hsa_colour_t;", "};")
    done = compared(
        tmp_path, replaced(header, "typedef enum {\n  HSA_COLOUR", "enum {\n  HSA_COLOUR")
    )
    assert [] == messages(done)
    assert (2, 2) == done.compared["enums"]


def test_declared_in_another_header(tmp_path: Path) -> None:
    """A function has to be in the header that the registry names."""
    declaration = "hsa_status_t hsa_do(uint32_t count);\n"
    comment = "/** @retval HSA_STATUS_SUCCESS\n    @retval HSA_STATUS_ERROR */\n"
    folder = write_header(tmp_path / "hsa", replaced(HEADER, declaration, ""))
    write_header(folder, f'#include "hsa.h"\n{comment}{declaration}', "hsa_two.h")
    registry = load(write(tmp_path / "registry", function=TEXT))
    done = compare(registry, parse(folder), Release())
    assert ["hsa_two.h:4: hsa_do: declared here, not in hsa.h"] == [
        message for message in messages(done) if "hsa_do" in message
    ]


def test_plain_comment_lists_statuses_too(tmp_path: Path) -> None:
    """A list of statuses counts wherever the comment before the function has it."""
    assert [] == messages(compared(tmp_path, HEADER.replace("/**", "/*")))


@pytest.mark.parametrize(
    ("bound", "release", "there", "wrong"),
    [
        ('since: {rocm: "6.0"}', "", False, None),
        ('since: {rocm: "6.0"}', "", True, None),
        ('since: {rocm: "6.0"}', "5.7", False, None),
        ('since: {rocm: "6.0"}', "5.7", True, "this release is without it"),
        ('since: {rocm: "6.0"}', "6.0.2", False, "the registry has it"),
        ('since: {rocm: "6.0"}', "6.0.2", True, None),
        ('until: {rocm: "6.0"}', "", False, None),
        ('until: {rocm: "6.0"}', "5.7", False, "the registry has it"),
        ('until: {rocm: "6.0"}', "6.0", False, None),
    ],
)
def test_versions_say_what_has_to_be_there(
    tmp_path: Path, bound: str, release: str, there: bool, wrong: str | None
) -> None:
    """What has versions may be absent, unless the release is known to have it."""
    text = replaced(TEXT, "function: hsa_more\n", f"function: hsa_more\n{bound}\n")
    header = HEADER if there else HEADER[: HEADER.index("/** @copydoc")]
    found = messages(compared(tmp_path, header, text, release))
    assert [] == found if wrong is None else [wrong in message for message in found] == [True]


def test_types_are_as_old_as_what_uses_them(tmp_path: Path) -> None:
    """A structure may be absent where the functions and attributes that use it are."""
    text = replaced(TEXT, "function: hsa_more\n", 'function: hsa_more\nsince: {rocm: "6.0"}\n')
    handle = "typedef struct hsa_thing_s { uint64_t handle; } hsa_thing_t;"
    header = replaced(HEADER[: HEADER.index("/** @copydoc")], handle, "")
    assert [] == messages(compared(tmp_path, header, text, "5.7"))
    found = messages(compared(tmp_path, header, text, "6.1"))
    assert {"hsa_thing_t", "hsa_more"} == {message.split(": ")[1] for message in found}


def test_enumerators_have_versions(tmp_path: Path) -> None:
    """An enumerator may be absent, or has to be, by its versions."""
    red = "{name: HSA_COLOUR_RED, value: 0,"
    text = replaced(TEXT, red, f'{red} since: {{rocm: "6.0"}},')
    header = replaced(HEADER, "  HSA_COLOUR_RED = 0,\n", "")
    assert [] == messages(compared(tmp_path, header, text, "5.7"))
    (late,) = messages(compared(tmp_path, header, text, "6.0"))
    assert "HSA_COLOUR_RED: not in the header" in late
    (early,) = messages(compared(tmp_path, HEADER, text, "5.7"))
    assert "HSA_COLOUR_RED: in the header" in early


def test_members_have_versions(tmp_path: Path) -> None:
    """A structure that a later release made longer is shorter before it."""
    large = "{name: large, type: uint64_t, offset: 8, size: 8"
    text = replaced(TEXT, large, f'{large}, since: {{rocm: "6.0"}}')
    text = replaced(text, "alignment: 8", "alignment: 4")
    header = replaced(HEADER, " uint64_t large; }", " }")
    assert [] == messages(compared(tmp_path, header, text, "5.7"))
    (late,) = messages(compared(tmp_path, header, text, "6.0"))
    assert "hsa_pair_t.large: not in the header" in late


def test_interface_version_of_the_header_counts(tmp_path: Path) -> None:
    """Without a ROCm release, hsa_ext_amd.h says how new the headers are."""
    bound = 'function: hsa_more\nsince: {amd_interface: "1.4"}\n'
    text = replaced(TEXT, "function: hsa_more\n", bound)
    header = HEADER[: HEADER.index("/** @copydoc")]
    write_header(tmp_path / "hsa", version(1, 3), "hsa_ext_amd.h")
    assert not any("hsa_more" in message for message in messages(compared(tmp_path, header, text)))
    write_header(tmp_path / "hsa", version(1, 10), "hsa_ext_amd.h")
    (late,) = (m for m in messages(compared(tmp_path, header, text)) if "hsa_more" in m)
    assert "hsa_more: not in the header" in late


def version(major: int, minor: int) -> str:
    names = ("MAJOR", major), ("MINOR", minor)
    return "".join(f"#define HSA_AMD_INTERFACE_VERSION_{name} {n}\n" for name, n in names)


def test_what_cannot_be_parsed_is_named_and_the_rest_is_compared(tmp_path: Path) -> None:
    """An unknown type spoils one function; the next one's mistake is found all the same."""
    header = replaced(HEADER, "(uint32_t count);", "(hsa_unknown_t count);")
    header = replaced(header, "int number);", "long number);")
    registry = load(write(tmp_path / "registry", function=TEXT))
    headers = parse(write_header(tmp_path / "hsa", header))
    assert ["hsa.h:19: cannot be parsed: in hsa_do: unknown type name 'hsa_unknown_t'"] == [
        str(problem) for problem in headers.problems
    ]
    done = compare(registry, headers, Release())
    assert ["hsa.h:21: hsa_more: parameter 6 has the type long, in the registry int"] == (
        messages(done)
    )
    assert (1, 2) == done.compared["functions"]


def test_missing_include_is_named(tmp_path: Path) -> None:
    """A header that is not there is one problem, and what follows it is read."""
    headers = parse(write_header(tmp_path / "hsa", '#include "hsa_gone.h"\n' + HEADER))
    assert ["hsa.h:1: cannot be parsed: 'hsa_gone.h' file not found"] == [
        str(problem) for problem in headers.problems
    ]
    assert {"hsa_do", "hsa_more"} == set(headers.functions)


def test_declarations_elsewhere_do_not_count(tmp_path: Path) -> None:
    """What a header includes from outside the folder is read, and not compared."""
    write_header(tmp_path / "other", "void hsa_other(void);\ntypedef int other_t;\n", "other.h")
    more = '#include "../other/other.h"\nother_t hsa_more_f(void);\n'
    (message,) = messages(compared(tmp_path, HEADER + more))
    assert "hsa_more_f: in the header, but not in the registry" in message


def test_unreadable_header_is_named(tmp_path: Path) -> None:
    """Where libclang cannot read a file at all, the others are read."""
    folder = write_header(tmp_path / "hsa")
    (folder / "hsa_two.h").mkdir()
    headers = parse(folder)
    assert ["hsa_two.h: cannot be parsed: libclang cannot read the file"] == [
        str(problem) for problem in headers.problems
    ]
    assert {"hsa_do", "hsa_more"} == set(headers.functions)


def test_folder_without_headers(tmp_path: Path) -> None:
    """A wrong folder is one error that says what to name."""
    with pytest.raises(HeaderError, match=r"holds no headers hsa\*\.h; name the folder that"):
        parse(tmp_path)


def test_without_libclang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without libclang, the error names what to install."""
    monkeypatch.setitem(sys.modules, "clang.cindex", None)
    with pytest.raises(HeaderError, match=r"install hsa-conformance\[headers\]"):
        parse(write_header(tmp_path))


@pytest.mark.skipif(not (INSTALLED / "hsa.h").exists(), reason=f"no HSA headers in {INSTALLED}")
def test_registry_agrees_with_the_installed_headers(registry: Registry) -> None:
    """The registry says what the headers of the machine say."""
    headers = parse(INSTALLED)
    assert () == headers.problems
    done = compare(registry, headers, Release())
    assert [] == messages(done)
    assert 0 < done.compared["functions"][0]
