"""What two processes do with signals that they share, and what each loads meanwhile."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.random_programs.player import Player
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.ipc.generators import known_signal
from hsa_conformance.topics.amd.ipc.life.sharing import SharedSignal, SignalHandle, sharing
from hsa_conformance.topics.amd.ipc.state import SHAREABLE
from hsa_conformance.topics.shared.signals import VALUES, wrapped

_CREATE: Final = "hsa_amd_signal_create"
_NAME: Final = "hsa_amd_ipc_signal_create"
_ATTACH: Final = "hsa_amd_ipc_signal_attach"
_DESTROY: Final = "hsa_signal_destroy"
_LOAD: Final = "hsa_signal_load_scacquire"


def create(p: Player) -> None:
    """Create a signal that can be shared."""
    value = p.one_of(VALUES)
    answer = p.call(
        _CREATE,
        initial_value=value,
        num_consumers=0,
        consumers=0,
        attributes=SHAREABLE,
        signal=Out(),
    )
    if answer.ok:
        sharing(p).held.append(SignalHandle(SharedSignal(value), answer["signal"], attached=False))


def name(p: Player) -> None:
    """Make a name for a signal of its own, and tell it to the other process."""
    held = p.one_of([h for h in sharing(p).held if not h.attached])
    answer = p.call(_NAME, signal=held.handle, handle=Out())
    if answer.ok:
        words = answer.outputs["handle"] or b""
        held.signal.names.append(int.from_bytes(words, "little"))
        sharing(p.other).heard_of.append((held.signal, known_signal(p.other.session, words)))


def attach(p: Player) -> None:
    """Attach to a signal by one of its names."""
    shared, place = p.one_of([(s, n) for s, n in sharing(p).heard_of if not s.destroyed])
    again = any(held.signal is shared for held in sharing(p).held)
    # Whether one process gets a signal twice is for its driver as well, and tried elsewhere.
    answer = (p.session.call if again else p.call)(_ATTACH, handle=place, signal=Out())
    if answer.ok:
        sharing(p).held.append(SignalHandle(shared, answer["signal"], attached=True))
        _look(p, sharing(p).held[-1])


def store(p: Player) -> None:
    """Store a value by one of the handles of a signal."""
    held, value = p.one_of(sharing(p).held), p.one_of(VALUES)
    p.session.call("hsa_signal_store_screlease", signal=held.handle, value=value)
    held.signal.value = value


def destroy(p: Player) -> None:
    """Destroy a signal once, or let go of one; other handles of it, here or there, stay."""
    held = p.one_of(sharing(p).held)
    stills = [player.keeping(look_at_all, f"{_ATTACH}/counted") for player in (p, p.other)]
    if held.attached:
        # One handle may be given several times.
        p.session.expected = None
        answer = p.session.call(_DESTROY, signal=held.handle)
        p.claim(f"{_ATTACH}/counted").require_status(answer, SUCCESS)
    else:
        for words in held.signal.names:
            p.other.model.remove("ipc_signal", words)
        held.signal.destroyed = True
        p.call(_DESTROY, signal=held.handle)
    sharing(p).held.remove(held)
    for still in stills:
        still()


def look(p: Player) -> None:
    """Load a signal."""
    _look(p, p.one_of(sharing(p).held))


def _look(p: Player, held: SignalHandle, clause: str = f"{_ATTACH}/same-value") -> None:
    wanted = held.signal.value
    found = wrapped(p.session.call(_LOAD, signal=held.handle).status)
    p.demand(clause).require(
        found == wanted,
        f"a process does not load {wanted:#x}, which was stored last",
        f"{found:#x}",
    )


def look_at_all(p: Player, clause: str = f"{_ATTACH}/same-value") -> None:
    """Load all signals."""
    for held in sharing(p).held:
        _look(p, held, clause)


def give_back(p: Player) -> None:
    """Destroy and let go of all that is left, in any order; each call must succeed."""
    while sharing(p).held:
        destroy(p)
