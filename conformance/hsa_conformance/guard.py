"""Tells errors of a third party's adapter apart from the suite's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from hsa_adapters import Adapter, AdapterError, Ended, LimitError
from hsa_conformance import own_errors

#: What the protocol lets an adapter raise.
_AGREED: Final = (AdapterError, Ended, LimitError)
#: Methods that give away something else of the adapter's.
_MAKERS: Final = frozenset({"process", "peer", "faults"})


def guarded(adapter: Adapter, name: str) -> Adapter:
    """Return an adapter that raises nothing but what the protocol says.

    Args:
        adapter: a third party's.
        name: what errors call it.

    """
    return cast("Adapter", _Guard(adapter, name))


class _Guard:
    """A thing of an adapter's, of which any error but those agreed on is an AdapterError."""

    def __init__(self, thing: object, name: str) -> None:
        self._thing = thing
        self._name = name

    def __getattr__(self, attribute: str) -> Any:  # noqa: ANN401 - as the thing's own
        value = self._asked(getattr, self._thing, attribute)
        if not callable(value):
            return value

        def method(*args: object, **named: object) -> Any:  # noqa: ANN401
            answer = self._asked(value, *args, **named)
            made = attribute in _MAKERS and answer is not None
            return _Guard(answer, self._name) if made else answer

        return method

    def _asked(self, what: Callable[..., Any], *args: object, **named: object) -> Any:  # noqa: ANN401
        try:
            return what(*args, **named)
        except _AGREED:
            raise
        except Exception as error:
            trace = error.__traceback__
            raise broken(self._name, error.with_traceback(trace and trace.tb_next)) from error


def broken(name: str, error: Exception) -> AdapterError:
    """Return the error that says what a third party's code raised.

    Args:
        name: what it calls the adapter.
        error: what was raised.

    """
    return AdapterError(f"{name} is broken: {own_errors.line(error)}{own_errors.MORE}")
