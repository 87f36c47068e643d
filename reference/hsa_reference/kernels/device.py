"""Kernels that are the code of a GPU: `hsa_device` executes their instructions.

What it needs (numpy, LLVM's library) is looked for when a kernel is first dispatched. Where
something is missing, a line says what to install, and the dispatch is refused like one of an
unknown kernel.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hsa_device import TARGETS
from hsa_reference import memory
from hsa_reference.kernels.executor import (
    Dispatch,
    DispatchContext,
    DispatchEndedError,
    Kernel,
    Launch,
    View,
)

if TYPE_CHECKING:
    from hsa_device import Dispatch as DeviceDispatch
    from hsa_device import Range

_STDERR = 2
#: Where a queue's structure has the upper halves of addresses of LDS and of scratch, as ROCr's
#: amd_queue_t has them: code of GCC takes them from there.
_APERTURES = 64
#: What a queue is told, by the name of the device's error.
_STATUSES: Mapping[str, str] = {
    "IllegalInstructionError": "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION",
    "MemoryFaultError": "HSA_STATUS_ERROR_MEMORY_FAULT",
    "TrapError": "HSA_STATUS_ERROR_EXCEPTION",
    "ResourcesError": "HSA_STATUS_ERROR_OUT_OF_RESOURCES",
    "FormatError": "HSA_STATUS_ERROR_INVALID_CODE_OBJECT",
    "NotExecutedError": "HSA_STATUS_ERROR_FATAL",
}


def lacking(processor: str) -> str | None:
    """Return why no kernel of a processor can run here, None where it can."""
    if processor not in TARGETS:
        return f"the device has no {processor}"
    if find_spec("numpy") is None:  # which is imported late, and takes its time
        return "No module named 'numpy': pip install 'hsa-conformance[device]'"
    from hsa_device import DecoderError, decoder

    try:
        decoder(processor)
    except DecoderError as error:
        return str(error)
    return None


class DeviceExecutor:
    """Runs kernels of the processors that `hsa_device` has."""

    def __init__(self) -> None:
        self._complained = False

    def find(self, kernel: Kernel) -> Launch | None:
        """Return what runs the dispatches of a kernel, None where that cannot be done here."""
        processor = kernel.target.processor
        if processor not in TARGETS:
            return None
        if reason := lacking(processor):
            self._complain(f"no kernel can run: {reason}")
            return None
        return lambda dispatch: _run(kernel, dispatch)

    def _complain(self, text: str) -> None:
        if not self._complained:
            self._complained = True
            _say(text)


def _say(text: str) -> None:
    with suppress(OSError):  # a program may have closed it
        os.write(_STDERR, f"hsa_reference: {text}\n".encode(errors="replace"))


def _run(kernel: Kernel, dispatch: Dispatch) -> None:
    """Run a dispatch; one that is stopped just ends."""
    from hsa_device import Device, DeviceError, Machine, Memory, StoppedError

    surroundings = dispatch.surroundings
    reach = _Reach(surroundings)
    try:
        machine = Machine(kernel.target.processor, surroundings.compute_units)
        for at, name in enumerate(("shared", "private")):
            place = surroundings.queue + _APERTURES + 4 * at
            memory.store(place, machine.apertures[f"src_{name}_base"] >> 32, 4)
        device = Device(machine, Memory(reach.ranges))
        device.run(_translated(kernel, dispatch), surroundings.stopped)
    except StoppedError:
        return
    except DeviceError as error:
        _say(f"kernel {kernel.symbol.decode(errors='replace')}: {error}")
        raise DispatchEndedError(_STATUSES[type(error).__name__]) from error
    finally:
        reach.give_back()


def _translated(kernel: Kernel, dispatch: Dispatch) -> DeviceDispatch:
    from hsa_device import Dispatch as Translated

    return Translated(
        kernel.descriptor,
        dispatch.work_group,
        dispatch.grid,
        dispatch.arguments,
        dispatch.group_segment,
        dispatch.private_segment,
        dispatch.packet,
        dispatch.surroundings.queue,
        dispatch.number,
    )


class _Reach:
    """The memory that a dispatch reaches.

    Memory that the runtime gave out is there where the agent has access, whoever else has; the rest
    of the process is as on a machine whose GPUs reach all memory of a program.

    Args:
        surroundings: of the dispatch.

    """

    def __init__(self, surroundings: DispatchContext) -> None:
        self._surroundings = surroundings
        self._views: list[View] = []

    def ranges(self) -> Iterator[Range]:
        """Yield the ranges; what they are made of stays until it is given back."""
        from hsa_device import Range, content_at, mapped, without

        views = list(self._surroundings.views())
        self._views += views
        given = [Range(v.address, content_at(v.start or v.address, v.size)) for v in views]
        yield from without(mapped(), given)
        yield from (each for each, view in zip(given, views, strict=True) if view.start)

    def give_back(self) -> None:
        """Unmap what was mapped for the agent."""
        for view in self._views:
            if view.start:
                memory.unmap(view.start, view.size)
