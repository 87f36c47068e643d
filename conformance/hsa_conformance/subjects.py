"""The adapters that come with the suite, and how adapters are found by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from hsa_adapters import Adapter, AdapterError, InProcessAdapter, LibraryAdapter, MisuseError
from hsa_adapters.library.adapter import BUDGET, UNKNOWN
from hsa_adapters.limits import MIB, Limits
from hsa_adapters.virtual_kfd import ImitatedAdapter
from hsa_conformance.configurations import ALL, PLAN, Configuration
from hsa_conformance.guard import broken, guarded
from hsa_conformance.reference_requests import ReferenceRequests, refusers
from hsa_spec import Claim, Registry, RegistryError, load, read_claim
from hsa_spec.machines import Machine, MachineError, load_machine

if TYPE_CHECKING:
    from hsa_reference import Machine as ModelledMachine

#: The claim of a library, beside it, when the command line names none.
CLAIM = "claim.yaml"
#: The claim of a library to have what it exports, and nothing else.
EXPORTED = "exported"

GROUP = "hsa_conformance.adapters"
#: Where the adapters are made that come with the suite.
_OURS = __name__.partition(".")[0]


@dataclass(frozen=True)
class Options:
    """What the command line says about the implementation.

    Args:
        library: path of a shared library.
        via: a command that runs the worker elsewhere; see `hsa_adapters.library.via.command`.
        host: the host on this machine that `via` enters, if it enters one.
        release: the ROCm release, when the user knows better than the library.
        machine: the machine that the reference models: a name or a file.
        budget: seconds that one call may take.
        output: MiB of a process's output that are kept.
        memory: MiB that a process may hold.
        claim: a file that says what a library is meant to offer, or EXPORTED; by default
            `claim.yaml` beside the library, if both are there.
        virtual_kfd: the machine to imitate under a library: a name or a file.
        emulated: what somebody else's emulation of driver or devices is called, where there is one.
        seed: of the facts of that machine that its file leaves open.
        environment: variables to set before a library is loaded.

    """

    library: str | None = None
    via: str | None = None
    host: str | None = None
    release: str | None = None
    machine: str | None = None
    budget: float | None = None
    output: int | None = None
    memory: int | None = None
    claim: str | None = None
    virtual_kfd: str | None = None
    emulated: str | None = None
    seed: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)


def plan(options: Options) -> Sequence[Configuration]:
    """Return what the implementation is put on, one after the other.

    Args:
        options: what the command line says; its variables are set on each machine.

    """
    if options.virtual_kfd != ALL:
        return [Configuration(options.virtual_kfd, options.environment)]
    return [replace(each, environment={**each.environment, **options.environment}) for each in PLAN]


Factory = Callable[[Options, Registry], Adapter]


def reference(options: Options | None = None, registry: Registry | None = None) -> Adapter:
    """Return the adapter of the reference implementation, in this process.

    Raises:
        MisuseError: the machine that it shall model cannot be read.
        AdapterError: its kernels cannot be read, or there is no C compiler for its atomic
            operations.

    """
    from hsa_reference import KernelsError, NativeError, Runtime
    from hsa_reference.requests import REQUESTS

    specification = registry or load()
    named = options.machine if options else None
    chosen = _modelled(named, specification) if named else None
    try:
        runtime = Runtime(chosen, specification)
    except MachineError as error:
        raise MisuseError(str(error)) from None
    except (KernelsError, NativeError) as error:
        raise AdapterError(str(error)) from None
    faults, memory = refusers(REQUESTS)
    return InProcessAdapter(
        "reference",
        lambda: Runtime(runtime.machine, specification).functions(),
        specification,
        kernels=runtime.executes_code(),
        faults=faults,
        memory=memory,
    )


def library(options: Options, registry: Registry) -> Adapter:
    """Return the adapter of a shared library, in a worker, with an imitated machine if asked for.

    Raises:
        MisuseError: a machine, or a claim that was named, cannot be read.
        AdapterError: nor can the claim beside the library.

    """
    assert options.library, "make() has looked"
    claim, imitated = _of_library(options, registry)
    machine = {"HSA_REFERENCE_MACHINE": options.machine} if options.machine else {}
    adapter = LibraryAdapter(
        options.library,
        registry,
        via=options.via,
        release=options.release,
        claims=claim.functions if claim else None,
        named=claim.named if claim else frozenset(),
        claims_exports=options.claim == EXPORTED,
        claimed=claim.release if claim else UNKNOWN,
        agents=claim.agents if claim else None,
        environment={**machine, **options.environment},
        # The reference as a library, which counts its requests, has a claim beside it.
        requests=ReferenceRequests() if claim_beside(options.library) else None,
        share_core=True if options.host else None,
        budget=BUDGET if options.budget is None else options.budget,
        limits=_limits(options),
    )
    return adapter if imitated is None else ImitatedAdapter(adapter, imitated, options.seed)


def check_files(name: str, options: Options, registry: Registry) -> None:
    """Refuse files that the adapter of a name would refuse, if it comes with the suite.

    Raises:
        MisuseError: a machine, or a claim that was named, cannot be read.
        AdapterError: nor can the claim beside the library.

    """
    if name == "library":
        _of_library(options, registry)
    elif name == "reference" and options.machine:
        _modelled(options.machine, registry)


def _of_library(options: Options, registry: Registry) -> tuple[Claim | None, Machine | None]:
    """Return the claim of a library, and the machine that is to be imitated under it."""
    claim = _claim(options, registry)
    if options.machine and not options.via:
        _machine(options.machine)  # what is wrong with it would be no more than a failed hsa_init
    # For all of the suite's machines in turn there is no file.
    alone = options.virtual_kfd not in (None, ALL)
    return claim, _machine(str(options.virtual_kfd)) if alone else None


def _modelled(name: str, registry: Registry) -> ModelledMachine:
    """Return the machine that the reference is to model."""
    from hsa_reference import load_machine as load_modelled

    try:
        return load_modelled(name, registry)
    except MachineError as error:
        raise MisuseError(str(error)) from None


def _machine(name: str) -> Machine:
    try:
        return load_machine(name)
    except MachineError as error:
        raise MisuseError(str(error)) from None


def _claim(options: Options, registry: Registry) -> Claim | None:
    if options.claim == EXPORTED:
        return None
    assert options.library, "make() has looked"
    path = options.claim or claim_beside(options.library)
    try:
        return read_claim(Path(path), registry) if path else None
    except RegistryError as error:
        wrong = MisuseError if options.claim else AdapterError  # nobody named the one beside it
        raise wrong(f"the claim {error}") from None


def claim_beside(library: str) -> Path | None:
    """Return the claim in a library's folder, None where there is none.

    What the dynamic loader finds by its name, or lies on another machine, is in no folder here.
    """
    path = Path(library)
    claim = path.parent / CLAIM
    return claim if path.is_file() and claim.is_file() else None


def _limits(options: Options) -> Limits:
    limits = Limits()
    if options.output is not None:
        limits = replace(limits, output=options.output * MIB)
    if options.memory is not None:
        limits = replace(limits, memory=options.memory * MIB)
    return limits


def misuse(name: str, options: Options) -> str | None:
    """Return what is wrong with the words themselves, whatever they name, or None."""
    known = sorted(point.name for point in entry_points(group=GROUP))
    if name not in known:
        return f"unknown adapter {name!r}; installed are {', '.join(known)}"
    if options.emulated and options.virtual_kfd:
        return "--virtual-kfd imitates the driver itself: leave out --emulated"
    problems: dict[str, list[tuple[object, str]]] = {
        "library": [(not options.library, "the adapter 'library' needs --library PATH")],
        "reference": [
            (
                options.library or options.via,
                "the reference runs in this process: leave out --library and --via",
            ),
            (
                options.virtual_kfd,
                "the reference needs no driver: --virtual-kfd goes with --library",
            ),
            (
                options.environment,
                "the reference reads no variables here: --env goes with --library",
            ),
            (
                options.emulated,
                "the reference needs no driver: --emulated goes with --library",
            ),
            (options.claim, "the reference claims what it has: --claim goes with --library"),
        ],
    }
    return next((problem for holds, problem in problems.get(name, []) if holds), None)


def make(name: str, options: Options, registry: Registry) -> Adapter:
    """Return the adapter of this name.

    Raises:
        AdapterError: no adapter has that name, or more than one; its options contradict each
            other; or it cannot be made.

    """
    if problem := misuse(name, options):
        raise MisuseError(problem)
    point, *others = entry_points(group=GROUP, name=name)
    if others:
        packages = " and ".join(sorted(p.dist.name for p in (point, *others) if p.dist))
        raise MisuseError(f"more than one adapter is named {name!r}, by {packages}: uninstall one")
    words = f"the adapter {name!r} ({point.value})"
    try:
        factory: Factory = point.load()
        adapter = factory(options, registry)
    except AdapterError:
        raise
    except Exception as error:  # whatever a third party's code raises
        raise broken(words, error) from error
    if not hasattr(adapter, "start"):
        raise AdapterError(f"{words} is broken: it made a {type(adapter).__name__}")
    return adapter if point.module.partition(".")[0] == _OURS else guarded(adapter, words)
