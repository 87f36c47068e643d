"""Everything in the registry can be had as JSON, with nothing lost that says something."""

from __future__ import annotations

import json

from hsa_spec import Registry, as_json


def test_a_function_has_all_its_facts(registry: Registry) -> None:
    """Names, types, conditions and versions are there; what says nothing is not."""
    made = as_json(registry.functions["hsa_amd_vmem_address_free"])
    assert {"amd_interface": "1.4", "rocm": "6.0"} == made["versions"]
    [va, _] = made["params"]
    assert ("va", "void*", "in") == (va["name"], va["type"], va["direction"])
    assert "nullable" not in va
    clause = next(c for c in made["clauses"] if c["id"].endswith("/size-differs"))
    assert "size != reservation(va).size" in clause["when"]
    assert clause["english"].startswith("hsa_amd_vmem_address_free answers")


def test_zero_is_kept(registry: Registry) -> None:
    """The number 0 is a value, not the absence of one."""
    made = as_json(registry.enums["hsa_status_t"])
    assert {"name": "HSA_STATUS_SUCCESS", "value": 0}.items() <= made["enumerators"][0].items()


def test_all_of_it_is_json(registry: Registry) -> None:
    """Each declaration can be written and read back."""
    groups = (
        "functions",
        "enums",
        "structs",
        "callbacks",
        "typedefs",
        "tables",
        "macros",
        "retired",
    )
    for group in groups:
        for item in getattr(registry, group).values():
            made = as_json(item)
            assert made == json.loads(json.dumps(made))


def test_queries(registry: Registry) -> None:
    """Functions by topic, clauses by status, and anything by its name."""
    assert {"hsa_init", "hsa_shut_down"} == {f.name for f in registry.of_topic("core/init")}
    answering = registry.answering("hsa_init", "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW")
    assert ["hsa_init"] == [c.function for c in answering]
    assert () == registry.answering("hsa_nothing", "HSA_STATUS_SUCCESS")
    assert registry.structs["hsa_queue_t"] is registry.find("hsa_queue_t")
    assert registry.clauses["hsa_init/success"] is registry.find("hsa_init/success")
    assert registry.find("hsa_nothing") is None
