"""What can be said of a clause's strength, releases and source without trusting the clause.

The statuses that functions list (documented.txt), the texts that releases have (texts.txt) and the
clause's own condition say what to expect. What they do not explain stands in a list that somebody
has to edit (tests/golden/metadata.yaml), as does each answer that is not the runtime's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from hsa_spec import Clause, DecidedBy, Function, Kind, Registry, Release, Strength
from hsa_spec.conditions.syntax import (
    Apply,
    Argument,
    Compare,
    Constant,
    Literal,
    Node,
    Not,
    walk,
)
from hsa_spec.documented_statuses import documented_pairs
from hsa_spec.headers import texts
from hsa_spec.model import AMD_HEADERS, CONVENTION, SPECIFICATION, Source, Versions
from hsa_spec.releases import numbers
from hsa_spec.yaml_file import read_yaml

LISTS = Path(__file__).parents[2] / "golden" / "metadata.yaml"
_SUCCESS = "HSA_STATUS_SUCCESS"
#: Handles of which a header says that 0 is none, with that header: the comments of
#: hsa_signal_t.handle and of HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION.
_RESERVED_ZERO = {"hsa_signal_t": "hsa.h", "hsa_agent_t": "hsa_ext_amd.h"}
#: How clauses speak of the implementation that does what they record.
_LIBRARY = re.compile(r"ROCr|AMD's library|the text (does|gives|says|speaks|promises|allows)")


class Metadata:
    """The rules, and the lists of what they do not explain.

    Args:
        registry: whose enumerations, structures and texts count.

    """

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.lists: Mapping[str, list[str]] = read_yaml(LISTS)
        self.texts = texts.read(registry.root)
        self.documented = {(p.function, p.status) for p in documented_pairs()}
        self.owner = {n.name: e.name for e in registry.enums.values() for n in e.enumerators}

    def complaints(self, clause: Clause) -> Iterator[str]:
        """Yield the lists that should have a clause and do not, or the other way round."""
        explained: dict[str, bool] = {
            "driver": clause.decided_by is not DecidedBy.DRIVER,
            "device": clause.decided_by is not DecidedBy.DEVICE,
            **{s.value: clause.strength is not s or not self._is_off(clause) for s in Strength},
            "releases": not self._unexplained(clause),
            "source": not self._unrelated(clause),
        }
        for name, holds in explained.items():
            if holds == (clause.id in self.lists.get(name, ())):
                yield f"{name}: {clause.id}"

    def _is_off(self, clause: Clause) -> bool:
        """Return whether a clause has a strength that nothing but its wording explains."""
        function = self.registry.functions[clause.function]
        if clause.contested and not self._is_unvalidated(clause):
            return False
        if clause.id in self.registry.relations and clause.slug.startswith("reports-"):
            # No header speaks of the driver's files: that they say the same is consistency.
            return clause.strength is not Strength.SHOULD
        if clause.strength is Strength.MUST:
            return self._too_strong(clause, function)
        return self._too_weak(clause, function)

    def _listed(self, clause: Clause) -> bool:
        """Return whether the function's own list has all statuses of the clause."""
        return all((clause.function, status) in self.documented for status in clause.status)

    def _too_strong(self, clause: Clause, function: Function) -> bool:
        """Return whether a clause is `must` that follows from another text than its function's."""
        if clause.kind is Kind.STATUS:
            unlisted = not self._listed(clause) and clause.status != (_SUCCESS,)
            return unlisted or self.is_wrong_handle(clause)
        of_threads = clause.slug == "threads"  # the specification alone says it
        return of_threads or self._is_default(clause) or self._is_of_others(clause)

    def _too_weak(self, clause: Clause, function: Function) -> bool:
        """Return whether a clause is weaker than its function's text, for no reason."""
        if clause.strength is Strength.UNDEFINED:
            return bool(clause.status) or "judged" not in (clause.untestable or "")
        if clause.strength is Strength.OBSERVED:
            return not _LIBRARY.search(f"{clause.states} {clause.source.note}")
        if clause.strength is Strength.MAY:
            return clause.kind is Kind.EFFECT or not (len(clause.status) > 1 or clause.needs)
        if clause.kind is Kind.STATUS:
            return self._listed(clause) and not self.is_wrong_handle(clause)
        if clause.source.header == SPECIFICATION:
            return False
        return not (self._is_default(clause) or self._is_of_others(clause))

    def is_wrong_handle(self, clause: Clause) -> bool:
        """Return whether the condition is that a handle is of nothing, or a 0 nobody reserves."""
        function = self.registry.functions[clause.function]
        return any(self._no_handle(atom.node, function) for atom in clause.when)

    @staticmethod
    def _is_unvalidated(clause: Clause) -> bool:
        """Return whether a clause is contested since implementations need not validate objects."""
        return any(r.source.section == "2.2 Runtime Notifications" for r in clause.contested)

    def _no_handle(self, node: Node, function: Function) -> bool:
        match node:
            case Not(Apply(term, (Argument(name), *_))) if term.name.startswith("is_"):
                return self._is_handle(function.parameter[name].type)
            case Compare("==", Argument(name), Literal(0)):
                ctype = function.parameter[name].type
                reserved = _RESERVED_ZERO.get(ctype) in ("hsa.h", function.header)
                return self._is_handle(ctype) and not reserved
            case _:
                return False

    def _is_handle(self, ctype: str) -> bool:
        struct = self.registry.structs.get(ctype)
        return struct is not None and struct.handle

    @staticmethod
    def _is_default(clause: Clause) -> bool:
        return clause.source.header == CONVENTION

    def _is_of_others(self, clause: Clause) -> bool:
        subject, comma, _ = clause.source.section.partition(", ")
        return bool(comma) and subject != clause.function

    def _unexplained(self, clause: Clause) -> bool:
        """Return whether a clause begins or ends where no text of its source changes."""
        own, function = clause.versions, self.registry.functions[clause.function].versions
        bounds = [
            Versions(own.amd_interface, own.rocm),
            Versions(own.until_interface, own.until_rocm),
        ]
        of_others = {Versions(), function, *self._begins_with(clause)}
        if clause.source.header in AMD_HEADERS or "_AMD_" in clause.source.section:
            of_others.add(Versions(amd_interface="1.0"))  # with the extension itself
        return any(
            bound not in of_others and not self._changes(self._subject(clause), bound)
            for bound in bounds
        )

    def _begins_with(self, clause: Clause) -> Iterator[Versions]:
        """Yield the releases of the enumerators that a clause's condition names."""
        for node in (n for atom in clause.when for n in walk(atom.node)):
            if isinstance(node, Constant) and node.name in self.owner:
                enum = self.registry.enums[self.owner[node.name]]
                yield next(e.versions for e in enum.enumerators if e.name == node.name)

    def _subject(self, clause: Clause) -> str:
        section = clause.source.section
        if section in self.owner:
            return self.owner[section]
        return section.partition(", ")[0].partition(".")[0]

    def _changes(self, subject: str, bound: Versions) -> bool:
        """Return whether the text of something is another from a release on."""
        known = self.texts.get(subject, {})
        before = [v for v, release in self._releases if release.has(bound) is False]
        after = [v for v, release in self._releases if release.has(bound) is True]
        return bool(before and after) and known.get(before[-1]) != known.get(after[0])

    @cached_property
    def _releases(self) -> list[tuple[str, Release]]:
        """Return the versions whose texts are recorded, the oldest first."""
        found = []
        for version in {v for of_name in self.texts.values() for v in of_name}:
            interface = version.removeprefix("interface-")
            is_interface = interface != version
            release = Release(interface=interface) if is_interface else Release.parse(version)
            # 1.11 lies between 6.4.3 and 7.2.4, and 1.31 is newer than both.
            order = (7, numbers(interface)[1] // 15) if is_interface else numbers(version)
            found.append((order, version, release))
        return [(version, release) for _, version, release in sorted(found, key=lambda f: f[0])]

    def _unrelated(self, clause: Clause) -> bool:
        """Return whether the source names what the clause does not mention."""
        if clause.kind is Kind.EXPORT:
            header = self.registry.functions[clause.function].header
            return clause.source != Source(header, f"{clause.function}, declaration")
        if clause.source.header == CONVENTION:
            words = (
                r"fail|refused|_ERROR_|does not grow|tells? the same|object of its own"
                r"|\b(ends?|ended|process)\b"
            )
            return not re.search(words, clause.states)
        if clause.source.header == SPECIFICATION:
            return False  # lint knows its sections
        if self._is_of_others(clause) and not clause.source.note:
            return True
        said = " ".join((clause.states, clause.source.note or "", *(a.text for a in clause.when)))
        subject, comma, part = clause.source.section.partition(", ")
        if not comma:
            if subject.startswith(("HSA_STATUS_", "HSA_EXT_STATUS_")):
                return subject not in clause.status and subject not in said
            return not self._mentions(said, clause, subject)
        kind, _, name = part.partition(" ")
        if kind == "@retval":
            return name not in (clause.status or (_SUCCESS,))
        if self._is_listed_error(clause):
            return True
        if kind == "@param":
            return clause.kind is Kind.STATUS and name not in re.findall(r"\w+", said)
        return False

    def _is_listed_error(self, clause: Clause) -> bool:
        """Return whether the list of the function has the one status of a clause, unexplained."""
        plain = clause.strength is Strength.MUST and not (clause.contested or clause.source.note)
        return plain and len(clause.status) == 1 and self._listed(clause)

    def _mentions(self, said: str, clause: Clause, subject: str) -> bool:
        """Return whether a clause or the types of its function have to do with a name."""
        params = self.registry.functions[clause.function].params
        types = {w for p in params for w in re.findall(r"\w+", p.type)}
        owner, dot, member = subject.partition(".")
        names = {owner, member} if dot else {subject, self.owner.get(subject, subject)}
        return bool(names & types) or any(name in said for name in names)
