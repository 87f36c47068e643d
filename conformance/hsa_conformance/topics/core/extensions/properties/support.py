"""Which versions of extensions the system and its agents say that they support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Choice
from hsa_conformance.engine.generation.fixtures import CannotMake, Unsuitable
from hsa_conformance.engine.session.extensions import has_bit
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.extensions.generators import (
    MAJORS,
    alone,
    extensions,
    known,
    newest_minor,
)
from hsa_conformance.topics.shared.attributes import content
from hsa_reports.demands import Gives

proves = Proofs()

SYSTEM = "hsa_system_extension_supported"
SYSTEM_MAJOR = "hsa_system_major_extension_supported"
AGENT = "hsa_agent_extension_supported"
AGENT_MAJOR = "hsa_agent_major_extension_supported"

#: Minor versions that are tried where the answer has to be no.
DENIED = range(2)

#: No extension has come to a major version behind these.
MOST_MAJORS = range(16)

#: One example looks at all extensions of a mask.
ONCE = 0.01

#: So many times the usual examples try nearly every extension, version and agent.
NEARLY_ALL = 8

#: No extension has come to such a version.
UNHEARD = drawing.integers(1 << 12, (1 << 16) - 1)

FALSE = Gives("result", (b"\0",))


def _subject(scene: Scene, function: str) -> dict[str, int]:
    asks_agent = "agent" in scene.session.registry.functions[function].parameter
    return {"agent": scene.choose(known_agents(scene)).handle} if asks_agent else {}


def _ask(scene: Scene, function: str, **values: Value) -> Answer:
    """Ask whether a version is supported, and demand an answer that a C bool can be."""
    answer = scene.set_up(function, result=Out(), **values)
    result = answer.number("result")
    scene.require(
        result in (0, 1), "the result is neither 0 nor 1", result, Gives("result", (b"\0", b"\1"))
    )
    return answer


def _is_true(answer: Answer) -> bool:
    return answer.number("result") != 0


def _require_false(scene: Scene, answer: Answer, why: str) -> None:
    scene.require(not _is_true(answer), f"a version is said to be supported, and {why}", 1, FALSE)


def _minor(scene: Scene, function: str, versions: Choice[int]) -> Out | int:
    """Return one of some minor versions, or room for one."""
    parameter = scene.session.registry.functions[function].parameter["version_minor"]
    if parameter.direction == "out":
        return Out()
    minor: int = scene.draw(versions)
    return minor


@proves("hsa_system_extension_supported/answer")
@proves("hsa_system_major_extension_supported/answer")
@proves("hsa_agent_extension_supported/answer")
@proves("hsa_agent_major_extension_supported/answer")
def the_answer_is_yes_or_no_and_no_for_what_nobody_has(scene: Scene) -> None:
    """The result is stored as 0 or 1, and as 0 for a version that no extension has."""
    function = scene.clause.function
    number = scene.choose(known(scene))
    minor = _minor(scene, function, drawing.sampled_from(DENIED) | UNHEARD)
    major: int = scene.draw(drawing.sampled_from(MAJORS) | UNHEARD)
    values: dict[str, Value] = {"version_major": major, "version_minor": minor}
    answer = _ask(scene, function, extension=number, **_subject(scene, function), **values)
    version = f"{major}" if isinstance(minor, Out) else f"{major}.{minor}"
    if major not in MAJORS or not (isinstance(minor, Out) or minor in DENIED):
        _require_false(scene, answer, f"no extension has come to version {version}")


def _mask(scene: Scene, subject: Mapping[str, int]) -> bytes:
    """Return the mask of extensions of an agent, or of the system."""
    if subject:
        return content(scene, "hsa_agent_get_info", "HSA_AGENT_INFO_EXTENSIONS", **subject)
    return content(scene, "hsa_system_get_info", "HSA_SYSTEM_INFO_EXTENSIONS")


@proves("hsa_system_extension_supported/agrees-with-mask", examples=NEARLY_ALL)
@proves("hsa_system_major_extension_supported/agrees-with-mask", examples=NEARLY_ALL)
@proves("hsa_agent_extension_supported/agrees-with-mask", examples=NEARLY_ALL)
def what_the_mask_denies_is_not_supported(scene: Scene) -> None:
    """No version of an extension is supported whose bit is not set in the mask."""
    function = scene.clause.function
    subject = _subject(scene, function)
    mask = _mask(scene, subject)
    denied = [n for n in known(scene) if not has_bit(mask, n)]
    number = scene.available(denied, "lack of an extension")
    answer = _ask(
        scene,
        function,
        extension=number,
        version_major=scene.choose(MAJORS),
        version_minor=_minor(scene, function, drawing.sampled_from(DENIED)),
        **subject,
    )
    _require_false(scene, answer, "its bit in the mask of extensions is not set")


@proves("hsa_system_extension_supported/some-version-of-mask", examples=ONCE)
@proves("hsa_system_major_extension_supported/some-version-of-mask", examples=ONCE)
@proves("hsa_agent_extension_supported/some-version-of-mask", examples=ONCE)
def what_the_mask_has_is_supported_in_some_version(scene: Scene) -> None:
    """Some version is supported of each extension whose bit is set in the mask."""
    function = scene.clause.function
    subject = _subject(scene, function)
    mask = _mask(scene, subject)
    there = {f"{number:#x}": number for number in known(scene) if has_bit(mask, number)}
    scene.require_any(list(there), "extension whose bit is set in the mask")
    for number in scene.parts("extension", there):
        answers = (
            _ask(scene, function, extension=number, **subject, **version)
            for version in _likely(scene, function)
        )
        scene.require(
            any(_is_true(answer) for answer in answers),
            f"the bit of extension {number:#x} is set, and no version of it is supported",
            f"extension {number:#x}",
        )


def _likely(scene: Scene, function: str) -> Iterator[dict[str, Value]]:
    """Yield the versions of which an extension has one, as a function is asked for them."""
    parameter = scene.session.registry.functions[function].parameter["version_minor"]
    for major in MOST_MAJORS:
        for minor in DENIED if parameter.direction != "out" else (Out(),):
            yield {"version_major": major, "version_minor": minor}


def _newest(scene: Scene) -> tuple[int, int, int]:
    """Return an extension, a major version, and the minor one that the system reports."""
    every = ((number, major) for number in known(scene) for major in MAJORS)
    newest = ((n, major, newest_minor(scene, n, major)) for n, major in every)
    found = [(n, major, minor) for n, major, minor in newest if minor is not None]
    return scene.available(found, "extension")


@proves("hsa_system_extension_supported/agrees-with-major")
def each_version_up_to_the_newest_is_supported(scene: Scene) -> None:
    """Each minor version up to the one that the newer query gives is supported."""
    number, major, newest = _newest(scene)
    minor: int = scene.draw(drawing.integers(0, newest))
    answer = _ask(scene, SYSTEM, extension=number, version_major=major, version_minor=minor)
    scene.require(
        _is_true(answer),
        f"version {major}.{minor} is denied, and {major}.{newest} is reported",
        0,
        Gives("result", (b"\1",)),
    )


@proves("hsa_system_major_extension_supported/minor-if-supported")
def the_newest_minor_version_is_stored(scene: Scene) -> None:
    """The minor version stored is the largest: the one after it is not supported."""
    number, major, newest = _newest(scene)
    answer = _ask(scene, SYSTEM_MAJOR, extension=number, version_major=major, version_minor=Out())
    scene.require(not answer.untouched("version_minor"), "no minor version is stored", "nothing")
    scene.require(
        not alone(scene, number, major, newest + 1),
        f"{major}.{newest} is stored, and the version after it is supported, too",
        f"{major}.{newest + 1}",
    )


@proves("hsa_system_major_extension_supported/minor-if-unsupported")
def no_minor_version_is_stored_of_what_is_not_supported(scene: Scene) -> None:
    """For a version that is not supported, no minor version is stored."""
    number: int = scene.choose(known(scene))
    answer = _ask(
        scene,
        SYSTEM_MAJOR,
        extension=number,
        version_major=scene.draw(UNHEARD),
        version_minor=Out(),
    )
    if _is_true(answer):
        raise CannotMake("the version is said to be supported")
    scene.require(
        answer.untouched("version_minor"),
        "a minor version is stored",
        answer.number("version_minor"),
    )


@proves("hsa_agent_extension_supported/only-if-system", examples=NEARLY_ALL)
def an_agent_supports_nothing_that_the_system_does_not(scene: Scene) -> None:
    """No agent supports a version of an extension that the system does not."""
    denied = [
        (e.number, *version)
        for e in extensions(scene)
        for version, supported in e.versions.items()
        if not supported and version[1] in DENIED
    ]
    number, major, minor = scene.available(denied, "version that it lacks")
    subject = _subject(scene, AGENT)
    answer = _ask(
        scene, AGENT, extension=number, version_major=major, version_minor=minor, **subject
    )
    _require_false(scene, answer, "the system denies it")


def _newest_of_agent(scene: Scene) -> tuple[dict[str, int], int, int, int]:
    """Return an agent, an extension, a major version, and the minor one that it reports."""
    subject = _subject(scene, AGENT_MAJOR)
    number, major = scene.choose(known(scene)), scene.choose(MAJORS)
    answer = _ask(
        scene,
        AGENT_MAJOR,
        extension=number,
        version_major=major,
        version_minor=Out(),
        **subject,
    )
    if not _is_true(answer):
        raise Unsuitable("the agent does not support the extension")
    return subject, number, major, answer.number("version_minor")


@proves("hsa_agent_major_extension_supported/only-if-system", examples=NEARLY_ALL)
def an_agents_versions_are_the_systems(scene: Scene) -> None:
    """The system supports each minor version up to the one that an agent reports."""
    _, number, major, newest = _newest_of_agent(scene)
    minor: int = scene.draw(drawing.integers(0, newest))
    answer = _ask(scene, SYSTEM, extension=number, version_major=major, version_minor=minor)
    scene.require(
        _is_true(answer),
        f"an agent reports {major}.{newest}, and the system denies {major}.{minor}",
        f"extension {number:#x}",
        Gives("result", (b"\1",)),
    )


@proves("hsa_agent_major_extension_supported/agrees-with-minor", examples=NEARLY_ALL)
def each_version_up_to_the_agents_newest_is_supported(scene: Scene) -> None:
    """An agent supports each minor version up to the one that it reports."""
    subject, number, major, newest = _newest_of_agent(scene)
    minor: int = scene.draw(drawing.integers(0, newest))
    answer = _ask(
        scene, AGENT, extension=number, version_major=major, version_minor=minor, **subject
    )
    scene.require(
        _is_true(answer),
        f"version {major}.{minor} is denied, and {major}.{newest} is reported",
        0,
        Gives("result", (b"\1",)),
    )
