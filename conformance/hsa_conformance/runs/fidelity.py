"""How true to hardware the kernels of a run were executed, in a line."""

from __future__ import annotations

from collections.abc import Mapping


def fidelity(executed: Mapping[str, str]) -> str:
    """Return what a report says of instructions.

    Args:
        executed: how each was executed, by name; see `hsa_adapters.faults.Faults`.

    """
    names = {how: sorted(n for n in executed if executed[n] == how) for how in executed.values()}
    exact, near = len(names.get("exact", [])), names.get("near", [])
    kinds = exact + len(near)
    lacking = ", ".join(names.get("lacking", [])) or "none"
    approximate = f", {len(near)} that hardware may round otherwise ({', '.join(near)})"
    return (
        f"Kinds of instructions that kernels were made of: {kinds}, {exact} of them exact"
        f"{approximate if near else ''}. Not executed: {lacking}."
    )
