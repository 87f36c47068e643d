"""The line that says how true to hardware the kernels of a run were executed."""

from __future__ import annotations

from hsa_conformance.runs.fidelity import fidelity


def test_it_counts_what_was_exact_and_names_the_rest() -> None:
    """Each instruction is counted once, and what was not executed is named."""
    executed = {
        "v_add_f32": "exact",
        "s_endpgm": "exact",
        "v_rcp_f32": "near",
        "image_store": "lacking",
        "image_load": "lacking",
    }
    expected = (
        "Kinds of instructions that kernels were made of: 3, 2 of them exact, 1 that hardware may "
        "round otherwise (v_rcp_f32). Not executed: image_load, image_store."
    )
    assert expected == fidelity(executed)


def test_it_says_so_where_nothing_was_lacking() -> None:
    expected = "Kinds of instructions that kernels were made of: 1, 1 of them exact. Not executed: "
    assert f"{expected}none." == fidelity({"s_endpgm": "exact"})
