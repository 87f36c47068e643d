"""What a person sees while a run goes on: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

from typing import TextIO

import pytest
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from hsa_conformance.own_errors import clause_of, failed


class Progress:
    """A pytest plugin that counts clauses.

    Args:
        stream: where to write.
        opening: said once it is known that the library can be used.
        tracebacks: whether errors that are no finding are shown with theirs.
        fail_fast: whether the run was asked to stop at the first failure, which is no interruption.

    Attributes:
        stopped: why the run was stopped before its end, if it was.

    """

    def __init__(
        self,
        stream: TextIO,
        *,
        opening: str = "",
        tracebacks: bool = False,
        fail_fast: bool = False,
    ) -> None:
        self._opening = opening
        self._fail_fast = fail_fast
        self.stopped = ""
        self._stream = stream
        self._tracebacks = tracebacks
        self._lines: set[str] = set()
        self._bar: Bar | None = None
        self._task: int = 0
        self._total = 0
        self._done = 0
        self._terminal = stream.isatty()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn how many clauses there are, where this process runs them itself."""
        self._start(len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: list[str]) -> None:
        """Learn how many clauses there are, where workers run them."""
        del node
        self._start(len(ids))

    def _start(self, total: int) -> None:
        if not total or self._total:
            return
        self._total = total
        if self._opening:
            self._say(self._opening)
        if self._terminal:
            self._bar = Bar(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(file=self._stream),
                transient=True,
            )
            self._task = self._bar.add_task("clauses", total=total)
            self._bar.start()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a clause, and say so at once when it fails."""
        if report.when != "call":
            return
        self._done += 1
        if report.failed:
            self._complain(report)
        if self._bar is not None:
            self._bar.advance(self._task)  # type: ignore[arg-type]
        elif self._done % max(1, self._total // 10) == 0:
            self._say(f"{self._done} of {self._total} clauses")

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note why the run stops before its end."""
        stop = excinfo.value
        if (
            self._fail_fast
            and type(stop) is not KeyboardInterrupt
            and not isinstance(stop, pytest.exit.Exception)
        ):
            return
        self.stopped = (
            stop.msg if isinstance(stop, pytest.exit.Exception) else ""
        ) or "interrupted"

    def pytest_sessionfinish(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def pytest_internalerror(self, excrepr: object) -> None:
        """Say what went wrong in the suite itself."""
        self._say(str(excrepr))

    def _complain(self, report: pytest.TestReport) -> None:
        """Say why a clause failed; of an error that is no finding, once, and in a line."""
        error = failed(report)
        if error is None or self._tracebacks:
            # Unlike longreprtext, this does not begin with the process of pytest-xdist.
            self._say(str(report.longrepr).strip() or report.nodeid)
        elif error.text not in self._lines:
            self._lines.add(error.text)
            self._say(f"ERROR: {clause_of(report)}: {error.text}")

    def _say(self, text: str) -> None:
        if self._bar is not None:
            self._bar.console.print(text, markup=False, highlight=False)
        else:
            print(text, file=self._stream, flush=True)
