"""What the host does in a process beside calls: memory and descriptors, with a trace of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hsa_adapters.ends import End
from hsa_adapters.protocol import Process
from hsa_conformance.engine.calls import recording
from hsa_conformance.engine.calls.origins import TracedBytes
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.scratch import Scratch
from hsa_conformance.engine.calls.symbols import Symbol, text
from hsa_conformance.engine.calls.trace import Notes, Trace
from hsa_conformance.engine.calls.values import Data
from hsa_conformance.engine.session.model import File, Model
from hsa_conformance.engine.session.state_rules import StateRules
from hsa_reports import Verdict, actions

#: Why a process can be neither ended nor copied.
SHARED: Final = "the implementation runs in the process of the suite, which has to go on"


class Host:
    """One process, its trace, and what is known of it.

    Args:
        process: the process, which is not owned.
        rules: which kinds of objects a descriptor stands for, among others.
        name: what the trace calls the process.
        notes: where the steps of the trace are noted.

    """

    def __init__(self, process: Process, rules: StateRules, name: str, notes: Notes) -> None:
        self.process = process
        self.rules = rules
        self.symbols: list[Symbol] = []  # what addresses may be computed from
        self.trace = Trace(name, notes, self.symbols)
        self.scratch = Scratch(process, self.symbols, notes.outputs)
        self.model = Model(process.page_size, self.scratch.read, facts=rules.facts, owed=rules.owed)
        self.was_told_to_end = False

    def fresh(self) -> None:
        """Forget the trace and reuse the scratch memory: a new example begins."""
        self.trace.clear()
        self.scratch.clear()
        self.symbols.clear()
        self.begin()

    def begin_again(self) -> None:
        """Begin another example as `fresh` does, but for the trace, which goes on where it is."""
        self.trace.put_into_words()  # of addresses that are forgotten now
        self.scratch.begin_again()
        self.begin()

    def begin(self) -> None:
        """Forget what belongs to one example; the trace of the next one goes on where it is."""
        for kind in self.rules.passing:
            self.model.objects.pop(kind, None)

    # memory

    def place(self, content: bytes, words: str = "data") -> Symbol:
        """Put bytes into the process and return their address.

        Args:
            content: the bytes.
            words: what the trace calls the address.

        """
        return self.lay_out(Data(content, words))

    def lay_out(self, data: Data) -> Symbol:
        """Put data into the process and return its address."""
        symbol = self.scratch.own(data)
        self.process.write(int(symbol), data.content)
        return symbol

    def at_end(self, data: Data) -> Symbol:
        """Put data before memory that cannot be read, in place of what was there."""
        symbol = self.scratch.own_at_end(data)
        self.process.write(int(symbol), data.content)
        return symbol

    def read(self, address: int, size: int) -> bytes | None:
        """Read memory as the host sees it; None where it may not."""
        self._restore(address)
        content = self.process.read(int(address), size)
        name = None if content is None else self.trace.held(content, "read")
        self.trace.note(
            f"read {size} bytes at {text(address)}",
            "refused" if content is None else content.hex(" ")[:47],
            actions.Read(recording.recorded(address, self.symbols), size, content, name),
        )
        return None if content is None or name is None else TracedBytes(content, name)

    def read_number(self, address: int, stem: str) -> Symbol:
        """Read eight bytes as a number, which gets a name with this stem; 0 where it may not."""
        self._restore(address)
        content = self.process.read(int(address), 8)
        number = self.trace.named(int.from_bytes(content or b"", "little"), stem)
        where = recording.recorded(address, self.symbols)
        self.trace.note(
            f"read the number at {text(address)}",
            "refused" if content is None else str(number),
            actions.Read(where, 8, content, number.name),
        )
        return number

    def exported_beside(self, address: int) -> Mapping[str, int] | None:
        """Return where the file with the code at an address exports functions; see `Process`."""
        return self.process.exported_beside(int(address))

    def write(self, address: int, content: bytes) -> bool:
        """Write memory as the host does; False where it may not."""
        self._restore(address)
        self.scratch.touch(int(address))
        done = self.process.write(int(address), content)
        self.trace.note(
            f"write {content.hex(' ')[:47]} at {text(address)}",
            "done" if done else "refused",
            actions.Write(recording.recorded(address, self.symbols), content, done),
        )
        return done

    def _restore(self, address: int) -> None:
        """Let memory hold again what it did before a call that it was lent to had returned."""
        for start, content in self.scratch.restored(int(address)):
            self.process.write(start, content)

    # descriptors

    def open_file(self, size: int, content: bytes = b"", *, readable: bool = True) -> int:
        """Open an ordinary file, for calls that want a descriptor; see the protocol."""
        number = self.process.open_file(size, content, readable=readable)
        descriptor = self.trace.named(number, "file")
        self.model.descriptors.add(descriptor)
        self.model.add("file", descriptor, thing=File(content, max(size, len(content)), readable))
        self.trace.note(
            f"open an ordinary file of {size} bytes" + (", to write" if not readable else ""),
            str(descriptor),
            actions.OpenFile(size, descriptor.name, content, readable),
        )
        return descriptor

    # the environment

    def set_variable(self, name: str, value: str, number: int | None = None) -> bool:
        """Set a variable of the environment before the library is initialised.

        Args:
            name: of the variable.
            value: what it is set to.
            number: stands behind it, in decimal digits: what only this process knows.

        Returns:
            False where the process is not the library's alone, and nothing is set.

        """
        done = self.process.set_variable(name, value + ("" if number is None else str(int(number))))
        recorded = None if number is None else recording.recorded(number, self.symbols)
        words = f"setenv({name}, {value}{'' if number is None else text(number)})"
        action = actions.SetVariable(name, value, recorded)
        self.trace.note(words, "done" if done else "refused", action)
        return done

    def close_descriptor(self, descriptor: int) -> None:
        """Close a descriptor."""
        self.process.close_descriptor(int(descriptor))
        self.model.descriptors.discard(descriptor)
        for kind in ("file", *self.rules.descriptors):
            self.model.remove(kind, descriptor)
        action = actions.Close(recording.recorded(descriptor))
        self.trace.note(f"close({text(descriptor)})", "done", action)

    # what comes between calls, and the end

    def interrupt(self, times: int, pause: float, *, restart: bool) -> None:
        """Send a signal with a handler that does nothing to every thread; see the protocol."""
        handler = f"a handler with{'' if restart else 'out'} SA_RESTART"
        self.trace.note(
            f"send a signal that has {handler} to each thread, {times} times, {pause} s apart",
            "done",
            actions.Interrupt(times, pause, restart),
        )
        self.process.interrupt(times, pause, restart=restart)

    def copy(self, calls: Sequence[str], way: str, patience: float) -> End:
        """Fork a copy of the process, which makes calls and ends; see the protocol.

        `need_own_process` was called before.
        """
        made = ", ".join(f"{name}()" for name in calls) or "no call"
        action = actions.Fork(tuple(calls), way)
        return self._note_end(
            f"fork a copy that makes {made} and ends: {way}",
            action,
            self.process.fork(calls, way, patience),
        )

    def end_by(self, way: str) -> End:
        """End the process in some way; see the protocol.

        `need_own_process` was called before.
        """
        self.was_told_to_end = True
        return self._note_end(f"end the process: {way}", actions.End(way), self.process.end(way))

    def inherited(self) -> Mapping[int, str]:
        """Return the descriptors that a program would have that the process executes.

        Raises:
            Unavailable: the process is not the library's alone.

        """
        found = self.process.inherited()
        if found is None:
            raise Unavailable(Verdict.UNTESTED, SHARED)
        return found

    def need_own_process(self) -> None:
        """Go on where the process is the library's alone, and can be ended and copied.

        Raises:
            Unavailable: it is not.

        """
        self.inherited()

    def _note_end(self, words: str, action: actions.Action, end: End | None) -> End:
        assert end is not None, "whether the process is the library's alone was not asked"
        self.trace.note(words, end.how, action)
        return end
