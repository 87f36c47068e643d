"""Make the calls of a golden case one after the other, on anything that offers a Process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hsa_adapters.errors import Ended
from hsa_adapters.protocol import Process
from tests.golden.answers import CannotRunError, WrongAnswerError
from tests.golden.brig import MODULES, build_module
from tests.golden.calls import Outputs, PreparedCall, decode, operations, signatures
from tests.golden.cases import Case, allowed_statuses, kind_of
from tests.golden.code import code_object
from tests.golden.expressions import Value, evaluate, number
from tests.golden.machine import Machine

_LONGEST_STRING = 4096


def run_steps(process_factory: Callable[[], Process], case: Case) -> None:
    """Run a case that is a sequence of steps.

    Args:
        process_factory: returns a fresh process, not initialised.
        case: the case.

    Raises:
        WrongAnswerError: a step answered something else than expected.
        CannotRunError: the machine has not got what the case needs.

    """
    if case.needs or "hsa_init" in case.called:
        _check_needs(process_factory, case)
    process = process_factory()
    try:
        _Run(process, case).steps()
    finally:
        process.close()


def _check_needs(process_factory: Callable[[], Process], case: Case) -> None:
    process = process_factory()
    machine = Machine(process)
    try:
        _initialise(process)
        for need in case.needs:
            machine.require(need)
    except Ended as ended:
        raise WrongAnswerError(
            case, "the check of its needs", str(ended), "a process that lives on"
        ) from ended
    finally:
        process.close()


def _initialise(process: Process) -> None:
    outcome = process.call(PreparedCall(process, "hsa_init", {}, _no_name).call)
    if outcome.result != 0:
        raise CannotRunError(f"hsa_init answers {_status_name(outcome.result)}")


class _Side:
    """One of the two processes of a case."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.machine = Machine(process)


class _Run:
    def __init__(self, process: Process, case: Case) -> None:
        self._case = case
        self._here = _Side(process)
        self._peer: _Side | None = None
        self._saved: dict[str, Value] = {}
        self._side = self._here
        self._where = "before the first step"

    def steps(self) -> None:
        try:
            if not self._case.fresh:
                _initialise(self._here.process)
            for position, step in enumerate(self._case.steps, 1):
                kind = kind_of(step)
                self._where = f"step {position}, {kind} {step[kind]}"
                self._side = self._other() if step.get("in") == "peer" else self._here
                getattr(self, f"_{kind}")(step)
        except Ended as ended:
            raise self._failure(ended, "a process that lives on") from ended

    def _other(self) -> _Side:
        if self._peer is None:
            self._peer = _Side(self._here.process.peer())
        return self._peer

    def _call(self, step: Mapping[str, Any]) -> None:
        process = self._side.process
        prepared = PreparedCall(process, step["call"], step.get("args", {}), self._lookup)
        outcome = process.call(prepared.call)
        if step["call"] in operations():
            self._returned(step, outcome.result, prepared.outputs(outcome))
            return
        allowed = allowed_statuses(step["status"])
        got = _status_name(outcome.result)
        if got not in allowed:
            raise self._failure(got, " or ".join(allowed))
        outputs = prepared.outputs(outcome)
        if got == allowed[0]:
            self._compare(step.get("expect", {}), outputs)
            for output, name in step.get("save", {}).items():
                self._saved[name] = outputs[output]

    def _returned(self, step: Mapping[str, Any], result: int, outputs: Outputs) -> None:
        if "result" in step:
            wanted = self._number(step["result"])
            if result % 2**64 != wanted % 2**64:
                raise self._failure(f"returned {result:#x}", f"{step['result']} = {wanted:#x}")
        self._compare(step.get("expect", {}), outputs)

    def _compare(self, expected: Mapping[str, Any], outputs: Outputs) -> None:
        for output, expression in expected.items():
            wanted = evaluate(expression, self._lookup)
            if outputs[output] != wanted:
                raise self._failure(
                    f"{output} = {_shown(outputs[output])}", f"{expression} = {_shown(wanted)}"
                )

    def _check(self, step: Mapping[str, Any]) -> None:
        if not evaluate(step["check"], self._lookup):
            raise self._failure(f"false with {self._saved}", "true")

    def _read(self, step: Mapping[str, Any]) -> None:
        wanted = bytes.fromhex(step["bytes"]) if "bytes" in step else None
        size = 1 if wanted is None else len(wanted)
        got = self._side.process.read(self._number(step["read"]), size)
        if not step.get("readable", True):
            if got is not None:
                raise self._failure(got.hex(" "), "unreadable memory")
        elif got is None or wanted not in (None, got):
            raise self._failure(
                "unreadable memory" if got is None else got.hex(" "),
                wanted.hex(" ") if wanted else "readable memory",
            )

    def _write(self, step: Mapping[str, Any]) -> None:
        wanted, content = step.get("writable", True), self._content(step)
        got = self._side.process.write(self._number(step["write"]), content)
        if got != wanted:
            raise self._failure(f"writable: {got}", f"writable: {wanted}")
        if "save" in step:
            self._saved[step["save"]] = len(content)

    def _string(self, step: Mapping[str, Any]) -> None:
        start = self._number(step["string"])
        text = bytearray()
        while len(text) < _LONGEST_STRING:
            char = self._side.process.read(start + len(text), 1)
            if char is None:
                raise self._failure(f"unreadable memory after {bytes(text)!r}", "a terminated text")
            if char == b"\0":
                self._saved[step["save"]] = tuple(text)
                return
            text += char
        raise self._failure(f"{_LONGEST_STRING} bytes with no end", "a terminated text")

    def _array(self, step: Mapping[str, Any]) -> None:
        count = self._number(step["count"])
        data = self._side.process.read(self._number(step["array"]), 8 * count)
        if data is None:
            raise self._failure("unreadable memory", f"{count} handles")
        self._saved[step["save"]] = decode(f"u64[{count}]", data)

    def _send(self, step: Mapping[str, Any]) -> None:
        self._other()
        descriptor = self._number(step["send"])
        self._saved[step["save"]] = self._here.process.send_descriptor(descriptor)

    def _close(self, step: Mapping[str, Any]) -> None:
        if not self._side.process.close_descriptor(self._number(step["close"])):
            raise self._failure("it was not open", "an open descriptor")

    def _open(self, step: Mapping[str, Any]) -> None:
        content = self._content(step) if "code" in step else b""
        size = self._number(step["open"]) + len(content)
        self._saved[step["save"]] = self._side.process.open_file(size, content)

    def _content(self, step: Mapping[str, Any]) -> bytes:
        if step.get("code") in MODULES:
            return build_module(MODULES[step["code"]])
        if "code" in step:
            return code_object(step["code"], self._side.machine.processor())
        return bytes.fromhex(step["bytes"])

    def _number(self, expression: str | int) -> int:
        return number(expression, self._lookup)

    def _lookup(self, name: str) -> Value:
        for table in (self._saved, signatures()["statuses"], signatures()["constants"]):
            if name in table:
                value: Value = table[name]
                return value
        if name in self._side.machine:
            return self._side.machine.name(name)
        if name == "page":
            return self._side.process.page_size
        if name == "scratch":
            start, size = self._side.process.scratch
            return start + size - self._side.process.page_size
        return _no_name(name)

    def _failure(self, got: object, expected: str) -> WrongAnswerError:
        return WrongAnswerError(self._case, self._where, str(got), expected)


def _status_name(result: int) -> str:
    statuses: Mapping[str, int] = signatures()["statuses"]
    value = result & 0xFFFFFFFF
    return next((name for name, number in statuses.items() if number == value), f"{value:#x}")


def _shown(value: Value) -> str:
    return hex(value) if isinstance(value, int) else str(value)


def _no_name(name: str) -> Value:
    raise ValueError(f"golden cases have no name {name!r} here; save it in an earlier step")
