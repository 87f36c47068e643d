"""The processes that examples run in: when one may serve again, and when a fresh one is due."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from hsa_adapters.protocol import Adapter, AdapterError, Ended, Subject
from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.known import Known
from hsa_conformance.engine.outcomes import Blocked, Unavailable
from hsa_conformance.engine.session import Session
from hsa_conformance.engine.topic import Topics
from hsa_conformance.engine.trace import Note
from hsa_reports import Verdict
from hsa_spec import Registry
from hsa_spec.releases import Release

REUSE: Final = 64  # examples that one process may serve


class SessionPool:
    """Hands out sessions on an adapter.

    Args:
        adapter: the implementation, not started yet.
        registry: the specification.
        topics: what the suite knows of the API.
        expect_no_device: a failing hsa_init without a device node is no finding.

    Raises:
        AdapterError: the implementation cannot be started, or has no function of the API.

    """

    def __init__(
        self, adapter: Adapter, registry: Registry, topics: Topics, *, expect_no_device: bool
    ) -> None:
        self.adapter = adapter
        self.registry = registry
        self.topics = topics
        self.expect_no_device = expect_no_device
        self.subject: Subject = adapter.start()
        if not self.subject.exports:
            adapter.close()
            raise AdapterError(
                f"{self.subject.path or adapter.name} has no function of the HSA runtime API: "
                "give the runtime itself, such as libhsa-runtime64.so.1"
            )
        self.initialised_once = False
        self.release = Release()  # what the runner finds out
        self._kept: dict[bool, tuple[Session, int]] = {}
        self._prelude: list[Note] = []
        self._deadly: dict[str, str] = {}
        self._known = Known()
        self._refusal: Unavailable | None = None
        self.without_device: Unavailable | None = None  # hsa_init failed, and there is no device

    def close(self) -> None:
        """End every process."""
        for session, _ in self._kept.values():
            session.process.close()
        self._kept.clear()
        self.adapter.close()

    @contextmanager
    def session(self, *, initialised: bool, fresh: bool = False) -> Iterator[Session]:
        """Lend a session for one example.

        Args:
            initialised: whether hsa_init was called and the machine discovered.
            fresh: in a process that nothing happened in before.

        Raises:
            Unavailable: the runtime cannot be initialised here.

        """
        session, uses = self._kept.pop(initialised, (None, 0)) if not fresh else (None, 0)
        if session is None:
            session = self._open(initialised=initialised)
        else:
            session.fresh()
            session.reused = True
            session.release = self.release  # the process may be older than what is known of it
            session.trace.notes.extend(self._prelude if initialised else ())
        clean = False
        try:
            yield session
            clean = not fresh and uses + 1 < REUSE and self._restore(session, initialised)
        finally:
            if clean:
                self._kept[initialised] = session, uses + 1
            else:
                with suppress(Ended):
                    session.process.close()

    def _open(self, *, initialised: bool) -> Session:
        if initialised and self._refusal is not None:
            raise self._refusal
        session = Session(
            self.adapter.process(),
            self.registry,
            self.topics.rules,
            self.topics.discover,
            deadly=self._deadly,
            exports=self.subject.exports,
            known=self._known,
        )
        session.release = self.release
        session.runs_kernels = self.subject.machine is None
        if initialised:
            try:
                self._initialise(session)
            except BaseException:
                with suppress(Ended):
                    session.process.close()
                raise
        return session

    def _initialise(self, session: Session) -> None:
        try:
            answer = session.call("hsa_init")
            if answer.ok:
                self._prelude = session.trace.notes[-1:]
                session.discover(session)
                session.fresh()
                session.trace.notes.extend(self._prelude)
                self.initialised_once = True
                return
            self._refusal = self._refused(answer.name)
        except Ended as end:
            last = end.call.function if end.call else "hsa_init"
            reason = f"{last}/success: {end.kind} ({end.detail})"
            self._refusal = Unavailable(Verdict.BLOCKED, reason)
        except Unavailable as refusal:
            self._refusal = refusal
        raise self._refusal

    def _refused(self, status: str) -> Unavailable:
        reason = f"hsa_init/success: hsa_init answered {status}"
        if self.subject.device:
            return Unavailable(Verdict.BLOCKED, reason)
        if self.expect_no_device:
            reason = f"no device node in sight; hsa_init: {status}"
            self.without_device = Unavailable(Verdict.NOT_APPLICABLE, reason)
        else:
            reason += "; no device node is in sight (--expect-no-device says that this is expected)"
            self.without_device = Unavailable(Verdict.BLOCKED, reason)
        return self.without_device

    def excuse(self, blocked: Blocked) -> Unavailable:
        """Return what a failed set-up means: a missing device, if that is expected, or a block."""
        if blocked.clause == "hsa_init/success" and not blocked.deadly:
            return self._refused(blocked.got)
        return Unavailable(Verdict.BLOCKED, f"{blocked.clause}: answered {blocked.got}")

    def _restore(self, session: Session, initialised: bool) -> bool:
        """Give back what an example took, and see whether the process is as good as new."""
        try:
            return (
                session.under_way is None
                and clean_up(session)
                and session.model.references == int(initialised)
                # A library may not get over a shut-down; that is for one clause to say.
                and session.model.initialised_once is initialised
                and (not initialised or _answers(session))
            )
        except (Ended, Unavailable):
            return False


def clean_up(session: Session) -> bool:
    """Give back everything that the model knows of; False when the library refuses to."""
    for rule in session.rules.clean_up:
        if not session.model.objects.get(rule.kind):
            continue  # most kinds, most times
        for arguments in rule.calls(session.model):
            if not session.call(rule.function, **arguments).ok:
                return False
    for descriptor in list(session.model.descriptors):
        session.close_descriptor(descriptor)
    return session.model.owes_nothing()


def _answers(session: Session) -> bool:
    major = session.registry.constants["HSA_SYSTEM_INFO_VERSION_MAJOR"]
    return session.call("hsa_system_get_info", attribute=major, value=Out(2)).ok
