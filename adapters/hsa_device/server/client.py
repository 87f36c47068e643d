"""Memory of a client: read and written in bulk, through its process or by its driver."""

from __future__ import annotations

import ctypes
import errno
import os

import numpy as np

from hsa_device.errors import MemoryFaultError
from hsa_device.memory import Addresses, Octets
from hsa_device.native import OPERATIONS
from hsa_device.server.channel import Channel
from hsa_device.server.spans import Spans, portions
from hsa_device.wire import CHANGE, MOST_BYTES, SPAN, Message

_MOST_SPANS = 1024  # of one call of the system
_REFUSED = (errno.EPERM, errno.ESRCH, errno.ENOSYS)


class _Vector(ctypes.Structure):
    _fields_ = (("address", ctypes.c_uint64), ("size", ctypes.c_uint64))


class ClientMemory:
    """Memory of the client of a channel.

    The system may forbid to reach into another process, always or for this one, and pages may be
    missing. All that does not succeed in this way is left to the driver, which answers for it.

    Args:
        channel: the channel.
        direct: whether to try it without the driver.

    """

    def __init__(self, channel: Channel, *, direct: bool) -> None:
        self._channel = channel
        self._client = channel.client
        self._system = ctypes.CDLL(None, use_errno=True)
        self._direct = direct

    def read(self, spans: Spans, moved: int) -> Octets:
        """Return the bytes of spans.

        Args:
            spans: as the device sees them.
            moved: how much further they lie in the client.

        Raises:
            MemoryFaultError: there is no memory.

        """
        content = np.empty(spans.total, np.uint8)
        if not self._transfer("process_vm_readv", spans, moved, content):
            self._ask(Message.READ, spans, content)
        return content

    def write(self, spans: Spans, moved: int, content: Octets) -> None:
        """Write the bytes of spans; see `read`."""
        if not self._transfer("process_vm_writev", spans, moved, content):
            self._ask(Message.WRITE, spans, content)

    def change(
        self,
        operation: str,
        size: int,
        addresses: Addresses,
        values: Addresses,
        compares: Addresses | None,
    ) -> Addresses:
        """Change numbers by an atomic operation, which the driver makes; see `Memory.modify`."""
        compared = values if compares is None else compares
        changes = np.stack([addresses, values, compared], axis=1)
        old = np.empty(len(addresses), np.uint64)
        step = MOST_BYTES // CHANGE.size
        for start in range(0, len(addresses), step):
            part = np.ascontiguousarray(changes[start : start + step], "<u8")
            asked = (len(part), OPERATIONS.index(operation), size)
            content = self._done(Message.CHANGE, *asked, part.tobytes())
            old[start : start + step] = np.frombuffer(content, "<u8")
        return old

    def _transfer(self, function: str, spans: Spans, moved: int, content: Octets) -> bool:
        """Return whether all bytes were moved by the system."""
        if not self._direct:
            return False
        there = np.stack([spans.starts + np.uint64(moved & 2**64 - 1), spans.sizes], axis=1)
        here = content.ctypes.data
        for start in range(0, len(there), _MOST_SPANS):
            part = np.ascontiguousarray(there[start : start + _MOST_SPANS])
            wanted = int(part[:, 1].sum())
            ours = _Vector(here, wanted)
            moved_bytes = getattr(self._system, function)(
                *(self._client, ctypes.byref(ours), 1),
                *(ctypes.c_void_p(part.ctypes.data), ctypes.c_ulong(len(part)), ctypes.c_ulong(0)),
            )
            if moved_bytes != wanted:
                self._direct = not (moved_bytes < 0 and ctypes.get_errno() in _REFUSED)
                return False
            here += wanted
        return True

    def _ask(self, kind: Message, spans: Spans, content: Octets) -> None:
        starts = spans.starts.tolist()
        before = (np.cumsum(spans.sizes) - spans.sizes).tolist()
        for portion in portions(spans.sizes, MOST_BYTES, SPAN.size):
            sent = b"".join(SPAN.pack(starts[n] + at, size) for n, at, size in portion)
            parts = [content[before[n] + at :][:size] for n, at, size in portion]
            total = sum(map(len, parts))
            if kind == Message.WRITE:
                sent += b"".join(each.tobytes() for each in parts)
            found = np.frombuffer(self._done(kind, len(portion), total, 0, sent), np.uint8)
            for each in parts if kind == Message.READ else ():
                each[:] = found[: len(each)]
                found = found[len(each) :]

    def _done(self, kind: Message, count: int, first: int, second: int, content: bytes) -> bytes:
        answer = self._channel.ask(kind, count, first, second, content)
        if answer.file >= 0:
            os.close(answer.file)
        if not answer.count:
            raise MemoryFaultError(f"no memory at {answer.first:#x}", answer.first)
        return answer.content
