"""Threads and forks around the first call and after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

THREADS = """
#define THREADS 8
static pthread_barrier_t together;
static void *work(void *unused)
{
    pthread_barrier_wait(&together);
    for (int i = 0; i < 1000; i++)
        hsa_count();
    return unused;
}
static void run_threads(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}
"""

# The alarm ends a child that hangs, which is then seen as a signal.
IN_CHILD = """
static int in_child(void)
{
    pid_t child = fork();
    if (!child) {
        alarm(20);
        _exit(hsa_init() != 0);
    }
    int status;
    waitpid(child, &status, 0);
    return status;
}
"""


def test_first_call_may_be_made_by_many_threads_at_once(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        THREADS
        + """
        int main(void)
        {
            run_threads();
            printf("%u threads, ", hsa_threads());
            printf("%u calls", hsa_count() - 1);
        }
        """,
        toy_library,
    )

    assert ("8 threads, 8000 calls", "") == (done.stdout, done.stderr)


def test_first_call_may_be_made_by_many_threads_of_python_at_once(
    run_python: Callable[..., Any], toy_library: Path
) -> None:
    done = run_python(
        """
import ctypes, sys, threading
loaders = (ctypes.CDLL, ctypes.PyDLL)
libraries = [loader(sys.argv[1]) for loader in loaders]
together = threading.Barrier(8)
def work(library):
    together.wait()
    for _ in range(100):
        library.hsa_count()
threads = [threading.Thread(target=work, args=(libraries[i % 2],)) for i in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(libraries[0].hsa_count(), libraries[0].hsa_threads())
""",
        toy_library,
    )

    assert ("801 9\n", "") == (done.stdout, done.stderr)


def test_threads_that_python_does_not_know_come_and_go_in_a_python_process(
    run_python: Callable[..., Any], compiled: Callable[..., Any], toy_library: Path
) -> None:
    program = compiled(
        THREADS + "int main(void) { run_threads(); run_threads(); return 0; }",
        toy_library,
        "-shared",
        "-fPIC",
    )

    done = run_python(
        f"""
import ctypes, sys
threads = ctypes.CDLL({str(program)!r})
threads.main()
print(ctypes.CDLL(sys.argv[1]).hsa_count())
""",
        toy_library,
    )

    assert ("16001\n", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_process_that_forks_before_the_first_call_has_a_child_that_works(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        IN_CHILD + 'int main(void) { printf("%d ", in_child()); printf("%u", hsa_count()); }',
        toy_library,
    )

    assert ("0 1", "") == (done.stdout, done.stderr)


def test_process_that_forks_after_the_first_call_has_a_child_that_works(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        IN_CHILD
        + 'int main(void) { hsa_count(); printf("%d ", in_child()); printf("%u", hsa_count()); }',
        toy_library,
    )

    assert ("0 2", "") == (done.stdout, done.stderr)


def test_fork_while_other_threads_call_has_a_child_that_works(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        THREADS
        + IN_CHILD
        + """
        static void *forks(void *failed)
        {
            for (int i = 0; i < 50; i++)
                *(int *)failed |= in_child();
            return NULL;
        }
        int main(void)
        {
            int failed = 0;
            pthread_t forker;
            hsa_init();
            pthread_create(&forker, NULL, forks, &failed);
            run_threads();
            pthread_join(forker, NULL);
            printf("%d %u", failed, hsa_count());
        }
        """,
        toy_library,
    )

    assert ("0 8001", "") == (done.stdout, done.stderr)


def test_child_of_a_thread_works_after_that_thread_has_ended(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        """
        static void *call(void *unused)
        {
            printf("%u", hsa_count());
            exit(0);
            return unused;
        }
        static void *forks(void *unused)
        {
            hsa_count();
            if (fork()) {
                wait(NULL);
                return unused;
            }
            pthread_t thread;
            alarm(20);
            pthread_create(&thread, NULL, call, NULL);
            return unused;
        }
        int main(void)
        {
            pthread_t thread;
            hsa_count();
            pthread_create(&thread, NULL, forks, NULL);
            pthread_join(thread, NULL);
        }
        """,
        toy_library,
    )

    assert ("3", "") == (done.stdout, done.stderr)


def test_fork_of_a_python_process_has_a_child_that_works(
    run_python: Callable[..., Any], toy_library: Path
) -> None:
    done = run_python(
        """
import ctypes, os, sys
library = ctypes.CDLL(sys.argv[1])
for warm in (False, True):
    child = os.fork()
    if not child:
        os._exit(library.hsa_count())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), library.hsa_count())
""",
        toy_library,
    )

    assert ("1 1\n2 2\n", "") == (done.stdout, done.stderr)


def test_fork_in_the_middle_of_another_threads_first_call_is_refused_in_the_child(
    run_c: Callable[..., Any], toy_library: Path, package: Path, tmp_path: Path
) -> None:
    started, go = tmp_path / "started", tmp_path / "go"
    init = package / "hsa_reference" / "__init__.py"
    wait = f"open({str(started)!r}, 'w').close()\nwhile not os.path.exists({str(go)!r}): pass\n"
    init.write_text("import os\n" + wait + init.read_text())

    done = run_c(
        IN_CHILD
        + f"""
        static void *first(void *unused) {{ hsa_init(); return unused; }}
        int main(void)
        {{
            pthread_t thread;
            pthread_create(&thread, NULL, first, NULL);
            while (access("{started}", F_OK))
                usleep(1000);
            printf("%d ", WEXITSTATUS(in_child()));
            fclose(fopen("{go}", "w"));
            pthread_join(thread, NULL);
            printf("%u", hsa_count());
        }}
        """,
        toy_library,
    )

    assert "1 1" == done.stdout
    [line] = done.stderr.splitlines()
    assert "make the first call before the process forks" in line
