"""Where programs of a run's failures can be tried: on the library that failed."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from hsa_adapters import AdapterError
from hsa_adapters.hosts import HostError, find
from hsa_adapters.library.sanitizers import preloading
from hsa_adapters.library.via import command as started
from hsa_adapters.temporary import TemporaryFolder
from hsa_adapters.virtual_kfd import VirtualKfdError, cached, load_machine, prepare
from hsa_conformance.reproduce.trying.leftovers import ending_all
from hsa_conformance.run_options import option_value
from hsa_reports import RunStarted
from hsa_reports.programs import CANNOT_TELL
from hsa_spec.compiler import CompilerError, compile_c, compiler

#: Seconds that a program may take: it ends by itself after its own limit, as often as it tries.
_LONGEST: Final = 150
_NO_TIME: Final = "no time was left for it"


class NoTargetError(Exception):
    """Nothing can be run on the library that failed; the message says why."""


@dataclass(frozen=True)
class ProgramOutput:
    """How a program ended, and the line that it printed."""

    status: int
    line: str
    seconds: float = 0.0


class Target:
    """The library of a run, the machine it was judged on, and what starts programs there.

    Args:
        run: the run.
        library: another library, to be tried instead; None for the run's own.
        seconds: how long programs are run from now on; None for as long as they take.

    Attributes:
        languages: the forms of programs that can be run, the preferred one first.
        library: the path of the library.
        own: whether it is the one that failed.

    Raises:
        NoTargetError: the library or its machine is not at hand.

    """

    def __init__(
        self, run: RunStarted, library: str | None = None, seconds: float | None = None
    ) -> None:
        path = library or run.subject.path
        if path is None:
            raise NoTargetError(f"{run.subject.implementation} is no library that programs load")
        self.library = path
        self.own = library is None
        self._default = run.subject.machine
        self._until = None if seconds is None else time.monotonic() + seconds
        self._via = option_value(run, "via")
        self._variables = dict(_variables(shlex.split(run.options.get("env", ""))))
        host = None if library else option_value(run, "host")
        self._loader: list[str] = []
        if host is not None:
            try:
                self._via = find(host).via
            except HostError as error:
                raise NoTargetError(str(error)) from None
            self._loader = _loader(self._via)
        elif self._via is None and not Path(path).exists():
            raise NoTargetError(f"{path} is not on this machine")
        if run.subject.emulated and option_value(run, "via") is None:
            raise NoTargetError(
                f"the run was made under the {run.subject.imitation}, and does not say how that "
                "is started: run the programs under it, or make the run with --via"
            )
        elsewhere = self._via is not None and not self._loader
        self.languages: Sequence[str] = (
            ("python",) if elsewhere or not _compiles() else ("c", "python")
        )

    def start(self, machine: str | None) -> str:
        """Return the words before a compiled program with which a shell runs it there."""
        imitated = f"hsa-conformance virtual-kfd run --machine {machine} -- " if machine else ""
        return (imitated + shlex.join(self._loader)).strip()

    def run(self, text: str, language: str, machine: str | None) -> ProgramOutput:
        """Run a program.

        Args:
            text: the program.
            language: what it is written in.
            machine: what a result names: the machines to imitate, of which it is the first, with
                the variables that were set there; None for the machine of the run.

        Raises:
            NoTargetError: it cannot be compiled or started, or no time is left for it.

        """
        name, *others = (machine or "").partition(";")[0].split(", ")
        given = {**self._variables, **dict(_variables(others))}
        try:
            with TemporaryFolder() as folder:
                imitation = _machine(name or self._default, folder.path)
                variables = preloading({**os.environ, **given}, imitation)
                if language == "c":
                    command = [*self._loader, str(compiled(text, folder.path)), self.library]
                    return _ended(command, variables, None, self._left())
                head = (
                    f"import os, sys\nos.environ.update({given!r})\n" if given else "import sys\n"
                )
                source = f"{head}sys.argv[1:] = [{self.library!r}]\n{text}".encode()
                message = b"%d\n%b" % (len(source), source)
                return _ended(started(self._via), variables, message, self._left())
        except (AdapterError, CompilerError, VirtualKfdError, OSError) as error:
            raise NoTargetError(str(error)) from None

    def _left(self) -> float:
        """Return the seconds that a program may take now."""
        left = _LONGEST if self._until is None else self._until - time.monotonic()
        if left <= 0:
            raise NoTargetError(_NO_TIME)
        return min(left, _LONGEST)


def _variables(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the variables that words such as "NAME=value" set."""
    for word in words:
        name, _, value = word.partition("=")
        yield name, value


def _machine(name: str | None, folder: Path) -> Mapping[str, str]:
    """Return the variables of a machine of its own: programs can make its driver fail."""
    if name is None:
        return {}
    return prepare(load_machine(name), folder / "machine", library=cached()).environment()


def compiled(text: str, folder: Path) -> Path:
    """Return the program that a C source was compiled to, in a folder.

    Raises:
        CompilerError: there is no compiler, or it does not compile it.

    """
    source, program = folder / "reproduce.c", folder / "reproduce"
    source.write_text(text, encoding="utf-8")
    options = ("-std=c11", "-w", "-pthread", "-o", str(program), str(source), "-ldl")
    compile_c(options, "the program")
    return program


def _compiles() -> bool:
    try:
        compiler()
    except CompilerError:
        return False
    return True


def _loader(via: str) -> list[str]:
    """Return the words with which a host's command starts a program of the host."""
    words = shlex.split(via)
    python = next(place for place, word in enumerate(words) if "python" in Path(word).name)
    return words[:python]


def _ended(
    command: Sequence[str], variables: Mapping[str, str], source: bytes | None, longest: float
) -> ProgramOutput:
    start = time.monotonic()
    # Files, because what the program leaves behind may keep a pipe open.
    with TemporaryFile() as out, TemporaryFile() as err:
        try:
            with ending_all(variables) as environment:
                done = subprocess.run(
                    command,
                    env=environment,
                    input=source,
                    stdin=subprocess.DEVNULL if source is None else None,
                    stdout=out,
                    stderr=err,
                    timeout=longest,
                    check=False,
                    # A library that ends its process group must not end the run with it.
                    start_new_session=True,
                )
        except subprocess.TimeoutExpired:
            if longest < _LONGEST:
                raise NoTargetError(_NO_TIME) from None
            return ProgramOutput(CANNOT_TELL, f"no end after {_LONGEST} seconds")
        seconds = time.monotonic() - start
        if not (lines := _lines(out)):  # Python, for one, ends with 1 where a program goes wrong
            errors = _lines(err)
            return ProgramOutput(
                CANNOT_TELL, errors[-1] if errors else "no line was printed", seconds
            )
        return ProgramOutput(done.returncode, lines[-1], seconds)


def _lines(file: IO[bytes]) -> list[str]:
    file.seek(0)
    return file.read().decode("utf-8", "replace").strip().splitlines()
