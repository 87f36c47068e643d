"""Where loaded code lies, for the host too, and which executable loaded it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hsa_conformance.code_objects import Code
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import Fixtures, Unsuitable
from hsa_conformance.engine.judging.statuses import INVALID_ARGUMENT, SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.executables.loaded_code import VALUE, loaded, symbol_address
from hsa_conformance.topics.loader.loader.fixtures import (
    HOST,
    kernel_address,
    variable_address,
)
from hsa_conformance.topics.shared.code.layouts import PLACED, spread
from hsa_conformance.topics.shared.pointer_info import accessible
from hsa_reports import Verdict

proves = Proofs()

OWNER = "hsa_ven_amd_loader_query_executable"

#: Bytes before the variables of code, so many that an offset needs more than 16 bits.
FAR: Final = 3 << 16


@proves("hsa_ven_amd_loader_query_host_address/same-bytes")
def the_host_reads_what_a_variable_holds(scene: Scene) -> None:
    """The host finds the value of a variable of loaded code at the address that it is given."""
    address = variable_address(scene, loaded(scene))
    answer = scene.set_up(HOST, device_address=address, host_address=Out())
    found = scene.session.read(answer["host_address"], 8)
    scene.require(
        found == VALUE.to_bytes(8, "little"),
        f"the host does not find the {VALUE} that the variable holds",
        "memory that it cannot read" if found is None else found.hex(" "),
    )


@proves("hsa_ven_amd_loader_query_host_address/same-bytes")
def the_host_reads_variables_wherever_they_lie(scene: Scene) -> None:
    """The host finds what a variable holds in any place of a segment, also far from its start.

    That may be in memory for which the file has no bytes, which are zero.
    """
    found = loaded(scene, make=_far)
    [variable] = [v for v in found.code.variables if v.name == PLACED]
    if not variable.size:
        raise Unsuitable("the variable has no bytes")
    address = symbol_address(scene, found, PLACED, "VARIABLE_ADDRESS")
    for offset in {0, variable.size - 1}:
        answer = scene.call(HOST, device_address=address + offset, host_address=Out())
        scene.require_status(answer, SUCCESS)
        seen = scene.session.read(answer["host_address"], 1)
        scene.require(
            seen == variable.content[offset : offset + 1],
            f"the host does not find byte {offset} of the variable",
            "memory that it cannot read" if seen is None else seen.hex(),
        )


def _far(fixtures: Fixtures, agent: int) -> Code:
    return replace(spread(fixtures, agent), filling=fixtures.choose([FAR, 0]))


@proves("hsa_ven_amd_loader_query_host_address/host-address-kept")
def an_address_for_the_host_is_not_translated(scene: Scene) -> None:
    """An address of loaded code that the host reaches, too, is written as it is."""
    address = variable_address(scene, loaded(scene))
    hosts = {agent.handle for agent in known_agents(scene, "cpu")}
    if not hosts & accessible(scene, address):
        raise Unavailable(
            Verdict.NOT_APPLICABLE, "the host does not reach the memory of loaded code"
        )
    found = scene.set_up(HOST, device_address=address, host_address=Out())["host_address"]
    scene.require(found == address, "the host gets another address", f"{found:#x}")


@proves("hsa_ven_amd_loader_query_executable/that-executable")
def a_kernel_belongs_to_the_executable_that_loaded_it(scene: Scene) -> None:
    """Of two executables with the same code, each is found by the address of its own kernel."""
    for found in (loaded(scene), loaded(scene)):
        address = kernel_address(scene, found)
        owner = scene.set_up(OWNER, device_address=address, executable=Out())["executable"]
        scene.require(
            owner == found.executable, "another executable is said to own the kernel", f"{owner:#x}"
        )


@proves("hsa_ven_amd_loader_query_executable/destroyed")
def a_kernel_of_a_destroyed_executable_belongs_to_none(scene: Scene) -> None:
    """The address of a kernel is refused once its executable is destroyed.

    The address was asked for before.
    """
    found = loaded(scene)
    address = kernel_address(scene, found)
    scene.set_up(OWNER, device_address=address, executable=Out())
    scene.set_up("hsa_executable_destroy", executable=found.executable)
    answer = scene.call(OWNER, device_address=address, executable=Out())
    scene.require_status(answer, INVALID_ARGUMENT)
