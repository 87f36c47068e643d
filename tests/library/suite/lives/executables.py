"""Mistakes about executables."""

from __future__ import annotations

from tests.wrong.functions import SUCCESS, Cases, Function, Functions, handle_at


def forgets_the_others(f: Functions) -> dict[str, Function]:
    """Find no symbol of an executable any more once another one was destroyed."""
    destroyed: list[int] = []
    find, destroy = "hsa_executable_get_symbol_by_name", "hsa_executable_destroy"

    def look(executable: int, name: int, agent: int, symbol: int) -> int:
        if destroyed and executable and name and symbol:
            return 0x1014
        return f[find](executable, name, agent, symbol)

    def end(executable: int) -> int:
        answer = f[destroy](executable)
        if answer == SUCCESS:
            destroyed.append(executable)
        return answer

    return {find: look, destroy: end}


def two_handles(f: Functions) -> dict[str, Function]:
    """Refuse to create an executable after three."""
    made: list[int] = []
    name = "hsa_executable_create_alt"

    def create(*arguments: int) -> int:
        if len(made) == 3 and arguments[-1]:
            return 0x1008
        answer = f[name](*arguments)
        if answer == SUCCESS:
            made.append(handle_at(arguments[-1]))
        return answer

    return {name: create}


def says_frozen(f: Functions) -> dict[str, Function]:
    """Freeze the oldest executable along with another one."""
    made: list[int] = []
    create, freeze = "hsa_executable_create_alt", "hsa_executable_freeze"

    def make(*arguments: int) -> int:
        answer = f[create](*arguments)
        if answer == SUCCESS:
            made.append(handle_at(arguments[-1]))
        return answer

    def stop(executable: int, options: int) -> int:
        answer = f[freeze](executable, options)
        for oldest in made[:1] if answer == SUCCESS else ():
            f[freeze](oldest, 0)
        return answer

    return {create: make, freeze: stop}


MISTAKES: Cases = {
    "executables: symbols go with another executable": (
        "hsa_executable_destroy/success",
        forgets_the_others,
        {"hsa_executable_get_symbol_by_name/success"},
    ),
    "executables: no fourth one is created": (
        "hsa_executable_destroy/success",
        two_handles,
        {"hsa_executable_create_alt/success"},
    ),
    "executables: another one is frozen as well": (
        "hsa_executable_destroy/success",
        says_frozen,
        {"hsa_executable_create_alt/unfrozen"}
        | {"hsa_executable_load_agent_code_object/success"}
        | {"hsa_executable_global_variable_define/success"}
        | {"hsa_executable_agent_global_variable_define/success"},
    ),
}
