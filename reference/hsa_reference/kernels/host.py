"""Kernels that are functions of the host: a file binds their symbols to a shared library."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path

from hsa_reference.kernels.executor import Dispatch, Kernel, Launch, Size
from hsa_spec.documents import Document, check_documents, read_documents
from hsa_spec.errors import RegistryError

_SCHEMA = Path(__file__).with_name("kernels.schema.json")
_SUFFIX = ".kd"
_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)
_THREE = ctypes.c_uint32 * 3


class KernelsError(RegistryError):
    """A file of kernels breaks a rule; the message names file, line and what is wrong."""


class Ids(ctypes.Structure):
    """Which work-item a function is called for: `hsa_reference_ids_t` of the how-to page."""

    _fields_ = (
        ("item", _THREE),
        ("group", _THREE),
        ("item_in_group", _THREE),
        ("group_size", _THREE),
        ("group_memory", ctypes.c_uint64),
    )


class HostExecutor:
    """Runs kernels by calls of functions of the host.

    Args:
        launches: what runs a kernel, by its symbol.

    """

    def __init__(self, launches: Mapping[bytes, Launch]) -> None:
        self._launches = launches

    def find(self, kernel: Kernel) -> Launch | None:
        """Return what runs the dispatches of a kernel, None where the file does not name it."""
        return self._launches.get(kernel.symbol)


def load_kernels(path: Path) -> HostExecutor:
    """Return the executor of the kernels that a file binds.

    Args:
        path: of the file; libraries that it names are looked up from its folder.

    Raises:
        KernelsError: the file breaks a rule, or what it names cannot be loaded.

    """
    try:
        document = _read(path)
        bound = document.data["kernels"]
        return HostExecutor({name.encode(): _launch(document, name) for name in bound})
    except OSError as error:
        raise KernelsError(path, None, f"{error.strerror}; name a file of kernels") from None
    except RegistryError as error:
        raise KernelsError(error.path, error.line, error.rule) from None


def _read(path: Path) -> Document:
    documents = list(read_documents(path))
    if len(documents) != 1:
        raise RegistryError(path, None, f"expected one document, not {len(documents)}")
    check_documents(documents, _SCHEMA)
    return documents[0]


def _launch(document: Document, name: str) -> Launch:
    """Return what runs a kernel of the file."""
    bound = document.data["kernels"][name]
    library = document.path.parent / bound["library"]
    try:
        loaded = ctypes.CDLL(str(library.resolve()))
    except OSError as error:
        rule = f"kernels.{name}.library: cannot be loaded: {error}"
        raise document.error(["kernels", name, "library"], rule) from None
    wanted = bound.get("function", name.removesuffix(_SUFFIX))
    try:
        function = _FUNCTION((wanted, loaded))
    except AttributeError:
        rule = f"kernels.{name}.function: {library} has no function {wanted!r}"
        raise document.error(["kernels", name, "function"], rule) from None
    return _caller(function, _ITEMS[bound.get("once_per", "work_item")])


def _caller(
    function: Callable[[int, int, int], None], items: Callable[[Size], Iterator[Size]]
) -> Launch:
    """Return what calls a function for each work-group, or each of the items in it."""

    def launch(dispatch: Dispatch) -> None:
        ids = Ids()
        shared = ctypes.create_string_buffer(dispatch.group_segment)
        ids.group_memory = ctypes.addressof(shared) if dispatch.group_segment else 0
        here = ctypes.addressof(ids)
        for group, first, size in _groups(dispatch):
            ids.group[:], ids.group_size[:] = group, size
            for place in items(size):
                ids.item_in_group[:] = place
                ids.item[:] = [a + b for a, b in zip(first, place, strict=True)]
                function(dispatch.arguments, dispatch.packet, here)

    return launch


def _groups(dispatch: Dispatch) -> Iterator[tuple[Size, Size, Size]]:
    """Yield place, first work-item and size of each work-group; those at the end are smaller."""
    (width, height, depth), (x_size, y_size, z_size) = dispatch.grid, dispatch.work_group
    counts = -(-width // x_size), -(-height // y_size), -(-depth // z_size)
    for x, y, z in _places(counts):
        first = x * x_size, y * y_size, z * z_size
        left = width - first[0], height - first[1], depth - first[2]
        yield (
            (x, y, z),
            first,
            (min(x_size, left[0]), min(y_size, left[1]), min(z_size, left[2])),
        )


def _places(size: Size) -> Iterator[Size]:
    """Yield each place in a box, the first dimension fastest."""
    for z, y, x in product(*map(range, reversed(size))):
        yield x, y, z


def _first(_: Size) -> Iterator[Size]:
    yield 0, 0, 0


_ITEMS: Mapping[str, Callable[[Size], Iterator[Size]]] = {
    "work_item": _places,
    "work_group": _first,
}
