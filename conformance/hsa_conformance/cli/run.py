"""`run`: run the suite on an implementation and write a report."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Collection, Mapping
from contextlib import redirect_stderr, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli import dry_run
from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.expected_time import expected_seconds
from hsa_conformance.cli.files import load_run
from hsa_conformance.cli.processes import processes
from hsa_conformance.cli.run_folder import new_folder
from hsa_conformance.cli.subject_options import add_options, given
from hsa_conformance.cli.trying import with_programs
from hsa_conformance.cli.wrong_use import check_files, check_words
from hsa_conformance.runs.exit_status import FAILED, NOT_CARRIED_OUT, PASSED, WRONG_USE

if TYPE_CHECKING:
    from hsa_conformance.selection.selection import Selection
    from hsa_reports import Explanation, Run
    from hsa_spec import Registry

#: The ROCr that the dynamic loader finds.
INSTALLED = "libhsa-runtime64.so.1"
REPORT = "report.html"


def add_parser(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command."""
    parser = commands.add_parser("run", help="run the suite on an implementation")
    add_options(parser)
    parser.add_argument(
        "--select",
        metavar="WHAT",
        action="append",
        default=[],
        type=given,
        help="a group (vmem), topic (amd/vmem), function or clause, CLAUSE[AXIS=VALUE] for a "
        "clause tried with one value, or a query such as 'topic:amd/vmem and strength:must and "
        "not verdict:PASS@RUN'; may be repeated",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="list the selected clauses, with an estimate of the time; judge nothing",
    )
    parser.add_argument(
        "--shard",
        metavar="I/N",
        type=_shard,
        help="judge part I of N, which take about the same time; see `merge`",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="continue an incomplete run, the one in --out or the last one; the other "
        "options must be the same as before",
    )
    parser.add_argument(
        "--durations",
        metavar="N",
        type=_count,
        default=0,
        help="at the end, list the N slowest clauses",
    )
    parser.set_defaults(execute=execute)


def _shard(text: str) -> str:
    from hsa_conformance.selection.shards import shard_of

    shard_of(text)  # in words, for pytest
    return text


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of clauses such as 10")
    return number


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_reports.durations import in_words, longest
    from hsa_reports.terminal import console, print_summary, say
    from hsa_spec import load

    registry = load()
    resolve(options)
    if options.dry_run:
        check_words(options)
        check_files(options, registry)
        return dry_run.show(options, chosen_by(options, registry), registry)
    status, folder, run, causes = run_clauses(options, registry, programs=True)
    out = console(sys.stdout)
    print_summary(run, registry, out, causes)
    for clause, seconds in longest(run, options.durations):
        say(out, f"{seconds:8.2f} s  {clause}")
    say(out, f"Time: {in_words(run)}.")
    if (folder / REPORT).exists():
        print(f"Report: {folder / REPORT}")
    return status


def run_clauses(
    options: argparse.Namespace, registry: Registry, *, programs: bool = False
) -> tuple[int, Path, Run, Mapping[str, Explanation]]:
    """Run the clauses selected and write events and report.

    Args:
        options: what the command line says, resolved.
        registry: the specification.
        programs: try the programs of unexpected failures at the end.

    Returns:
        The exit status, the folder of the run, what was found, and what is known of its causes.

    Raises:
        CommandError: the run cannot be started.

    """
    from hsa_adapters.worker.resources.needs import lacking
    from hsa_conformance.findings.explanations import explained
    from hsa_reports import EVENTS, render_html

    check_words(options)
    if lack := lacking():
        raise CommandError(lack, 3)
    chosen = chosen_by(options, registry)
    folder, made = new_folder(options)
    events = folder / EVENTS
    status, complaint = _pytest(options, events, chosen.ids)
    if status == WRONG_USE or not events.exists():
        for path in made:
            # Another run may have begun in it by now.
            with suppress(OSError):
                path.rmdir()
        raise CommandError(complaint or "the run was not carried out", status)
    run = load_run(events)
    causes = explained(run, registry, *filter(None, [options.baseline]))
    if programs:
        run = with_programs(run, registry, causes, events)
    try:
        page = render_html(run, registry, causes)
        (folder / REPORT).write_text(page, encoding="utf-8")
    except OSError as error:
        (folder / REPORT).unlink(missing_ok=True)
        advice = f"make it elsewhere with hsa-conformance report html {folder} --out FILE"
        what = f"{complaint}; no report" if complaint else f"cannot write {folder / REPORT}"
        complaint = f"{what}: {error.strerror}; {advice}"
        status = NOT_CARRIED_OUT
    if complaint:
        print(f"hsa-conformance: {complaint}", file=sys.stderr)
    return status, folder, run, causes


def chosen_by(options: argparse.Namespace, registry: Registry) -> Selection:
    """Return the clauses that the command line selects.

    Raises:
        CommandError: it selects none, or cannot be understood.

    """
    from hsa_conformance.selection.names import SelectionError
    from hsa_conformance.selection.selection import choose
    from hsa_conformance.selection.shards import shard_of

    try:
        shard = shard_of(options.shard) if options.shard else None
        return choose(registry, options.select, shard, options.profile)
    except SelectionError as error:
        raise CommandError(str(error)) from None


def resolve(options: argparse.Namespace) -> None:
    """Name the library that `--host` and `--virtual-kfd` stand for.

    Raises:
        CommandError: there is no such host, or another library is named as well.

    """
    _resolve_host(options)
    _resolve_machine(options)


def _resolve_host(options: argparse.Namespace) -> None:
    """Replace `--host SUITE` by the library and the command that it stands for.

    Raises:
        CommandError: there is no such host, or another library is named as well.

    """
    if not options.host:
        return
    if options.library or options.via:
        raise CommandError("--host says which library and how; leave out --library and --via")
    from hsa_adapters.hosts import HostError, NoHostError, find

    try:
        host = find(options.host)
    except NoHostError as error:
        raise CommandError(str(error)) from None
    except HostError as error:
        raise CommandError(str(error), NOT_CARRIED_OUT) from None
    options.library, options.via = str(host.library), host.via
    options.release = options.release or host.rocr_version


def _resolve_machine(options: argparse.Namespace) -> None:
    """Name what `--virtual-kfd` leaves out: the machines, and the library that is put on them."""
    if options.virtual_kfd is None:
        return
    if options.virtual_kfd is True:
        from hsa_conformance.configurations import ALL

        options.virtual_kfd = ALL
    options.library = options.library or INSTALLED


def _variables(options: argparse.Namespace) -> Mapping[str, str]:
    """Return the variables of `--env`, and what a library with a sanitizer in it needs."""
    from hsa_adapters.library.sanitizers import variables

    given = dict(variable.split("=", 1) for variable in options.env)
    here = options.library and not (options.via or options.host)
    return variables(options.library, given) if here else given


def _pytest(options: argparse.Namespace, events: Path, clauses: Collection[str]) -> tuple[int, str]:
    """Run the suite and return the exit status, and what pytest itself had to complain about."""
    import pytest

    from hsa_conformance import suite
    from hsa_conformance.cli.progress import Progress
    from hsa_conformance.selection.durations import subject_of
    from hsa_reports.counting import clause_count

    module = Path(suite.__file__).with_name("test_suite.py")
    words = [
        "-p",
        "no:terminal",
        "-p",
        "no:cacheprovider",
        # Nothing asserts here; pytest would read every module of the suite once more for it.
        "--assert=plain",
        # Collects all garbage several times at the end, for warnings that nobody sees here.
        "-p",
        "no:unraisableexception",
        "-c",
        str(module.with_name("pytest.ini")),
    ]
    words += ["--rootdir", str(module.parent), str(module), "--hsa-events", str(events)]
    for name in (
        "adapter",
        "library",
        "via",
        "host",
        "release",
        "hsa-version",
        "machine",
        "claim",
        "virtual-kfd",
        "emulated",
        "baseline",
        "against",
        "budget",
        "memory-budget",
        "output",
        "memory",
        "threads",
        "limit",
        "profile",
        "length",
        "seed",
        "shard",
    ):
        value = getattr(options, name.replace("-", "_"))
        if value is not None:
            words += [f"--hsa-{name}={value}"]
    if not options.adapter and not options.library:
        words += ["--hsa-adapter=reference"]
    words += [f"--hsa-select={name}" for name in options.select]
    words += [f"--hsa-env={name}={value}" for name, value in _variables(options).items()]
    words += ["--hsa-strict"] if options.strict else []
    words += ["--hsa-expect-no-device"] if options.expect_no_device else []
    words += ["--hsa-traceback"] if options.traceback else []
    words += ["--hsa-replay"] if options.replay else []
    words += ["--hsa-resume"] if options.resume else []
    words += ["-x"] if options.fail_fast else []
    subject = subject_of(options.library)
    workers = processes(options.workers, clauses, subject)
    told = f"{clause_count(len(clauses))} in {workers} process{'es' * (workers > 1)}"
    if (seconds := expected_seconds(options, clauses, workers)) is not None:
        told += f", about {seconds:.0f} s"
    if workers > 1:
        # Few at a time, so that no process is left with many while the others have none.
        words += ["-n", str(workers), "--maxschedchunk=2"]
    # Hypothesis keeps notes of its own; they belong in the cache, not where the user stands.
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    os.environ.setdefault(
        "HYPOTHESIS_STORAGE_DIRECTORY", str(cache / "hsa-conformance" / "hypothesis")
    )
    progress = Progress(
        sys.stderr,
        opening=told,
        tracebacks=options.traceback,
        fail_fast=options.fail_fast,
    )
    with redirect_stderr(io.StringIO()) as complaints:
        status = int(pytest.main(words, plugins=[progress]))
    said = complaints.getvalue().removeprefix("ERROR: ").removeprefix("Exit: ").strip()
    complaint = progress.stopped or said
    if status == pytest.ExitCode.USAGE_ERROR:
        # What lies there may be the file of another run, which has just made it.
        return WRONG_USE, complaint
    if events.exists() and not events.stat().st_size:
        events.unlink()
    return status if events.exists() and status in (PASSED, FAILED) else NOT_CARRIED_OUT, complaint
