"""Threads that end, and handlers of POSIX signals, in the middle of calls, waits and callbacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_reference.runtime import CHECK_VARIABLE
from tests.library.reference_library import test_library_processes

# The alarm ends what hangs, which is then seen as a signal.
PROTOTYPES = (
    test_library_processes.PROTOTYPES
    + """
#include <setjmp.h>
#include <sys/mman.h>
uint32_t hsa_amd_signal_wait_any(uint32_t, hsa_signal_t *, uint32_t *, int64_t *, uint64_t,
                                 uint32_t, int64_t *);
uint32_t hsa_amd_signal_wait_all(uint32_t, hsa_signal_t *, uint32_t *, int64_t *, uint64_t,
                                 uint32_t, int64_t *);
hsa_status_t hsa_system_get_info(uint32_t, void *);
uint64_t hsa_queue_load_write_index_scacquire(queue_t *);
static hsa_signal_t never;

static int is_usable(void)
{
    hsa_signal_t made;
    return !hsa_signal_create(0, 0, NULL, &made) && !hsa_signal_destroy(made);
}

static void start(void)
{
    alarm(60);
    DO(hsa_init());
    never = a_signal(0);
}
"""
)

WAITS = {
    "one": "hsa_signal_wait_scacquire(never, EQ, 1, FOREVER, 0)",
    "any": "hsa_amd_signal_wait_any(2, signals, conditions, values, FOREVER, 0, values)",
    "all": "hsa_amd_signal_wait_all(2, signals, conditions, values, FOREVER, 0, values)",
}


@pytest.mark.parametrize("checked", ["0", "1"], ids=["not checked", "checked"])
@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS)
def test_a_thread_that_is_cancelled_in_a_wait_ends(
    run_c: Callable[..., Any], library: Path, wait: str, checked: str
) -> None:
    """Its own clean-up may call, others go on, and it is not counted among those who wait."""
    done = run_c(
        """
static int cleaned;
static void clean_up(void *unused)
{
    (void)unused;
    cleaned += is_usable();
}
static void *waits(void *unused)
{
    hsa_signal_t signals[] = {never, never};
    uint32_t conditions[] = {EQ, EQ};
    int64_t values[] = {1, 1};
    (void)signals, (void)conditions, (void)values;
    pthread_cleanup_push(clean_up, NULL);
    WAIT;
    pthread_cleanup_pop(false);
    return unused;
}
int main(void)
{
    start();
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, waits, NULL);
        while (!__atomic_load_n((uint32_t *)never.handle + 14, __ATOMIC_SEQ_CST))
            usleep(1000);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        printf("%d %d ", result == PTHREAD_CANCELED, is_usable());
    }
    printf("%d %u", cleaned, ((uint32_t *)never.handle)[14]);
    DO(hsa_signal_destroy(never));
    DO(hsa_shut_down());
}
""".replace("WAIT", wait),
        library,
        PROTOTYPES,
        **{CHECK_VARIABLE: checked},
    )

    assert ("1 1 1 1 1 1 3 0", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_a_thread_that_is_cancelled_in_a_call_ends_after_it(
    run_c: Callable[..., Any], library: Path
) -> None:
    done = run_c(
        """
static void *calls(void *calling)
{
    for (;;) {
        int ok = is_usable();
        __atomic_store_n((int *)calling, ok, __ATOMIC_SEQ_CST);
        pthread_testcancel();
    }
    return NULL;
}
int main(void)
{
    int cancelled = 0, usable = 0;
    start();
    for (int i = 0; i < 50; i++) {
        pthread_t threads[2];
        void *result;
        for (int t = 0; t < 2; t++) {
            int calling = 0;
            pthread_create(&threads[t], NULL, calls, &calling);
            while (!__atomic_load_n(&calling, __ATOMIC_SEQ_CST))
                usleep(100);
            pthread_cancel(threads[t]);
            pthread_join(threads[t], &result);
            cancelled += result == PTHREAD_CANCELED;
        }
        usable += is_usable();
    }
    printf("%d %d", cancelled, usable);
    DO(hsa_shut_down());
}
""",
        library,
        PROTOTYPES,
    )

    assert ("100 50", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_a_call_leaves_the_threads_cancelability_to_the_client(
    run_c: Callable[..., Any], library: Path
) -> None:
    """A callback runs with it, and what the callback makes of it stays after the call."""
    done = run_c(
        """
static int exchange(int state)
{
    int before;
    pthread_setcancelstate(state, &before);
    return before == PTHREAD_CANCEL_DISABLE;
}
static hsa_status_t visit(hsa_agent_t agent, void *next)
{
    (void)agent;
    printf("%d ", exchange(*(int *)next));
    return 1;
}
int main(void)
{
    int disable = PTHREAD_CANCEL_DISABLE, enable = PTHREAD_CANCEL_ENABLE;
    start();
    hsa_iterate_agents(visit, &disable);
    hsa_iterate_agents(visit, &enable);
    printf("%d", exchange(enable));
    DO(hsa_shut_down());
}
""",
        library,
        PROTOTYPES,
    )

    assert ("0 1 0", "", 0) == (done.stdout, done.stderr, done.returncode)


# A query writes to memory that nobody can write to: that is the middle of a call.
IN_A_CALL = """
static queue_t *queue;
static char *page;
sigjmp_buf back;

static void handle(int number)
{
    (void)number;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
    HANDLE
}
static void query(void)
{
    mprotect(page, 4096, PROT_NONE);
    printf("%#x ", hsa_system_get_info(0, page));
}
int main(void)
{
    static char room[16384];
    stack_t other = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = handle, .sa_flags = FLAGS};
    start();
    queue = a_queue();
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &action, NULL);
    MAIN
    fflush(stdout);
    _exit(0);
}
"""


def in_a_call(handle: str, main: str, flags: str = "0") -> str:
    return IN_A_CALL.replace("HANDLE", handle).replace("MAIN", main).replace("FLAGS", flags)


@pytest.mark.parametrize("checked", ["0", "1"], ids=["not checked", "checked"])
@pytest.mark.parametrize("flags", ["0", "SA_ONSTACK"], ids=["same stack", "own stack"])
def test_a_handler_in_the_middle_of_a_call_may_load_and_store(
    run_c: Callable[..., Any], library: Path, flags: str, checked: str
) -> None:
    """Other functions are refused in a line, and waits do not wait."""
    done = run_c(
        in_a_call(
            """
    hsa_signal_t made;
    hsa_signal_store_screlease(never, 7);
    printf("%d ", (int)hsa_signal_load_scacquire(never));
    printf("%d ", (int)hsa_queue_add_write_index_screlease(queue, 0));
    printf("%d ", (int)hsa_queue_load_write_index_scacquire(queue));
    printf("%d ", (int)hsa_signal_wait_scacquire(never, EQ, 1, FOREVER, 0));
    printf("%#x ", hsa_signal_create(0, 0, NULL, &made));
""",
            'query(); printf("%d", is_usable());',
            flags,
        ),
        library,
        PROTOTYPES,
        **{CHECK_VARIABLE: checked},
    )

    assert ("7 0 0 7 0x1000 0 1", 0) == (done.stdout, done.returncode)
    assert [
        f"libhsa-runtime64 (reference): {name} was called by a handler of a POSIX signal in the "
        "middle of another call, or after a handler left that call by longjmp: call it when that "
        "call has returned, or in another thread"
        for name in ("hsa_signal_wait_scacquire", "hsa_signal_create")
    ] == done.stderr.splitlines()


def test_waits_for_several_signals_end_at_once_in_the_middle_of_a_call(
    run_c: Callable[..., Any], library: Path
) -> None:
    done = run_c(
        in_a_call(
            """
    uint32_t condition = EQ;
    int64_t value = 0;
    printf("%#x ", hsa_amd_signal_wait_any(1, &never, &condition, &value, FOREVER, 0, &value));
    printf("%#x ", hsa_amd_signal_wait_all(1, &never, &condition, &value, FOREVER, 0, &value));
""",
            "query();",
        ),
        library,
        PROTOTYPES,
    )

    assert ("0xffffffff 0xffffffff 0 ", 0) == (done.stdout, done.returncode)
    assert 2 == len(done.stderr.splitlines())


def test_a_handler_in_the_middle_of_a_call_may_fork(
    run_c: Callable[..., Any], library: Path
) -> None:
    """The calls of the child's handler are refused, and the parent's go on."""
    done = run_c(
        in_a_call(
            """
    hsa_signal_t made;
    int status;
    pid_t child = fork();
    if (!child) {
        alarm(20);
        hsa_signal_store_screlease(never, 1);
        _exit(hsa_signal_create(0, 0, NULL, &made) == 0x1000 ? 3 : 4);
    }
    waitpid(child, &status, 0);
    printf("%d ", WEXITSTATUS(status));
""",
            'query(); printf("%d", is_usable());',
        ),
        library,
        PROTOTYPES,
    )

    assert ("3 0 1", 0) == (done.stdout, done.returncode)
    assert 1 == len(done.stderr.splitlines())


def test_a_call_that_a_handler_left_by_longjmp_never_ends(
    run_c: Callable[..., Any], library: Path
) -> None:
    """So its thread can load and store, and is refused everything else."""
    done = run_c(
        in_a_call(
            "siglongjmp(back, 1);",
            """
    hsa_signal_t made;
    if (!sigsetjmp(back, 1))
        query();
    printf("%d ", (int)hsa_signal_load_scacquire(never));
    printf("%#x ", hsa_signal_create(0, 0, NULL, &made));
    printf("%#x", hsa_shut_down());
""",
        ),
        library,
        PROTOTYPES,
    )

    assert ("0 0x1000 0x1000", 0) == (done.stdout, done.returncode)
    assert 2 == len(done.stderr.splitlines())


def test_a_handler_may_call_everything_while_its_thread_sleeps_in_a_wait(
    run_c: Callable[..., Any], library: Path
) -> None:
    """It may come before the sleep and be refused, so it is called until it is not."""
    done = run_c(
        """
static volatile int usable;
static hsa_status_t count(hsa_agent_t agent, void *agents)
{
    (void)agent;
    return is_usable() ? ++*(int *)agents, 0 : 1;
}
static void handle(int number)
{
    int agents = 0;
    (void)number;
    if (!hsa_iterate_agents(count, &agents))
        usable = agents;
}
static void *interrupt(void *main_thread)
{
    while (!usable) {
        pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
        usleep(20000);
    }
    hsa_signal_store_screlease(never, 1);
    return NULL;
}
int main(void)
{
    pthread_t main_thread = pthread_self(), thread;
    start();
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, interrupt, &main_thread);
    printf("%d ", (int)hsa_signal_wait_scacquire(never, EQ, 1, FOREVER, 0));
    pthread_join(thread, NULL);
    printf("%d", usable);
    DO(hsa_shut_down());
}
""",
        library,
        PROTOTYPES,
    )

    assert ("1 3", 0) == (done.stdout, done.returncode)


@pytest.mark.parametrize(
    ("end", "result"),
    [
        ("pthread_exit((void *)7);", "(void *)7"),
        ("pthread_cancel(pthread_self()); pthread_testcancel();", "PTHREAD_CANCELED"),
        ("pthread_cancel(pthread_self());", "PTHREAD_CANCELED"),
    ],
    ids=["pthread_exit", "cancelled", "cancelled and goes on"],
)
def test_a_thread_may_end_in_a_callback(
    run_c: Callable[..., Any], library: Path, end: str, result: str
) -> None:
    """Also in a callback of a call in a callback; what its clean-up calls is answered."""
    done = run_c(
        """
static int cleaned;
static void clean_up(void *unused)
{
    (void)unused;
    cleaned += is_usable();
}
static hsa_status_t ends(hsa_agent_t agent, void *unused)
{
    (void)agent, (void)unused;
    END
    return 0;
}
static hsa_status_t visit(hsa_agent_t agent, void *unused)
{
    (void)agent;
    pthread_cleanup_push(clean_up, NULL);
    hsa_iterate_agents(ends, unused);
    pthread_testcancel();
    pthread_cleanup_pop(false);
    return 0;
}
static void *iterates(void *unused)
{
    pthread_cleanup_push(clean_up, NULL);
    hsa_iterate_agents(visit, unused);
    pthread_cleanup_pop(false);
    return unused;
}
static void *leaves_nothing(void *unused)
{
    hsa_iterate_agents(ends, unused);
    pthread_testcancel();
    return unused;
}
int main(void)
{
    start();
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, i % 2 ? iterates : leaves_nothing, NULL);
        pthread_join(thread, &result);
        printf("%d %d ", result == RESULT, is_usable());
    }
    printf("%d", cleaned);
    DO(hsa_shut_down());
}
""".replace("END", end).replace("RESULT", result),
        library,
        PROTOTYPES,
    )

    assert ("1 1 1 1 1 1 1 1 4", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_a_handler_of_a_signal_may_end_the_thread_that_the_runtime_calls_it_in(
    run_c: Callable[..., Any], library: Path
) -> None:
    """The next handler that is registered has a new one, and nobody waits for the first."""
    done = run_c(
        """
static int handled;
static bool ends(int64_t value, void *unused)
{
    (void)value, (void)unused;
    __atomic_fetch_add(&handled, 1, __ATOMIC_SEQ_CST);
    pthread_exit(NULL);
}
int main(void)
{
    start();
    DO(hsa_amd_signal_async_handler(a_signal(1), EQ, 1, ends, NULL));
    while (!__atomic_load_n(&handled, __ATOMIC_SEQ_CST))
        usleep(1000);
    DO(hsa_shut_down());
    DO(hsa_init());
    DO(hsa_amd_signal_async_handler(a_signal(1), EQ, 1, count_up, &handled));
    while (__atomic_load_n(&handled, __ATOMIC_SEQ_CST) < 2)
        usleep(1000);
    DO(hsa_shut_down());
    printf("%d", handled);
}
""",
        library,
        PROTOTYPES,
    )

    assert ("2", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_a_callback_may_fork(run_c: Callable[..., Any], library: Path) -> None:
    """Parent and child come back from it, while another thread is in the middle of calls."""
    done = run_c(
        """
static pid_t child = -1;
static hsa_status_t forks(hsa_agent_t agent, void *unused)
{
    (void)agent, (void)unused;
    child = fork();
    return 1;
}
static void *calls(void *unused)
{
    while (is_usable())
        pthread_testcancel();
    return unused;
}
int main(void)
{
    pthread_t thread;
    int status;
    start();
    pthread_create(&thread, NULL, calls, NULL);
    hsa_iterate_agents(forks, NULL);
    if (!child) {
        alarm(20);
        _exit(is_usable() && !hsa_shut_down() ? 3 : 4);
    }
    waitpid(child, &status, 0);
    printf("%d %d", WEXITSTATUS(status), is_usable());
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    DO(hsa_shut_down());
}
""",
        library,
        PROTOTYPES,
    )

    assert ("3 1", "", 0) == (done.stdout, done.stderr, done.returncode)


# The seventh member of the loader's table visits executables.
TABLE = """
hsa_status_t hsa_system_get_major_extension_table(uint16_t, uint16_t, size_t, void *);
hsa_status_t hsa_executable_create_alt(uint32_t, uint32_t, const char *, uint64_t *);
hsa_status_t hsa_executable_destroy(uint64_t);
typedef hsa_status_t (*visit_t)(uint64_t, void *);
static hsa_status_t (*iterate_executables)(visit_t, void *);
static void start_with_an_executable(uint64_t *made)
{
    void *table[7];
    start();
    DO(hsa_executable_create_alt(1, 2, NULL, made));
    DO(hsa_system_get_major_extension_table(0x201, 1, sizeof table, table));
    iterate_executables = table[6];
}
"""


def test_a_thread_may_end_while_it_visits_executables(
    run_c: Callable[..., Any], library: Path
) -> None:
    """Nobody waits any more for the end of its visit, to make and destroy executables."""
    done = run_c(
        TABLE
        + """
static hsa_status_t ends(uint64_t executable, void *unused)
{
    (void)executable, (void)unused;
    pthread_exit(NULL);
}
static void *visits(void *unused)
{
    iterate_executables(ends, NULL);
    return unused;
}
int main(void)
{
    uint64_t first, second;
    pthread_t thread;
    start_with_an_executable(&first);
    pthread_create(&thread, NULL, visits, NULL);
    pthread_join(thread, NULL);
    printf("%#x ", hsa_executable_create_alt(1, 2, NULL, &second));
    printf("%#x", hsa_executable_destroy(first));
    DO(hsa_shut_down());
}
""",
        library,
        PROTOTYPES,
    )

    assert ("0 0", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_functions_in_tables_are_refused_in_the_middle_of_a_call_as_well(
    run_c: Callable[..., Any], library: Path
) -> None:
    done = run_c(
        TABLE
        + in_a_call(
            'printf("%#x ", iterate_executables(NULL, NULL));',
            "uint64_t made; start_with_an_executable(&made); query();",
        ),
        library,
        PROTOTYPES,
    )

    assert ("0x1000 0 ", 0) == (done.stdout, done.returncode)
    [line] = done.stderr.splitlines()
    assert "hsa_ven_amd_loader_iterate_executables was called by a handler" in line
