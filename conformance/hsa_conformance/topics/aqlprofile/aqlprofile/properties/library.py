"""What the profiler says of itself."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.aqlprofile.aqlprofile.fixtures import PREFIX

proves = Proofs()

_MOST = 4096  # bytes of a text that is looked at


@proves("hsa_ven_amd_aqlprofile_version_major/as-header")
def the_major_version_is_no_older_than_the_headers(scene: Scene) -> None:
    """The major version of the profiler is that of its header, or a later one."""
    _require_version(scene, "major")


@proves("hsa_ven_amd_aqlprofile_version_minor/as-header")
def the_minor_version_is_no_older_than_the_headers(scene: Scene) -> None:
    """Of the major version of its header, the profiler has that minor version, or a later one."""
    _require_version(scene, "minor")


def _require_version(scene: Scene, part: str) -> None:
    macros = scene.session.registry.macros
    named = {p: macros[f"HSA_AQLPROFILE_VERSION_{p.upper()}"].value for p in ("major", "minor")}
    wanted = {part: int(value or 0) for part, value in named.items()}
    answered = scene.call(f"{PREFIX}version_{part}").status
    least = wanted[part]
    if part == "minor" and scene.call(f"{PREFIX}version_major").status > wanted["major"]:
        least = 0
    scene.require(answered >= least, f"the {part} version is below {least}", answered)


@proves("hsa_ven_amd_aqlprofile_error_string/text")
def the_text_of_the_last_error_ends(scene: Scene) -> None:
    """The address that is written for the last error leads to a text that ends with a zero."""
    address = scene.set_up(f"{PREFIX}error_string", str=Out())["str"]
    text = scene.session.read(address, 1)
    size = 1
    while text is not None and b"\0" not in text and size < _MOST:
        size += 1
        text = scene.session.process.read(int(address), size)
    scene.require(
        text is not None and b"\0" in text, "the text has no end that can be read", address
    )
