"""What the loader says of executables in random sequences, after any of them was destroyed."""

from __future__ import annotations

from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.loader.loader.listing import OF_EXECUTABLES, as_many
from hsa_conformance.topics.shared.attributes import number

_CODE: Final = "hsa_ven_amd_loader_executable_iterate_loaded_code_objects"
_OF_CODE: Final = "hsa_ven_amd_loader_loaded_code_object_get_info"
_EXECUTABLE: Final = "HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE"


def _needs(p: Player, function: str) -> None:
    if not p.session.offers(function):
        raise CannotMake(f"there is no {function}")


def look_at_executables(p: Player) -> None:
    """Traverse the executables: each that lives once, and none that was destroyed."""
    _needs(p, OF_EXECUTABLES)
    callback = Callback("hsa_ven_amd_loader_executable_callback")
    answer = p.session.set_up(OF_EXECUTABLES, callback=callback, data=5)
    found = [call[0] for call in answer.callbacks]
    known = [int(key[0]) for key in p.model.objects.get("executable", {})]
    others = sorted(handle for handle in found if handle not in known)
    # A library may have executables of its own, and they do not come and go.
    if p.model.find("others_executables") is None:
        p.model.add("others_executables", thing=others)
    scene = p.demand(f"{OF_EXECUTABLES}/each-once")
    got = ", ".join(f"{handle:#x}" for handle in found) or "none"
    own = p.model.find("others_executables")
    demand = as_many(p.session, found, len(known) + len(own))
    for holds, summary in (
        (all(found.count(h) == 1 for h in known), "a live executable is not met once"),
        (0 not in found, "the callback gets a handle of 0"),
        (others == own, "the callback gets an executable that does not live"),
    ):
        scene.require(holds, summary, got, demand)


def look_at_code(p: Player) -> None:
    """Traverse the code objects of an executable: each that it has loaded, once."""
    _needs(p, _CODE)
    loaded = p.model.objects.get("loaded_code_object", {})
    executables = p.model.objects.get("executable", {})
    for (handle,) in p.some([key for key, thing in executables.items() if not thing.load_failed]):
        callback = Callback("hsa_ven_amd_loader_loaded_code_object_callback")
        answer = p.session.set_up(_CODE, executable=handle, callback=callback, data=5)
        found = sorted(call[1] for call in answer.callbacks)
        wanted = sorted(int(key[0]) for key, thing in loaded.items() if thing.executable == handle)
        p.demand(f"{_CODE}/each-once").require(
            found == wanted,
            f"the callback does not get each of {len(wanted)} code objects once",
            ", ".join(f"{h:#x}" for h in found) or "none",
        )


def look_at_owners(p: Player) -> None:
    """Ask code objects for the executable that has loaded them."""
    _needs(p, _OF_CODE)
    for (handle,), thing in p.some(list(p.model.objects.get("loaded_code_object", {}).items())):
        scene = p.demand(f"{_OF_CODE}/executable-known")
        found = number(scene, _OF_CODE, _EXECUTABLE, loaded_code_object=handle)
        scene.require(
            found == thing.executable, "a code object names another executable", f"{found:#x}"
        )


LIFE = Life(clause=None, looks=(look_at_executables, look_at_code, look_at_owners))
