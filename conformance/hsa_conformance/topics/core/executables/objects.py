"""Objects that live while something else happens: an executable, and code in one."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.core.executables.fixtures import LOAD, executable
from hsa_conformance.topics.core.executables.loaded_code import loaded
from hsa_conformance.topics.shared.code.generators import gpus


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    yield ObjectKind("executable", lambda: executable(f), ("hsa_executable_destroy",))
    if f.session.offers(LOAD) and gpus(f):
        yield ObjectKind("code", lambda: loaded(f))
