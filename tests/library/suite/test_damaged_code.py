"""Code that is cut off or damaged: a library that is careless with it is blamed, others are not."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping
from io import BytesIO
from itertools import chain
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from hsa_conformance import subjects
from hsa_conformance.code_objects import MADE, TARGETS, Code, Variable, build
from hsa_conformance.code_objects.damage import (
    HEADER,
    SPOILT,
    fields,
    headers,
    needed,
    unended,
    values,
)
from hsa_conformance.code_objects.variants import VARIANTS
from hsa_conformance.engine.calls.values import Data
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import Functions, Mistake, verdicts
from tests.wrong.inside import results

CREATE = "hsa_code_object_reader_create_from_memory"
LOAD = "hsa_executable_load_agent_code_object"
CLAUSES = ("cut-off", "damaged", "more-in-file")
INVALID_CODE_OBJECT = 0x1010
UNKNOWN = 0x6000_0000  # types of sections from here on are those of systems
CODE = build(Code(TARGETS["gfx90a"], variables=(Variable("v", points_to="elsewhere"),)))


@pytest.mark.parametrize("slug", CLAUSES)
def test_the_reference_is_not_blamed(registry: Registry, slug: str) -> None:
    found = results(subjects.reference(None, registry), registry, f"{LOAD}/{slug}")
    assert {"PASS"} == {result.verdict for result in found}


def with_loader(wrong: Callable[[bytes, int], int | None]) -> Mistake:
    """Return a mistake of the loader.

    Args:
        wrong: gets the code that a reader is made of, and the status that is right for it, and
            returns another one, or raises.

    """

    def mistake(right: Functions) -> dict[str, Callable[..., int]]:
        def create(address: int, size: int, reader: int) -> int:
            status = right[CREATE](address, size, reader)
            other = wrong(ctypes.string_at(address, size), status)
            return status if other is None else other

        return {CREATE: create}

    return mistake


def end_unchecked(right: Functions) -> dict[str, Callable[..., int]]:
    """Take what lies behind code that lacks its end for the rest of it."""

    def create(address: int, size: int, reader: int) -> int:
        content = ctypes.string_at(address, size)
        whole = next((c for c in MADE if size > 512 and c.startswith(content)), content)
        kept.append(ctypes.create_string_buffer(whole, len(whole)))
        return right[CREATE](ctypes.addressof(kept[-1]), len(whole), reader)

    kept: list[ctypes.Array[ctypes.c_char]] = []
    return {CREATE: create}


def last_section_unchecked(content: bytes, _: int) -> None:
    """Die of a last section that is larger than the file."""
    if len(content) < HEADER:
        return
    (first,) = struct.unpack_from("<Q", content, 40)
    size, count = struct.unpack_from("<HH", content, 58)
    place = first + size * (count - 1) + 32
    if 0 < place < len(content) - 8 and struct.unpack_from("<Q", content, place)[0] > len(content):
        raise MemoryError


def never_again() -> Callable[[bytes, int], int | None]:
    """Read no code any more, once some was refused."""
    refused: list[bytes] = []

    def read(content: bytes, status: int) -> int | None:
        if content in SPOILT:
            refused.append(content)
        return INVALID_CODE_OBJECT if refused else status

    return read


def types_unknown(content: bytes, _: int) -> int | None:
    """Refuse a last section of an unknown type."""
    kind = int.from_bytes(content[-60:-56], "little")
    return INVALID_CODE_OBJECT if kind > UNKNOWN else None


MISTAKES: Mapping[str, tuple[str, Mistake]] = {
    "a missing end": ("cut-off", end_unchecked),
    "the last section header": ("damaged", with_loader(last_section_unchecked)),
    "what follows a refusal": ("damaged", with_loader(never_again())),
    "an unknown section": ("more-in-file", with_loader(types_unknown)),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_careless_loader_is_blamed(registry: Registry, name: str) -> None:
    slug, mistake = MISTAKES[name]
    found = verdicts(registry, mistake, f"{LOAD}/{slug}")
    assert found & {Verdict.WARN, Verdict.FRAGILE, Verdict.BLOCKED}


def test_behind_data_at_the_end_nothing_can_be_read(session: Session) -> None:
    address = session.at_end(Data(CODE, "code"))
    assert CODE == session.process.read(int(address), len(CODE))
    assert session.process.read(int(address) + len(CODE), 1) is None


def test_the_numbers_of_every_table_are_known() -> None:
    tables = {name.partition(":")[0] for name in fields(CODE)}
    assert {"header", "notes", "symbols", "dynamic symbols", "relocations"} <= tables
    assert {"program headers", "section headers", "dynamic entries", "hash table"} <= tables


def test_the_numbers_of_tables_are_those_that_stand_in_the_file() -> None:
    file: Any = ELFFile(BytesIO(CODE))
    found = fields(CODE)
    words = file.get_section_by_name(".hash").data()
    assert [*struct.unpack(f"<{len(words) // 4}I", words)] == [
        field.read(CODE) for field in found["hash table: word"]
    ]
    for table, name, entries in (
        ("section headers", "address", [s["sh_addr"] for s in file.iter_sections()]),
        ("program headers", "address", [s["p_vaddr"] for s in file.iter_segments()]),
        ("dynamic symbols", "value", [s["st_value"] for s in symbols(file, ".dynsym")]),
        ("symbols", "value", [s["st_value"] for s in symbols(file, ".symtab")]),
        ("relocations", "place", [r["r_offset"] for r in relocations(file)]),
        ("dynamic entries", "value", [t["d_val"] for t in tags(file)]),
    ):
        assert entries == [field.read(CODE) for field in found[f"{table}: {name}"]], table


def symbols(file: Any, name: str) -> list[Any]:
    return list(file.get_section_by_name(name).iter_symbols())


def relocations(file: Any) -> list[Any]:
    return list(file.get_section_by_name(".rela.dyn").iter_relocations())


def tags(file: Any) -> list[Any]:
    return list(file.get_section_by_name(".dynamic").iter_tags())


def test_a_damaged_number_is_another_one_and_nothing_else_is() -> None:
    for field in chain.from_iterable(fields(CODE).values()):
        for value in values(field, CODE):
            content = field.written(CODE, value)
            assert value == field.read(content)
            assert value != field.read(CODE)
            assert len(CODE) == len(content)


def test_names_that_do_not_end_are_those_of_each_table_in_turn() -> None:
    """The last byte of the code is the last one of a table's last name."""
    tables = [s for s in ELFFile(BytesIO(CODE)).iter_sections() if s["sh_type"] == "SHT_STRTAB"]
    changed = list(unended(CODE))
    assert [table.data().rstrip(b"\0") for table in tables] == [c[len(CODE) :] for c in changed]
    assert set(changed) <= SPOILT


def test_what_is_loaded_ends_before_the_tables_of_the_file() -> None:
    """The section headers, which nobody needs to load it, stand behind."""
    (sections,) = struct.unpack_from("<Q", CODE, 40)
    assert 64 < headers(CODE) < needed(CODE) < sections


@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_added_leaves_the_code_where_it_was(name: str) -> None:
    changed = VARIANTS[name](CODE)
    assert CODE[64 : needed(CODE)] == changed[64 : needed(CODE)]
    assert len(changed) > len(CODE)
