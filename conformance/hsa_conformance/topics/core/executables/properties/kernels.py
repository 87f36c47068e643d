"""Attributes of kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from hsa_conformance.code_objects import Kernel
from hsa_conformance.engine.calls.comparing import equal, is_multiple
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import described, loaded
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.shared import kernels
from hsa_conformance.topics.shared.attributes import is_power_of_two
from hsa_conformance.topics.shared.code import generators as code
from hsa_spec import DecidedBy

proves = Proofs()

#: The sizes of memory of a kernel, by the clause: the attribute, a kernel whose code asks for so
#: much, and whether the attribute is neither more nor less.
_SIZES: Final[Mapping[str, tuple[str, Callable[[int], Kernel], bool]]] = {
    "kernarg-room": (
        "KERNEL_KERNARG_SEGMENT_SIZE",
        lambda size: Kernel("sized", arguments=size),
        False,
    ),
    "group-size": ("KERNEL_GROUP_SEGMENT_SIZE", lambda size: Kernel("sized", group=size), True),
    "private-size": (
        "KERNEL_PRIVATE_SEGMENT_SIZE",
        lambda size: Kernel("sized", private=size),
        False,
    ),
}
#: Bytes that kernels ask for.
_AMOUNTS: Final = (64, 16, 1024)
#: Bytes of private memory that a dispatch asks for, where its kernel does not ask for more.
_PRIVATE: Final = {"as declared": 0, "4 KiB": 1 << 12, "64 KiB": 1 << 16}


def _kernel(scene: Scene, *, frozen: bool = False) -> int:
    found = loaded(scene, frozen=frozen)
    kernel = scene.choose(found.code.kernels)
    return executables.symbol(scene, found.handle, f"{kernel.name}.kd", found.agent)


@proves("hsa_executable_symbol_get_info/kernel-object-unfrozen")
def a_kernel_has_no_object_before_freezing(scene: Scene) -> None:
    """The kernel object of a kernel is 0 before the executable is frozen."""
    found = described(scene, _kernel(scene), "KERNEL_OBJECT")
    scene.require(equal(found, 0), "a kernel has an object before freezing", f"{found:#x}")


@proves("hsa_executable_symbol_get_info/kernel-object-frozen")
def a_kernel_has_an_object_once_frozen(scene: Scene) -> None:
    """The kernel object of a kernel is not 0 once the executable is frozen.

    Where kernels run, a dispatch with it runs this kernel, and no other of the same code.
    """
    found = described(scene, _kernel(scene, frozen=True), "KERNEL_OBJECT")
    scene.require(found != 0, "a kernel of frozen code has no object", found)
    if scene.session.runs_kernels and kernels.agents(scene, "store"):
        _require_runs(scene)


def _require_runs(scene: Scene) -> None:
    """Demand of a kernel that stores its argument, and of two others, that each of them runs.

    One of those copies a word, and one takes half of a word through private memory.
    """
    store, copy, private = kernels.several(scene, "store", "copy", "private")
    size = scene.each("private memory", _PRIVATE)
    private = replace(private, private=max(private.private, size))
    queue = queues.queue(scene, agent=store.agent).handle
    value = scene.draw(drawing.integers(1, 2**64 - 1))
    place = int(kernels.words(scene, value, 0, 0, 0))
    # Each could do with the arguments of the others, and would end.
    for number, kernel in enumerate((store, copy, private), 1):
        kernels.run(scene, queue, kernel, place + 8 * number, place)
    found = [kernels.word(scene, place + at) for at in (8, 16, 24)]
    wanted = [place, value, place % 2**32]
    right = found == wanted
    scene.require(
        right,
        f"the kernels did not store {', '.join(f'{each:#x}' for each in wanted)}",
        ", ".join(f"{each:#x}" for each in found),
        decided_by=None if right else DecidedBy.DEVICE,  # or by the library: nobody can tell
    )


@proves("hsa_executable_symbol_get_info/kernarg-size")
def arguments_take_a_multiple_of_16_bytes(scene: Scene) -> None:
    """The size of a kernel's argument segment is a multiple of 16."""
    found = described(scene, _kernel(scene), "KERNEL_KERNARG_SEGMENT_SIZE")
    scene.require(is_multiple(found, 16), "the size is no multiple of 16", found)


@proves("hsa_executable_symbol_get_info/kernarg-alignment")
def arguments_are_aligned(scene: Scene) -> None:
    """The alignment of a kernel's argument segment is a power of two, and at least 16."""
    found = described(scene, _kernel(scene), "KERNEL_KERNARG_SEGMENT_ALIGNMENT")
    scene.require(
        is_power_of_two(found) and found >= 16, "the alignment is no power of two from 16 on", found
    )


@proves("hsa_executable_symbol_get_info/kernarg-room")
@proves("hsa_executable_symbol_get_info/group-size")
@proves("hsa_executable_symbol_get_info/private-size")
def a_kernel_needs_as_much_memory_as_its_code_says(scene: Scene) -> None:
    """The sizes of memory of a kernel are those of its code, also after another of the same name.

    Kernels of one name in several executables ask for different amounts. An executable may be
    destroyed before the next one is made.
    """
    attribute, asking, exact = _SIZES[scene.clause.slug]
    for amount in scene.shuffled(_AMOUNTS):
        agent = code.gpu(scene)
        kernel = asking(amount)
        content = replace(code.code(scene, agent), kernels=(kernel,))
        handle = executables.executable(scene)
        executables.load(scene, handle, agent, code.origin(scene, content))
        symbol = executables.symbol(scene, handle, f"{kernel.name}.kd", agent)
        found = described(scene, symbol, attribute)
        right = found == amount if exact else found >= amount
        words = f"a kernel whose code asks for {amount} bytes needs another amount"
        scene.require(right, words, f"{found} bytes")
        if scene.choose([False, True]):
            scene.set_up("hsa_executable_destroy", executable=handle)
