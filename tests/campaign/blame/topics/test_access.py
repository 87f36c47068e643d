"""Access that an agent was given, and does not have."""

from __future__ import annotations

import ctypes

from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import SUCCESS, Function, Functions, handle_at, honest, verdicts

ALLOW = "hsa_amd_agents_allow_access"
#: HSA_AGENT_INFO_DEVICE, which answers 0 for a CPU.
DEVICE = 17


def grants_hosts_nothing(f: Functions) -> dict[str, Function]:
    """Leave the CPU agents of a list out."""

    def is_gpu(agent: int) -> bool:
        device = ctypes.c_uint32()
        f["hsa_agent_get_info"](agent, DEVICE, ctypes.addressof(device))
        return bool(device.value)

    def allow(count: int, agents: int, flags: int, ptr: int) -> int:
        gpus = [a for n in range(count) if is_gpu(a := handle_at(agents + 8 * n))]
        if not gpus:
            return SUCCESS
        array = (ctypes.c_uint64 * len(gpus))(*gpus)
        return f[ALLOW](len(gpus), ctypes.addressof(array), flags, ptr)

    return {ALLOW: allow}


def test_a_host_without_the_access_it_was_given_is_found(registry: Registry) -> None:
    """A library that maps a GPU's block for the GPUs of the list alone fails."""
    clause = f"{ALLOW}/grants-host-access"
    assert {Verdict.PASS} == verdicts(registry, honest, clause)
    assert Verdict.FAIL in verdicts(registry, grants_hosts_nothing, clause)
