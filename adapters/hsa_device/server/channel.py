"""Messages with the driver of a queue; see `hsa_device.wire`."""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass

from hsa_device.wire import HEAD, MOST_BYTES, Message

_CREDENTIALS = struct.Struct("iII")


class GoneError(Exception):
    """The other end of a channel is gone."""


@dataclass(frozen=True)
class ReceivedMessage:
    """A message.

    Args:
        kind: what it is.
        count: the small number of its head.
        first: the first large one.
        second: the other.
        content: what follows the head.
        file: the descriptor that came with it, -1 for none; who receives it closes it.

    """

    kind: int
    count: int
    first: int
    second: int
    content: bytes
    file: int = -1


class Channel:
    """A connection with the driver of a queue.

    Args:
        connection: the socket.
        forget: called before the driver is told that nothing is used any more.

    """

    def __init__(self, connection: socket.socket, forget: Callable[[], None]) -> None:
        self._connection = connection
        self._forget = forget
        self._readable = select.poll()
        self._readable.register(connection, select.POLLIN)

    @property
    def client(self) -> int:
        """Return the process on the other end."""
        size = _CREDENTIALS.size
        found = self._connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        return int(_CREDENTIALS.unpack(found)[0])

    def send(
        self, kind: Message, count: int = 0, first: int = 0, second: int = 0, content: bytes = b""
    ) -> None:
        """Send a message.

        Raises:
            GoneError: nobody is there any more.

        """
        assert len(content) <= MOST_BYTES
        try:
            self._connection.sendall(HEAD.pack(kind, count, first, second, len(content)) + content)
        except OSError:
            raise GoneError from None

    def receive(self) -> ReceivedMessage:
        """Wait for a message; what asks to forget is answered here.

        Raises:
            GoneError: nobody is there any more.

        """
        while True:
            received = self._receive()
            if received.kind != Message.FORGET:
                return received
            self._answer(received)

    def ask(
        self, kind: Message, count: int = 0, first: int = 0, second: int = 0, content: bytes = b""
    ) -> ReceivedMessage:
        """Send a message, and return the answer.

        Raises:
            GoneError: nobody is there any more.

        """
        self.send(kind, count, first, second, content)
        return self.receive()

    def look(self) -> None:
        """Answer what came while nothing was asked, which can only be to forget.

        Raises:
            GoneError: nobody is there any more.

        """
        while self._readable.poll(0):
            received = self._receive()
            assert received.kind == Message.FORGET
            self._answer(received)

    def end_with_client(self) -> None:
        """End this process, whatever it does then, as soon as the other end is gone."""
        threading.Thread(target=self._watch, daemon=True).start()

    def _answer(self, asked: ReceivedMessage) -> None:
        self._forget()
        self.send(Message.FORGOTTEN, first=asked.first)

    def _watch(self) -> None:
        watched = select.poll()
        watched.register(self._connection, select.POLLRDHUP)
        watched.poll()
        os._exit(0)

    def _receive(self) -> ReceivedMessage:
        try:
            head, files, _, _ = socket.recv_fds(self._connection, HEAD.size, 1)
            head += self._exactly(HEAD.size - len(head)) if head else b""
            if not head:
                raise GoneError
            kind, count, first, second, size = HEAD.unpack(head)
            content = self._exactly(size)
        except OSError:
            raise GoneError from None
        return ReceivedMessage(kind, count, first, second, content, files[0] if files else -1)

    def _exactly(self, size: int) -> bytes:
        content = bytearray(size)
        left = memoryview(content)
        while left:
            count = self._connection.recv_into(left)
            if not count:
                raise GoneError
            left = left[count:]
        return bytes(content)
