"""What the queries of attributes report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hsa_spec.model.clauses import DecidedBy, Source
from hsa_spec.model.versions import Versions


@dataclass(frozen=True)
class Prerequisite:
    """What another attribute has to be, so that an attribute of the same object is defined.

    Where that attribute is a mask, the bits of `value` are set in it.
    """

    attribute: str
    value: int
    differs: bool = False  # it has to be anything but `value`


@dataclass(frozen=True)
class Relation:
    """What the value of an attribute has to be; see `hsa_spec.relations` for the language.

    Attributes:
        clause: the id of the clause that it stands for.
        holds: the condition.
        where: the objects that it is about; every one where this is empty.

    """

    clause: str
    holds: str
    where: str = ""


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
        relations: what the value has to be.
        unchecked: why nothing but its size and status is looked at, where that is so.
        checked_by: the clause that looks at the value without naming the attribute, if one does.
        varies: why the value need not stay as it is, where its function is stable otherwise.

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
    defined_for: tuple[tuple[Prerequisite, ...], ...] | None
    elsewhere: str | int | None
    platform: str | None
    decided_by: DecidedBy
    inferred: str | None
    source: Source
    versions: Versions = field(default_factory=Versions)
    earlier: tuple[tuple[Versions, DecidedBy], ...] = ()
    refused_by: DecidedBy = DecidedBy.RUNTIME
    relations: tuple[Relation, ...] = ()
    unchecked: str | None = None
    checked_by: str | None = None
    varies: str | None = None

    @property
    def open_ended(self) -> bool:
        """Return whether the number of elements depends on the object."""
        return self.length is not None

    def is_defined(self, holds: Callable[[Prerequisite], bool]) -> bool | None:
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
