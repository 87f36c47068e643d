"""`spec` and `report`: what they print."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import dropwhile
from pathlib import Path

import pytest

from hsa_spec import declared_text, load, terms
from hsa_spec.conditions.vocabulary import TERMS
from tests.library.cli.commands import Command


def test_list_shows_every_function_and_rule(command: Command) -> None:
    """One line each, with its topic and the number of its clauses."""
    done = command("spec", "list")
    registry = load()
    assert 0 == done.status
    names = [*registry.functions, *registry.rules]
    assert names == [line.split()[0] for line in done.out.splitlines()]
    shown = {line.split()[0]: int(line.split()[2]) for line in done.out.splitlines()}
    counted = Counter(clause.subject for clause in registry.clauses.values())
    assert {name: counted[name] for name in names} == shown


def test_list_as_json_holds_every_clause(command: Command) -> None:
    """The JSON holds each clause with its condition, status, English and source."""
    functions = json.loads(command("spec", "list", "--json").out)
    clauses = [clause for function in functions for clause in function.get("clauses", ())]
    assert list(load().clauses) == [clause["id"] for clause in clauses]
    assert all(clause["english"] and clause["source"] for clause in clauses)


def test_show_function(command: Command) -> None:
    """A function is shown with its declaration and all clauses."""
    done = command("spec", "show", "hsa_amd_vmem_address_free")
    assert 0 == done.status
    assert "hsa_status_t hsa_amd_vmem_address_free(void* va, size_t size)" in done.out
    assert "hsa_amd_vmem_address_free/in-use [must, decided by the runtime]" in done.out


def test_show_clause(command: Command) -> None:
    """A clause is shown in English, with its source."""
    done = command("spec", "show", "hsa_amd_vmem_address_free/in-use")
    assert 0 == done.status
    assert "HSA_STATUS_ERROR_RESOURCE_FREE" in done.out
    assert "source: hsa_ext_amd.h, hsa_amd_vmem_address_free" in done.out


def test_show_as_yaml_says_all_defaults(command: Command) -> None:
    """A function is shown as a document, with the clauses that its file need not name."""
    done = command("spec", "show", "hsa_shut_down", "--yaml")
    assert 0 == done.status
    assert "function: hsa_shut_down\n" in done.out
    assert "  success:  # by default\n    when:\n    - initialized()\n" in done.out


def test_show_attribute(command: Command) -> None:
    """What a query reports is shown, with the objects that it is defined for."""
    done = command("spec", "show", "HSA_AGENT_INFO_WAVEFRONT_SIZE")
    assert 0 == done.status
    assert "  type: uint32_t\n  number: work-items\n" in done.out
    assert "HSA_AGENT_INFO_FEATURE has HSA_AGENT_FEATURE_KERNEL_DISPATCH\n" in done.out


def test_show_attribute_as_yaml(command: Command) -> None:
    """It is shown with what its document says of all attributes."""
    done = command("spec", "show", "HSA_AMD_AGENT_INFO_NEAREST_CPU", "--yaml")
    assert 0 == done.status
    assert "attributes: hsa_amd_agent_info_t\nof: agent\n" in done.out
    assert "  HSA_AMD_AGENT_INFO_NEAREST_CPU:\n    type: hsa_agent_t\n" in done.out


def test_show_status(command: Command) -> None:
    """A status is shown with who lists it, and with every clause that leads to it."""
    name = "HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP"
    done = command("spec", "show", name)
    assert 0 == done.status
    assert done.out.startswith(f"{name} = 0x1024  (of hsa_status_t, hsa.h)\n")
    assert "exists: since HSA 1.1\n" in done.out
    functions = load().functions.values()
    listing = ", ".join(f.name for f in functions if name in f.documented)
    assert f"functions that list it: {listing}\n" in done.out
    leading = [c.id for f in functions for c in f.clauses if name in c.status]
    assert leading == re.findall(r"^    (\S+/\S+) \[", done.out, re.MULTILINE)


def test_show_enumerator_as_yaml(command: Command) -> None:
    """It is shown with what its document says of the enumeration, without the others."""
    done = command("spec", "show", "HSA_QUEUE_TYPE_MULTI", "--yaml")
    assert 0 == done.status
    assert done.out.startswith("enum: hsa_queue_type_t\n")
    assert 1 == done.out.count("- name:")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("hsa_queue_type_t", "  HSA_QUEUE_TYPE_MULTI = 0x0 Several producers.\n"),
        ("hsa_kernel_dispatch_packet_t", "     4  uint16_t workgroup_size_x Work-items"),
        ("hsa_signal_t", "  an opaque handle of 8 bytes\n"),
        ("hsa_signal_value_t", "  typedef int64_t hsa_signal_value_t;\n"),
        ("hsa_ext_images_1_pfn_t", "     0  hsa_ext_image_get_capability\n"),
        ("hsa_amd_deallocation_callback_t", "  void (*hsa_amd_deallocation_callback_t)(void* ptr"),
        ("HSA_AMD_INTERFACE_VERSION_MAJOR", "  #define HSA_AMD_INTERFACE_VERSION_MAJOR 1\n"),
        ("is_queue", "  its opposite: handle is not a live queue\n"),
        ("queue", "  .size, a number: the number of packets that handle holds\n"),
    ],
)
def test_show_declaration_or_term(command: Command, name: str, line: str) -> None:
    """Whatever the registry has a name for can be shown."""
    done = command("spec", "show", name)
    assert 0 == done.status
    assert line in done.out


def test_every_name_can_be_shown(command: Command) -> None:
    """No declaration, enumerator or term is without text."""
    registry = load()
    said = [declared_text.lines(item, registry) for item in registry.types.values()]
    said += [
        declared_text.enumerator_lines(*found, registry) for found in registry.enumerators.values()
    ]
    said += [terms.lines(term, registry) for term in TERMS.values()]
    assert all(len(lines) > 1 and all(map(str.strip, lines)) for lines in said)


def test_terms_lists_every_word(command: Command) -> None:
    """Each term of conditions is listed with its arguments, and with how it reads."""
    done = command("spec", "terms")
    assert 0 == done.status
    assert sorted(TERMS) == re.findall(r"^(\w+)\(", done.out, re.MULTILINE)
    assert "is_alignment(number)\n    number is zero or a power of two" in done.out


def test_show_tells_why_a_clause_is_not_tested(command: Command) -> None:
    """What is declared not testable is shown with its reason."""
    done = command("spec", "show", "hsa_init/no-resources")
    assert "needs: fault_injection" in done.out


def test_lint_finds_nothing(command: Command) -> None:
    """The registry keeps its own rules."""
    done = command("spec", "lint")
    assert (0, f"{len(load().clauses)} clauses, 0 findings\n") == (done.status, done.out)


def test_lint_lists_the_defects_of_the_texts(command: Command) -> None:
    """With --text, each defect of a text is a line that starts with a function."""
    done = command("spec", "lint", "--text")
    assert 0 == done.status
    functions = load().functions
    assert done.out.splitlines()
    assert all(line.split(":")[0] in functions for line in done.out.splitlines())


@pytest.mark.parametrize("group", [[], ["vmem"], ["hsa_init"]])
def test_coverage_misses_nothing(command: Command, group: list[str]) -> None:
    """Every clause is checked or declared not to be."""
    done = command("spec", "coverage", *group)
    assert 0 == done.status, done.out
    assert "nothing checks" not in done.out


def test_coverage_of_the_reference_is_counted_by_topic(command: Command) -> None:
    """With --reference, what the reference passes is counted, and why the rest was not tried."""
    done = command("spec", "coverage", "--reference", "core/init")
    assert 0 == done.status, done.out
    heading, row, *_ = dropwhile(lambda line: not line.startswith("topic"), done.out.splitlines())
    assert "against" == heading.split()[-1]
    topic, functions, of, clauses, *places = row.split()
    assert ("core/init", functions) == (topic, of)
    assert int(clauses) == sum(map(int, places))


def test_report_formats(command: Command, run_folder: Path) -> None:
    """A finished run becomes HTML, JUnit XML and Markdown."""
    html = command("report", "html", run_folder)
    assert (0, "<!doctype html>") == (html.status, html.out.lstrip()[:15].lower())
    junit = command("report", "junit", run_folder / "events.jsonl")
    cases = [case.get("name") for case in ET.fromstring(junit.out).iter("testcase")]
    assert 2 <= len(cases)
    markdown = command("report", "markdown", run_folder)
    assert markdown.out.startswith("## ")


def test_report_into_a_file(command: Command, run_folder: Path, tmp_path: Path) -> None:
    """With --out, nothing is printed and the file holds the report."""
    done = command("report", "markdown", run_folder, "--out", tmp_path / "report.md")
    assert (0, "", "") == done
    assert command("report", "markdown", run_folder).out == (tmp_path / "report.md").read_text()
