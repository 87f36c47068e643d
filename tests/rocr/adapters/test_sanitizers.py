"""Libraries that were built with a sanitizer: what it reports, and whose defect that is."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hsa_adapters import AdapterError, Call, Ended, LibraryAdapter, LimitError
from hsa_adapters.library.sanitizers import preloading, variables
from hsa_adapters.worker.ends import sanitizer_reports
from hsa_adapters.worker.resources.ledger import HEAP
from hsa_conformance.engine.judging.deaths import manner
from hsa_conformance.engine.judging.verdict import demands_survival, of_end
from hsa_reports import Verdict
from hsa_spec import load

#: A library with one defect in hsa_init, and none in hsa_shut_down.
SOURCE = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int eight = 8, most = 0x7fffffff;
#ifdef __cplusplus
extern "C" int hsa_init(void);
#endif
int hsa_init(void) {
    char *block = (char *)malloc(eight);
    %s
    free(block);
    return 0;
}
int hsa_shut_down(void) { return 0; }
long hsa_signal_load_relaxed(unsigned long signal) { return (long)malloc(8); }
"""
DEFECTS = {
    "AddressSanitizer: heap-buffer-overflow": ("address", "block[eight] = 1;"),
    "AddressSanitizer: heap-use-after-free": ("address", "free(block); block[0] = 1;"),
    "runtime error: signed integer overflow": ("undefined", "most++;"),
    "runtime error: division by zero": ("undefined", "eight = eight / (eight - 8);"),
}

Opened = Callable[..., LibraryAdapter]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Return what builds a library with a sanitizer and a defect, and gives its adapter."""
    adapters = []

    def opened(sanitizer: str, defect: str, *more: str) -> LibraryAdapter:
        source, library = tmp_path / "library.c", tmp_path / "library.so"
        source.write_text(SOURCE % defect)
        options = ["-g", "-shared", "-fPIC", f"-fsanitize={sanitizer}", "-Wl,--build-id"]
        command = ["cc", *options, "-o", str(library), *more, str(source)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip(f"the C compiler has no {sanitizer} sanitizer")
        adapter = LibraryAdapter(library, load(), environment=variables(library, {}))
        adapters.append(adapter)
        adapter.start()
        return adapter

    yield opened
    for adapter in adapters:
        adapter.close()


@pytest.mark.parametrize("said", DEFECTS)
def test_a_report_ends_the_process_in_the_call_that_it_is_about(opened: Opened, said: str) -> None:
    """Said is the sanitizer's word for it; the place is that of the defect."""
    process = opened(*DEFECTS[said]).process()
    assert 0 == process.call(Call("hsa_shut_down", ())).result
    with pytest.raises(Ended) as caught:
        process.call(Call("hsa_init", ()))
    end = caught.value
    assert ("CRASH", f"SIGABRT, by {said}") == (end.kind, manner(end))
    assert "hsa_init" == (end.place and end.place.function)
    assert "ffi" not in end.stderr
    assert "python" not in end.stderr


@pytest.mark.parametrize("sanitizer", ["address", "undefined"])
def test_a_library_without_a_defect_is_reported_by_no_sanitizer(
    opened: Opened, sanitizer: str
) -> None:
    process = opened(sanitizer, "").process()
    assert [0, 0] == [process.call(Call(name, ())).result for name in ("hsa_init", "hsa_shut_down")]
    process.close()


def test_what_the_suite_looks_at_and_writes_is_reported_by_no_sanitizer(opened: Opened) -> None:
    process = opened("address", "").process()
    block = process.call(Call("hsa_signal_load_relaxed", (1,))).result
    assert 16 == len(process.read(block, 16) or b"")
    process.write(block, bytes(16))
    assert 0 == process.call(Call("hsa_init", ())).result
    process.close()


def test_only_what_a_library_keeps_is_counted_under_a_sanitizer(opened: Opened) -> None:
    """A sanitizer holds freed blocks back, and maps memory for that."""
    process = opened("address", "").process()

    def after_100(call: Call) -> int:
        for _ in range(100):
            process.call(call)
        counts = process.ledger()
        assert {"thread", "file descriptor", HEAP} == counts.keys()
        return counts[HEAP]

    freed, kept = Call("hsa_init", ()), Call("hsa_signal_load_relaxed", (1,))
    after_100(kept)  # the worker's own memory grows the first time
    assert 0 == after_100(freed) - after_100(freed)
    assert 100 * 8 == -after_100(freed) + after_100(kept)
    process.close()


def test_an_exception_that_a_library_catches_is_reported_by_no_sanitizer(opened: Opened) -> None:
    adapter = opened("address", "try { throw 1; } catch (int) {}", "-lstdc++", "-x", "c++")
    process = adapter.process()
    assert 0 == process.call(Call("hsa_init", ())).result
    process.close()


def test_a_signal_under_a_sanitizer_is_a_signal(opened: Opened) -> None:
    """No report takes the place of the signal."""
    process = opened("address", "raise(11);").process()
    with pytest.raises(Ended, match="SIGSEGV"):
        process.call(Call("hsa_init", ()))


def test_a_report_about_another_file_accuses_nobody(opened: Opened) -> None:
    """The library's words are its own: what they say was done elsewhere is no crash of it."""
    words = (
        "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\\n"
        "    #0 0x1 in memcpy (/lib/libc.so.6+0x2)\\n"
        "    #1 0x1 in ffi_call (/lib/libffi.so.8+0x2)\\n"
    )
    adapter = opened("undefined", f'printf("%s", "{words}"); fflush(stdout); abort();')
    with pytest.raises(LimitError, match=r"libffi\.so\.8, which is not under test"):
        adapter.process().call(Call("hsa_init", ()))


def test_a_library_whose_runtime_is_not_here_is_refused_with_what_to_do(tmp_path: Path) -> None:
    library, runtime = tmp_path / "library.so", tmp_path / "libasan.so.99"
    (tmp_path / "empty.c").write_text("")
    (tmp_path / "library.c").write_text("int hsa_init(void) { return 0; }\n")
    share = ["cc", "-shared", "-fPIC", "-Wl,--no-as-needed"]
    subprocess.run(
        [*share, "-o", runtime, tmp_path / "empty.c", "-Wl,-soname,libasan.so.99"], check=True
    )
    subprocess.run([*share, "-o", library, tmp_path / "library.c", runtime], check=True)
    runtime.unlink()
    adapter = LibraryAdapter(library, load(), environment=variables(library, {}))
    with pytest.raises(AdapterError, match="the runtime of the sanitizer it was built with"):
        adapter.start()


def test_the_first_stack_says_where_it_was_done() -> None:
    """Functions of the C library and of the sanitizer do it for their caller."""
    report = sanitizer_reports.read(
        "noise\n==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x6 at pc 0x7\n"
        "READ of size 1\n"
        "    #0 0x1 in memcpy (/lib/libasan.so.8+0x10) <null>\n"
        "    #1 0x2 in copy (/opt/lib/libhsa.so+0x1af) copy.cpp:3\n"
        "    #2 0x3 in ffi_call (/lib/libffi.so.8+0x9) <null>\n"
        "\nfreed by thread T0 here:\n"
        "    #0 0x1 in free (/lib/libasan.so.8+0x20) <null>\n",
        "/opt/lib/libhsa.so",
    )
    assert report is not None
    assert ("AddressSanitizer: heap-use-after-free", "/opt/lib/libhsa.so", 0x1AF) == (
        report.what,
        report.path,
        report.offset,
    )
    assert "ffi_call" not in report.text
    assert "freed by" in report.text


def test_what_a_sanitizer_finds_wrong_with_itself_accuses_nobody() -> None:
    report = sanitizer_reports.read(
        'AddressSanitizer: CHECK failed: asan.cpp:320 "((real)) != (0)" (0x0, 0x0) (tid=7)\n'
        "    #0 0x1 in CheckUnwind (/lib/libasan.so.8+0x10) asan_rtl.cpp:67\n"
        "    #1 0x2 in hsa_init (/opt/lib/libhsa.so+0x1af) init.cpp:3\n",
        "/opt/lib/libhsa.so",
    )
    assert report is not None
    assert "AddressSanitizer: CHECK failed" == report.what
    assert sanitizer_reports.is_the_testers(report.path)


def test_what_several_preload_is_preloaded_in_their_order() -> None:
    both = preloading({"LD_PRELOAD": "libasan.so.8", "A": "1"}, {"LD_PRELOAD": "kfd.so", "A": "2"})
    assert {"LD_PRELOAD": "libasan.so.8:kfd.so", "A": "2"} == both


#: A race of a thread of the library's own, which hsa_init created, with hsa_shut_down.
RACED = """\
WARNING: ThreadSanitizer: data race (pid=7)
  Write of size 8 at 0x7b01 by main thread:
    #0 0x1 in memcpy (/lib/libclang_rt.tsan-x86_64.so+0x10) ??:?
    #1 0x2 in stop (/opt/lib/libhsa.so+0x1a0) stop.cpp:3
    #2 0x3 in hsa_shut_down (/opt/lib/libhsa.so+0x1b0) api.cpp:3
    #3 0x4 in ffi_call (/lib/libffi.so.8+0x9) ??:?

  Previous read of size 8 at 0x7b01 by thread T2 (mutexes: write M0):
    {previous}

  {location}

  Thread T2 'events' (tid=9, running) created by thread T1 at:
    #0 0x1 in pthread_create (/lib/libclang_rt.tsan-x86_64.so+0x20) ??:?
    #1 0x5 in begin (/opt/lib/libhsa.so+0x2a0) begin.cpp:3
    #2 0x6 in hsa_init (/opt/lib/libhsa.so+0x2b0) api.cpp:9
    #3 0x4 in ffi_call (/lib/libffi.so.8+0x9) ??:?

  Thread T1 (tid=8, running) created by main thread at:
    #0 0x1 in pthread_create (/lib/libclang_rt.tsan-x86_64.so+0x20) ??:?
    #1 0x7 in thread_start (/lib/libpython3.11.so.1.0+0x30) ??:?
"""
PREVIOUS = "#0 0x8 in loop (/opt/lib/libhsa.so+0x3a0) loop.cpp:3"
BLOCK = """\
Location is heap block of size 8 at 0x7b01 allocated by main thread:
    #0 0x1 in malloc (/lib/libclang_rt.tsan-x86_64.so+0x40) ??:?
    #1 0x9 in make ({by}+0x50) ??:?\
"""
OWN = BLOCK.format(by="/opt/lib/libhsa.so")


def test_a_race_is_about_the_calls_of_both_threads() -> None:
    """For a thread of the library's own, about the call that created it."""
    report = sanitizer_reports.read(
        RACED.format(previous=PREVIOUS, location=OWN), "/opt/lib/libhsa.so"
    )
    assert report is not None
    assert (True, (0x1B0, 0x2B0), None) == (report.shared, report.calls, report.memory)
    assert ("/opt/lib/libhsa.so", 0x1A0) == (report.path, report.offset)


def test_a_race_with_what_the_tester_brought_accuses_nobody() -> None:
    """One side of it is the imitated driver, or is not known, or the memory is Python's."""
    driver = PREVIOUS.replace("libhsa.so", "libvirtual-kfd.so")
    lost, pythons = "[failed to restore the stack]", BLOCK.format(by="/lib/libpython3.11.so.1.0")
    for previous, location in ((driver, OWN), (lost, OWN), (PREVIOUS, pythons)):
        told = RACED.format(previous=previous, location=location)
        report = sanitizer_reports.read(told, "/opt/lib/libhsa.so")
        assert report is not None
        assert sanitizer_reports.is_the_testers(report.path)


def test_where_it_is_not_told_whose_memory_it_is_the_address_is() -> None:
    """Such as an array that a caller gave to two threads at one time."""
    told = RACED.format(previous=PREVIOUS, location="")
    report = sanitizer_reports.read(told, "/opt/lib/libhsa.so")
    assert report is not None
    assert 0x7B01 == report.memory


RACE = """
#include <pthread.h>
static int counter;
static void *work(void *nothing) {
    for (int i = 0; i < 1000; i++) counter++;
    return nothing;
}
int hsa_init(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    return pthread_join(other, 0);
}
"""
LAUNCHER = """
#include <Python.h>
int main(int count, char **words) { return Py_BytesMain(count, words); }
"""


def test_a_race_is_found_by_a_python_that_has_the_sanitizer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker runs in a program that embeds Python; a race ends its call, and is a warning."""
    (tmp_path / "race.c").write_text(RACE)
    (tmp_path / "launcher.c").write_text(LAUNCHER)
    build = (
        "cc -g -shared -fPIC -pthread -fsanitize=thread race.c -o race.so && "
        "cc -fsanitize=thread launcher.c -o launcher "
        "$(python3-config --includes --embed --ldflags)"
    )
    done = subprocess.run(build, shell=True, capture_output=True, check=False, cwd=tmp_path)
    if done.returncode:
        pytest.skip("needs ThreadSanitizer, and Python's headers and library")
    frames = 'stack_trace_format="    #%n %p in %f (%m+%o) %S"'
    monkeypatch.setenv("TSAN_OPTIONS", f"halt_on_error=1:abort_on_error=1:{frames}")
    adapter = LibraryAdapter(tmp_path / "race.so", load(), via=f"{tmp_path / 'launcher'} {{args}}")
    adapter.start()
    with pytest.raises(Ended) as caught:
        adapter.process().call(Call("hsa_init", ()))
    adapter.close()
    ended = caught.value
    assert "SIGABRT, by ThreadSanitizer: data race" == manner(ended)
    assert ["hsa_init", "hsa_init"] == ended.between
    assert ended.place is not None
    assert ("race.so", "work") == (ended.place.file, ended.place.function)
    success = [load().clauses["hsa_init/success"]]
    assert (Verdict.WARN, True) == (of_end(ended, success), bool(demands_survival(success)))


def test_memory_is_the_sanitizer_s_to_refuse(opened: Opened) -> None:
    """It has the functions of the heap; that is the reason where clauses ask for it."""
    assert "a sanitizer has the functions of the heap" == opened("address", ";").memory()
