"""What the reference asks for, as the suite has it refused: in this process, or as a library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hsa_adapters.errors import AdapterError
from hsa_adapters.memory import ERROR, MEMORY
from hsa_adapters.request_faults import RequestFaults
from hsa_adapters.temporary import TemporaryFolder

if TYPE_CHECKING:
    from hsa_reference.requests import Requests


def refusers(requests: Requests) -> tuple[RequestFaults, RequestFaults]:
    """Return what refuses the driver's resources, and what refuses memory, whoever has it."""
    from hsa_reference.requests import ERRORS, OBJECT

    driver = {kind: (error, (kind,)) for kind, error in ERRORS.items() if kind != OBJECT}
    memory = {MEMORY: (ERROR, [kind for kind, error in ERRORS.items() if error == ERROR])}
    return RequestFaults(requests, driver), RequestFaults(requests, memory)


class ReferenceRequests:
    """The requests of a library, if it is the reference; see `CountedElsewhere`."""

    def __init__(self) -> None:
        self._folder: TemporaryFolder | None = None
        self._requests: Requests | None = None

    def environment(self) -> Mapping[str, str]:
        """Return the variable that names the file to the library in which it counts.

        Raises:
            AdapterError: there is no room for the file.

        """
        from hsa_reference.requests import SIZE, VARIABLE, shared

        try:
            self._folder = TemporaryFolder()
            path = self._folder.path / "requests"
            path.write_bytes(bytes(SIZE))
            self._requests = shared(path)
        except OSError as error:
            raise AdapterError(f"cannot make a temporary file: {error.strerror}") from None
        return {VARIABLE: str(path)}

    def refusers(self) -> tuple[RequestFaults, RequestFaults] | None:
        """Return what refuses it the driver's resources and memory, if it has come to ask."""
        if self._requests is None or not self._requests.there():
            return None
        return refusers(self._requests)

    def close(self) -> None:
        """Remove the file."""
        if self._folder is not None:
            self._folder.close()
        self._folder = self._requests = None
