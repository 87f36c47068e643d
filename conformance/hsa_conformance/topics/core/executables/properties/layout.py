"""Variables of code: found wherever they lie, and what is said of their places."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hsa_conformance.code_objects import Variable
from hsa_conformance.engine.calls.comparing import equal, is_multiple, opposite
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.loaded_code import LoadedCode, loaded, symbol_address
from hsa_conformance.topics.core.executables.properties.scenes import described, require_names
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.layouts import spread

proves = Proofs()


def _loaded(scene: Scene) -> LoadedCode:
    """Load code with variables all over its segments into a new executable."""
    return loaded(scene, make=spread, origin=code.origin)


def _variables(found: LoadedCode) -> dict[str, Variable]:
    return {variable.name: variable for variable in found.code.variables}


def _described(scene: Scene, found: LoadedCode, name: str, attribute: str) -> int:
    symbol = executables.symbol(scene, found.executable, name, found.agent)
    return described(scene, symbol, f"VARIABLE_{attribute}")


@proves("hsa_executable_load_agent_code_object/symbols-appear")
def symbols_are_found_wherever_they_lie(scene: Scene) -> None:
    """Code is loaded with a variable at address 0, at the start or end of a segment, or of no size.

    Exactly its kernels and variables are reported by name.
    """
    agent = code.gpu(scene)
    handle, chosen = executables.executable(scene), spread(scene, agent)
    function, values = executables.loading(scene, handle, agent, code.origin(scene, chosen))
    scene.require_status(scene.call(function, **values), SUCCESS)
    require_names(scene, handle, agent, chosen)


@proves("hsa_executable_symbol_get_info/variable-size")
def a_variable_is_as_large_as_the_code_makes_it(scene: Scene) -> None:
    """The size of each variable of loaded code is the number of bytes that it takes."""
    found = _loaded(scene)
    for variable in scene.parts("variable", _variables(found)):
        size = _described(scene, found, variable.name, "SIZE")
        scene.require(size == variable.size, f"{variable.name} has {variable.size} bytes", size)


@proves("hsa_executable_symbol_get_info/variable-constant")
def a_variable_is_constant_where_it_is_only_read(scene: Scene) -> None:
    """A variable of loaded code is constant if and only if it lies in memory that is only read."""
    found = _loaded(scene)
    for variable in scene.parts("variable", _variables(found)):
        constant = _described(scene, found, variable.name, "IS_CONST")
        told = "constant" if constant else "not constant"
        right = equal(constant, 0)
        if variable.constant:
            right = opposite(right)
        scene.require(right, f"{variable.name} is said to be {told}", told)


@proves("hsa_executable_symbol_get_info/variable-aligned")
def a_variable_lies_at_a_multiple_of_its_alignment(scene: Scene) -> None:
    """The address of each variable of frozen code is a multiple of the alignment that it has."""
    found = _loaded(scene)
    there = {name: v for name, v in _variables(found).items() if v.size}
    for variable in scene.parts("variable", there):
        align = _described(scene, found, variable.name, "ALIGNMENT")
        address = symbol_address(scene, found, variable.name, "VARIABLE_ADDRESS")
        scene.require(
            is_multiple(address, align),
            f"{variable.name} does not lie at a multiple of the {align} bytes of its alignment",
            f"{address:#x}",
        )


@proves("hsa_executable_symbol_get_info/variables-apart")
def no_two_variables_share_a_byte(scene: Scene) -> None:
    """No two variables of frozen code overlap, of code loaded once or into two executables."""
    first = _loaded(scene)
    times = [first]
    if scene.one_of([False, True]):
        handle = executables.executable(scene)
        executables.load(scene, handle, first.agent, code.origin(scene, first.code))
        times.append(replace(first, executable=handle))
    ranges = []
    for found in times:
        for variable in (v for v in found.code.variables if v.size):
            address = symbol_address(scene, found, variable.name, "VARIABLE_ADDRESS")
            ranges.append((int(address), int(address) + variable.size, variable.name))
    ranges.sort()
    for (_, end, before), (start, _, name) in pairwise(ranges):
        scene.require(end <= start, f"{before} and {name} share bytes", f"{start:#x} < {end:#x}")
