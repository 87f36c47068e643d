"""What the registry holds, as plain frozen data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hsa_spec.conditions.syntax import Atom


#: The answer of a text that leaves a call undefined, as documents write it.
ANYTHING = "anything"
#: The headers of AMD's extension, whose interface has versions of its own.
AMD_HEADERS = frozenset({"hsa_ext_amd.h", "hsa_ext_amd_aie.h", "hsa_amd_tool.h"})
#: The HSA Foundation's own header of its extensions, of which releases of ROCm have none.
FOUNDATION_HEADER = "hsa_ext.h"
#: What documents write for the release of ROCm that has such a thing.
NEVER = "never"
#: What a source names in place of a header where the HSA Foundation's document says so.
SPECIFICATION = "HSA Runtime Programmer's Reference Manual 1.1"
#: What it names where no text says so, and the suite has a rule of its own.
CONVENTION = "convention of this suite"
#: Those rules by the name that documents have for them.
CONVENTIONS = {"failure": "a call that fails leaves nothing behind"}


class Strength(StrEnum):
    """How far a clause binds an implementation."""

    MUST = "must"
    SHOULD = "should"
    MAY = "may"
    UNDEFINED = "undefined"
    OBSERVED = "observed"


class DecidedBy(StrEnum):
    """Who really gives the answer that a clause is about."""

    RUNTIME = "runtime"
    DRIVER = "driver"
    DEVICE = "device"


class Kind(StrEnum):
    """What sort of statement a clause makes."""

    STATUS = "status"  # under `when`, the call returns `status`
    EFFECT = "effect"  # after the call, `states` can be observed
    EXPORT = "export"  # the library offers the function at all


@dataclass(frozen=True)
class Versions:
    """The releases in which something exists, by HSA version, extension interface and ROCm release.

    Each bound is a dotted version or None for "no bound"; `until` is the first release without it.
    `never_rocm` is for an extension that no release of ROCm has, and that others may have.
    """

    amd_interface: str | None = None
    rocm: str | None = None
    until_rocm: str | None = None
    until_interface: str | None = None
    hsa: str | None = None
    until_hsa: str | None = None
    never_rocm: bool = False

    def __str__(self) -> str:
        """Return the bounds in words, or nothing where there are none."""
        interface = f"interface {self.amd_interface}" if self.amd_interface else ""
        rocm = f"ROCm {self.rocm}" if self.rocm else ""
        amd = f"{interface} ({rocm})" if interface and rocm else interface or rocm
        hsa = f"HSA {self.hsa}" if self.hsa else ""
        never = "in no release of ROCm" if self.never_rocm else ""
        begin = ", ".join(filter(None, (hsa, amd, never)))
        ends = (
            f"before HSA {self.until_hsa}" if self.until_hsa else "",
            f"before ROCm {self.until_rocm}" if self.until_rocm else "",
            f"before interface {self.until_interface}" if self.until_interface else "",
        )
        return ", ".join(part for part in (f"since {begin}" if begin else "", *ends) if part)


@dataclass(frozen=True)
class Source:
    """Where a statement comes from, precise enough to find the line.

    Args:
        header: the header, SPECIFICATION or CONVENTION.
        section: what has the text there: a function and a part of its comment, an enumerator, a
            member of a structure, a section of the specification, or the convention itself.
        note: what the text says of this, or why it is what decides.

    """

    header: str
    section: str
    note: str | None = None

    def __str__(self) -> str:
        """Return the source as one line for people."""
        text = f"{self.header}, {self.section}"
        return f"{text} ({self.note})" if self.note else text


@dataclass(frozen=True)
class Reading:
    """What one of several texts makes of a call.

    `status` holds the statuses that it gives, any of which is right, and `states` what can be
    observed, where the clause is an effect. Where both are empty anything may happen: the text
    leaves the call undefined.
    """

    source: Source
    status: tuple[str, ...] = ()
    states: str = ""

    @property
    def anything(self) -> bool:
        """Return whether anything may happen by this text."""
        return not self.status and not self.states

    @property
    def answer(self) -> str:
        """Return the answer as one line for people."""
        return " or ".join(self.status) or self.states.rstrip(".") or ANYTHING

    def __str__(self) -> str:
        """Return the answer and the text as one line for people."""
        return f"{self.answer}, by {self.source}"


@dataclass(frozen=True)
class Clause:
    """One testable statement about one function."""

    id: str
    function: str
    kind: Kind
    strength: Strength
    decided_by: DecidedBy
    when: tuple[Atom, ...]
    status: tuple[str, ...]
    states: str
    source: Source
    contested: tuple[Reading, ...] = ()  # texts that differ; `status` has the answers of all
    untestable: str | None = None
    needs: tuple[str, ...] = ()
    versions: Versions = field(default_factory=Versions)

    @property
    def slug(self) -> str:
        """Return the part of the id after the subject."""
        return self.id.split("/", 1)[1]

    @property
    def contest(self) -> str:
        """Return the readings of a contested clause as one line for people."""
        return "; ".join(map(str, self.contested))

    @property
    def open(self) -> bool:
        """Return whether anything may happen by one of the readings."""
        return any(reading.anything for reading in self.contested)

    @property
    def is_success(self) -> bool:
        """Return whether this clause says when the call succeeds."""
        return self.kind is Kind.STATUS and self.status == ("HSA_STATUS_SUCCESS",)


@dataclass(frozen=True)
class Change:
    """What something means from a release on, where that differs from before.

    `before` is the value that a constant had until then, where that is what changed.
    """

    versions: Versions
    states: str
    before: int | str | None = None


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function, with the facts that callers and generators need."""

    name: str
    type: str
    direction: str  # in | out | inout
    role: str | None = None
    unit: str | None = None
    nullable: bool = False
    length: str | None = None  # the parameter that counts this array's elements
    minimum: int | None = None
    maximum: int | None = None
    multiple_of: int | None = None
    power_of_two: bool = False
    conditional: bool = False  # an output that not every success writes
    reserved: tuple[int, ...] = ()  # values with a meaning of their own
    named_by: str | None = None  # the enumeration that names its values or, of a mask, its flags
    ownership: str | None = None  # creates | retains | borrows | consumes
    summary: str = ""
    versions: Versions = field(default_factory=Versions)


@dataclass(frozen=True)
class Function:
    """One function of the API."""

    name: str
    header: str
    topic: str
    export: str  # linker | inline | table (of an extension) | library (another one)
    summary: str
    result: str
    params: tuple[Parameter, ...]
    documented: tuple[str, ...]  # the statuses that its list has
    clauses: tuple[Clause, ...]
    versions: Versions
    deprecated: str | None = None
    changes: tuple[Change, ...] = ()
    dropped: Mapping[str, Versions] = field(default_factory=dict)  # statuses no longer listed

    @cached_property
    def parameter(self) -> Mapping[str, Parameter]:
        """Return the parameters by name."""
        return {p.name: p for p in self.params}

    @property
    def success(self) -> Clause | None:
        """Return the clause that says when the call succeeds, if the text has one."""
        return next((c for c in self.clauses if c.is_success), None)

    def clause(self, slug: str) -> Clause:
        """Return the clause with this slug.

        Raises:
            KeyError: no clause of this function has that slug.

        """
        for clause in self.clauses:
            if clause.slug == slug:
                return clause
        raise KeyError(f"{self.name}/{slug}")


@dataclass(frozen=True)
class Enumerator:
    """One named value of an enumeration."""

    name: str
    value: int
    summary: str
    versions: Versions = field(default_factory=Versions)
    deprecated: str | None = None
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Enum:
    """An enumeration of the API."""

    name: str
    header: str
    topic: str
    summary: str
    enumerators: tuple[Enumerator, ...]

    @cached_property
    def values(self) -> frozenset[int]:
        """Return every value that has a name."""
        return frozenset(e.value for e in self.enumerators)

    @cached_property
    def by_value(self) -> Mapping[int, Enumerator]:
        """Return the enumerators by value, the first name where several share one."""
        table: dict[int, Enumerator] = {}
        for enumerator in self.enumerators:
            table.setdefault(enumerator.value, enumerator)
        return table

    def __getitem__(self, name: str) -> int:
        """Return the value of the enumerator with this name."""
        return next(e.value for e in self.enumerators if e.name == name)


@dataclass(frozen=True)
class Wanted:
    """What another attribute has to be, so that an attribute of the same object is defined.

    Where that attribute is a mask, the bits of `value` are set in it.
    """

    attribute: str
    value: int
    differs: bool = False  # it has to be anything but `value`


@dataclass(frozen=True)
class Attribute:
    """What a query reports under one enumerator: its type, and the objects that it is defined for.

    Attributes:
        name: the enumerator's.
        enum: its enumeration.
        of: the kind of object that is asked, such as "agent" or "memory_pool".
        type: the C type of the value; `[]` at its end where a `length` decides how many there are.
        asked_by: the functions that report it.
        set_by: the functions that change it.
        unit: what a number counts, or which sort of number it is, such as "bytes" or "identifier".
        named_by: the enumeration that gives numbers their names.
        read_as: how it does: "value", "flags" (a mask), "positions" (of bits), "elements" (of an
            array, one for each enumerator).
        length: the attribute of the same object that says how many elements there are.
        terminated: whether a NUL byte follows the elements that `length` counts.
        defined_for: conditions, of which the object has to meet all in one group; no group: each
            object has it; None: the text has exceptions and does not say which.
        elsewhere: what the text has for other objects: "undefined" (the value is left open, and no
            status is named), "unstated" (nothing), the name of a status, or the value itself.
        platform: the operating system that alone has it.
        decided_by: who decides the value; "driver" where the runtime passes on what that says.
        refused_by: who decides whether the query succeeds: the driver, if that is asked each time.
        inferred: why the type is what it is, where the header names none.
        earlier: who decided the value in the releases before some.
        source: where the header describes it.
        versions: the releases that have it.

    """

    name: str
    enum: str
    of: str
    type: str
    asked_by: tuple[str, ...]
    set_by: tuple[str, ...]
    unit: str | None
    named_by: str | None
    read_as: str | None
    length: str | None
    terminated: bool
    defined_for: tuple[tuple[Wanted, ...], ...] | None
    elsewhere: str | int | None
    platform: str | None
    decided_by: DecidedBy
    inferred: str | None
    source: Source
    versions: Versions = field(default_factory=Versions)
    earlier: tuple[tuple[Versions, DecidedBy], ...] = ()
    refused_by: DecidedBy = DecidedBy.RUNTIME

    @property
    def open_ended(self) -> bool:
        """Return whether the number of elements depends on the object."""
        return self.length is not None

    def is_defined(self, holds: Callable[[Wanted], bool]) -> bool | None:
        """Return whether the attribute is defined for an object, None where the text is silent.

        Args:
            holds: returns whether another attribute of the object is as wanted.

        """
        if self.platform is not None:
            return False
        if self.defined_for is None:
            return None
        groups = (all(holds(wanted) for wanted in group) for group in self.defined_for)
        return not self.defined_for or any(groups)


@dataclass(frozen=True)
class Field:
    """One member of a structure."""

    name: str
    type: str
    offset: int
    size: int
    summary: str = ""
    versions: Versions = field(default_factory=Versions)
    reserved: bool = False


@dataclass(frozen=True)
class Struct:
    """A structure, union or opaque handle, with its layout on a 64-bit machine."""

    name: str
    header: str
    topic: str
    summary: str
    size: int
    alignment: int
    fields: tuple[Field, ...]
    handle: bool = False  # an opaque handle: one 64-bit member
    union: bool = False
    versions: Versions = field(default_factory=Versions)
    changes: tuple[Change, ...] = ()

    @cached_property
    def field(self) -> Mapping[str, Field]:
        """Return the members by name."""
        return {f.name: f for f in self.fields}


@dataclass(frozen=True)
class CallbackType:
    """The type of a function that the application passes in."""

    name: str
    header: str
    topic: str
    summary: str
    result: str
    params: tuple[Parameter, ...]
    contract: tuple[str, ...] = ()
    versions: Versions = field(default_factory=Versions)


@dataclass(frozen=True)
class Typedef:
    """Another name for a type of C."""

    name: str
    header: str
    topic: str
    summary: str
    type: str
    versions: Versions = field(default_factory=Versions)


@dataclass(frozen=True)
class Macro:
    """A macro; `value` is None where it is no constant."""

    name: str
    header: str
    topic: str
    summary: str
    value: int | str | None = None
    versions: Versions = field(default_factory=Versions)
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Member:
    """One pointer of a table, to the function it stands for."""

    name: str
    function: str
    versions: Versions = field(default_factory=Versions)


@dataclass(frozen=True)
class Extension:
    """A version of an extension: its enumerator in hsa_extension_t, major and minor version.

    `minor` is None for a table that serves all versions with this major one.
    """

    name: str
    major: int
    minor: int | None = None

    def __str__(self) -> str:
        minor = "" if self.minor is None else f".{self.minor:02}"
        return f"{self.name} {self.major}{minor}"


@dataclass(frozen=True)
class Table:
    """A structure of pointers to functions, in the order that is part of the ABI.

    `version` says whether a table of the tools' interface starts with its own version; `extension`
    whose functions a table holds that hsa_system_get_major_extension_table fills.
    """

    name: str
    header: str
    topic: str
    summary: str
    members: tuple[Member, ...]
    version: bool = False
    versions: Versions = field(default_factory=Versions)
    changes: tuple[Change, ...] = ()
    extension: Extension | None = None


@dataclass(frozen=True)
class Retired:
    """A type that later headers lack, and of which nothing more is kept than that it was."""

    name: str
    header: str
    topic: str
    summary: str
    versions: Versions


#: Everything that a header declares.
Type = Enum | Struct | CallbackType | Typedef | Table | Macro | Retired
Declared = Function | Type


@dataclass(frozen=True)
class Registry:
    """Everything the specification says, by name."""

    functions: Mapping[str, Function]
    enums: Mapping[str, Enum]
    structs: Mapping[str, Struct]
    callbacks: Mapping[str, CallbackType]
    root: Path
    digest: str
    macros: Mapping[str, Macro] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    typedefs: Mapping[str, Typedef] = field(default_factory=dict)
    retired: Mapping[str, Retired] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Return every clause by id, in the order of the registry."""
        return {c.id: c for f in self.functions.values() for c in f.clauses}

    @cached_property
    def constants(self) -> Mapping[str, int]:
        """Return every enumerator's value by name."""
        return {e.name: e.value for enum in self.enums.values() for e in enum.enumerators}

    @cached_property
    def enumerators(self) -> Mapping[str, tuple[Enum, Enumerator]]:
        """Return every enumerator by name, with its enumeration."""
        return {e.name: (enum, e) for enum in self.enums.values() for e in enum.enumerators}

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Return the topics in the order in which the registry's files are read."""
        return tuple(dict.fromkeys(f.topic for f in self.functions.values()))

    def of_topic(self, topic: str) -> tuple[Function, ...]:
        """Return the functions of a topic such as "amd/vmem"."""
        return tuple(f for f in self.functions.values() if f.topic == topic)

    @cached_property
    def _reported(self) -> Mapping[tuple[str, int], Attribute]:
        return {
            (function, self.constants[a.name]): a
            for a in self.attributes.values()
            for function in a.asked_by
        }

    def reported(self, function: str, value: int) -> Attribute | None:
        """Return the attribute that a function reports under a number, None where there is none."""
        return self._reported.get((function, value))

    def attributes_of(self, function: str) -> tuple[Attribute, ...]:
        """Return the attributes that a function reports, in the order of the registry."""
        return tuple(a for a in self.attributes.values() if function in a.asked_by)

    def answering(self, function: str, status: str) -> tuple[Clause, ...]:
        """Return the clauses of a function that lead to a status, none where there is neither."""
        found = self.functions.get(function)
        return tuple(c for c in found.clauses if status in c.status) if found else ()

    @cached_property
    def types(self) -> Mapping[str, Type]:
        """Return everything by name that is declared and is no function."""
        groups: tuple[Mapping[str, Type], ...] = (
            self.enums,
            self.structs,
            self.callbacks,
            self.typedefs,
            self.tables,
            self.macros,
            self.retired,
        )
        # Where a macro has the name of something else, the other is meant.
        return {name: item for group in reversed(groups) for name, item in group.items()}

    def find(self, name: str) -> Declared | Clause | Attribute | None:
        """Return what has this name: a clause by its id, an attribute, or anything declared."""
        groups: tuple[Mapping[str, Declared | Clause | Attribute], ...] = (
            self.functions,
            self.clauses,
            self.types,
            self.attributes,
        )
        return next((group[name] for group in groups if name in group), None)

    def status(self, name: str) -> int:
        """Return the value of a status code.

        Raises:
            KeyError: there is no status of that name.

        """
        return self.constants[name]

    def status_name(self, value: int) -> str:
        """Return the name of a status code, or its number in hexadecimal when it has none."""
        found = self.enums["hsa_status_t"].by_value.get(value)
        return found.name if found else f"{value:#x}"

    def select(self, pattern: str) -> Iterator[Clause]:
        """Yield the clauses whose id, function or topic is or starts with `pattern`."""
        for clause in self.clauses.values():
            function = self.functions[clause.function]
            if pattern in (clause.id, function.name, function.topic) or clause.id.startswith(
                pattern
            ):
                yield clause
