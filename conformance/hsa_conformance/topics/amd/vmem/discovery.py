"""Asks whether the machine has a virtual memory API at all."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.session.session import Session

_RESERVE = "hsa_amd_vmem_address_reserve"
_ATTRIBUTE = "HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED"


def discover(session: Session) -> None:
    """Note "virtual memory" among the machine's features if the library says so."""
    if not session.offers(_RESERVE):
        return
    attribute = session.registry.constants[_ATTRIBUTE]
    with session.learning():
        answer = session.call("hsa_system_get_info", attribute=attribute, value=Out())
    # A release that does not know the query says nothing against the feature.
    if not answer.ok or answer.number("value"):
        session.model.features.add("virtual memory")
