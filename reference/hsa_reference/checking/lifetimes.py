"""Which functions make and give back what, by the registry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hsa_spec import Function, Parameter, Registry
from hsa_spec.layout import pointee, unqualified

#: The kinds of objects by the type that names them, with the vocabulary's names where it has one.
KINDS: Mapping[str, str] = {
    "hsa_signal_t": "signal",
    "hsa_signal_group_t": "signal_group",
    "hsa_queue_t*": "queue",
    "hsa_executable_t": "executable",
    "hsa_code_object_reader_t": "code_object_reader",
    "hsa_code_object_t": "code_object",
    "hsa_amd_vmem_alloc_handle_t": "memory_handle",
    "hsa_amd_external_semaphore_t": "external_semaphore",
    "hsa_ext_image_t": "image",
    "hsa_ext_sampler_t": "sampler",
    "hsa_ext_program_t": "program",
    "hsa_ext_code_object_writer_t": "code_object_writer",
    "hsa_ven_amd_pcs_t": "sampling_session",
}

#: How people call them.
NOUNS: Mapping[str, str] = {
    "memory_handle": "memory handle",
    "allocation": "block of a pool",
    "region_block": "block of a region",
    "reservation": "reserved range",
    "attached": "attached block",
    "locked": "locked range",
    "buffer": "mapped buffer",
}

#: Kinds that are memory, which a copy must not leave.
BLOCKS = frozenset({"allocation", "region_block"})
#: Kinds of which one at most is at an address; all others are given back as often as given.
SINGLE = BLOCKS | {"reservation", "mapping", "buffer"}


@dataclass(frozen=True)
class CreatedObject:
    """An object that a success makes.

    Attributes:
        kind: its kind.
        key: the place of the parameter that leads to its handle or address.
        size: the place of the parameter that has its size.
        output: whether the key is where the function writes it.
        size_output: whether the size is.

    """

    kind: str
    key: int
    size: int | None = None
    output: bool = True
    size_output: bool = False


@dataclass(frozen=True)
class ReleasedObject:
    """An object that a success gives back; all of a range where there is a `size`."""

    kind: str
    key: int
    size: int | None = None


@dataclass(frozen=True)
class DescriptorArray:
    """Where a call writes queues: into an array of descriptors.

    Attributes:
        array: the place of the parameter that has its address.
        count: the place of the parameter that has its length.
        stride: bytes of a descriptor.
        member: where the queue is in one, in bytes.

    """

    array: int
    count: int
    stride: int
    member: int


# What parameters and kinds are, where types do not say: addresses of all sorts have one type.
_MADE: Mapping[str, tuple[str, str, str | None, bool]] = {
    "hsa_memory_allocate": ("region_block", "ptr", "size", True),
    "hsa_amd_memory_pool_allocate": ("allocation", "ptr", "size", True),
    "hsa_amd_vmem_address_reserve": ("reservation", "va", "size", True),
    "hsa_amd_vmem_address_reserve_align": ("reservation", "va", "size", True),
    "hsa_amd_vmem_map": ("mapping", "va", "size", False),
    "hsa_amd_vmem_handle_create": ("memory_handle", "memory_handle", "size", True),
    "hsa_amd_vmem_import_shareable_handle": ("memory_handle", "handle", None, True),
    "hsa_amd_vmem_retain_alloc_handle": ("memory_handle", "memory_handle", None, True),
    "hsa_amd_ipc_memory_attach": ("attached", "mapped_ptr", "len", True),
    "hsa_amd_memory_lock": ("locked", "host_ptr", "size", False),
    "hsa_amd_memory_lock_to_pool": ("locked", "host_ptr", "size", False),
    "hsa_amd_interop_map_buffer": ("buffer", "ptr", "size", True),
    "hsa_amd_interop_map_buffer_with_size": ("buffer", "ptr", "size", True),
}
_GIVEN: Mapping[str, tuple[str, str, str | None]] = {
    "hsa_memory_free": ("region_block", "ptr", None),
    "hsa_amd_memory_pool_free": ("allocation", "ptr", None),
    "hsa_amd_vmem_address_free": ("reservation", "va", None),
    "hsa_amd_vmem_unmap": ("mapping", "va", "size"),
    "hsa_amd_vmem_handle_release": ("memory_handle", "memory_handle", None),
    "hsa_amd_ipc_memory_detach": ("attached", "mapped_ptr", None),
    "hsa_amd_memory_unlock": ("locked", "host_ptr", None),
    "hsa_amd_interop_unmap_buffer": ("buffer", "ptr", None),
}


def noun(kind: str) -> str:
    """Return what people call a kind of object."""
    return NOUNS.get(kind, kind.replace("_", " "))


def made_by(function: Function) -> Iterator[CreatedObject]:
    """Yield what a success of a function makes."""
    if known := _MADE.get(function.name):
        kind, key, size, output = known
        length = _place(function, size) if size else None
        written = length is not None and function.params[length].direction == "out"
        yield CreatedObject(kind, _place(function, key), length, output, written)
        return
    for index, parameter in enumerate(function.params):
        if parameter.ownership == "creates":
            kind_made = KINDS.get(pointee(parameter.type))
            if kind_made is not None:
                yield CreatedObject(kind_made, index)


def given_by(function: Function) -> ReleasedObject | None:
    """Return what a success of a function gives back."""
    if known := _GIVEN.get(function.name):
        kind, key, size = known
        return ReleasedObject(kind, _place(function, key), _place(function, size) if size else None)
    for index, parameter in enumerate(function.params):
        if parameter.ownership == "consumes" and (named := kind_of(parameter)):
            return ReleasedObject(named, index)
    return None


def described_by(function: Function, registry: Registry) -> DescriptorArray | None:
    """Return where a function writes queues into descriptors, None for all others."""
    for index, parameter in enumerate(function.params):
        struct = registry.structs.get(pointee(parameter.type))
        if parameter.direction == "inout" and parameter.length and struct:
            for member in struct.fields:
                if KINDS.get(unqualified(member.type)) == "queue":
                    count = _place(function, parameter.length)
                    return DescriptorArray(index, count, struct.size, member.offset)
    return None


def kind_of(parameter: Parameter) -> str | None:
    """Return the kind of object that the value of a parameter names."""
    name = unqualified(parameter.type)
    return None if parameter.direction == "out" else KINDS.get(name)


def kind_of_elements(parameter: Parameter) -> str | None:
    """Return the kind of objects that the elements of an array name."""
    if parameter.length is None or parameter.direction == "out":
        return None
    return KINDS.get(pointee(parameter.type))


def tracked(registry: Registry) -> frozenset[str]:
    """Return the kinds of which every maker is known."""
    return frozenset(made.kind for f in registry.functions.values() for made in made_by(f))


def _place(function: Function, name: str) -> int:
    return next(i for i, p in enumerate(function.params) if p.name == name)
