"""What C programs do with threads, forks, signals and their end, on the real reference."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.library.reference_library import test_library_signals

PROTOTYPES = (
    test_library_signals.PROTOTYPES
    + """
#include <signal.h>
#pragma GCC diagnostic ignored "-Wunused-function"
typedef struct { uint64_t handle; } hsa_agent_t;
typedef struct {
    uint32_t type, features;
    void *base;
    hsa_signal_t doorbell;
    uint32_t size;
} queue_t;
hsa_status_t hsa_iterate_agents(hsa_status_t (*)(hsa_agent_t, void *), void *);
hsa_status_t hsa_agent_get_info(hsa_agent_t, uint32_t, void *);
hsa_status_t hsa_queue_create(hsa_agent_t, uint32_t, uint32_t, void *, void *, uint32_t, uint32_t,
                              queue_t **);
hsa_status_t hsa_queue_destroy(queue_t *);
uint64_t hsa_queue_add_write_index_screlease(queue_t *, uint64_t);

static hsa_status_t take_last(hsa_agent_t agent, void *found)
{
    *(hsa_agent_t *)found = agent;
    return 0;
}

static hsa_signal_t a_signal(int64_t value)
{
    hsa_signal_t made = {0};
    DO(hsa_signal_create(value, 0, NULL, &made));
    return made;
}

static queue_t *a_queue(void)
{
    hsa_agent_t gpu = {0};
    queue_t *made = NULL;
    DO(hsa_iterate_agents(take_last, &gpu));
    DO(hsa_queue_create(gpu, 64, 0, NULL, NULL, UINT32_MAX, UINT32_MAX, &made));
    return made;
}

/* Let a queue wait for a signal, and count another one down after it. */
static void submit(queue_t *queue, hsa_signal_t first, hsa_signal_t last)
{
    uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
    uint64_t *packet = (uint64_t *)queue->base + 8 * (index % queue->size);
    packet[1] = first.handle;
    packet[7] = last.handle;
    __atomic_store_n((uint16_t *)packet, 3 | 1 << 8, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell, (int64_t)index);
}

static bool count_up(int64_t value, void *count)
{
    (void)value;
    __atomic_fetch_add((int *)count, 1, __ATOMIC_SEQ_CST);
    return false;
}

static void *wait_for_ever(void *signal)
{
    hsa_signal_wait_scacquire(*(hsa_signal_t *)signal, EQ, 1, FOREVER, 0);
    return NULL;
}

/* Have a handler, a queue and a thread wait for what never happens. */
static void keep_busy(void)
{
    static hsa_signal_t never;
    static int count;
    pthread_t thread;
    never = a_signal(7);
    DO(hsa_amd_signal_async_handler(never, EQ, 1, count_up, &count));
    submit(a_queue(), never, (hsa_signal_t){0});
    pthread_create(&thread, NULL, wait_for_ever, &never);
    usleep(20000);
}
"""
)


def test_threads_make_use_and_destroy_things_at_once(
    run_c: Callable[..., Any], library: Path
) -> None:
    done = run_c(
        """
static int handled;
static void *work(void *failed)
{
    hsa_agent_t gpu = {0};
    uint32_t device = 9;
    queue_t *queue = a_queue();
    for (int i = 0; i < 50; i++) {
        hsa_signal_t go = a_signal(1), handler = a_signal(0), last = a_signal(1);
        DO(hsa_init());
        DO(hsa_amd_signal_async_handler(handler, EQ, 1, count_up, &handled));
        submit(queue, go, last);
        hsa_signal_store_screlease(handler, 1);
        DO(hsa_iterate_agents(take_last, &gpu));
        DO(hsa_agent_get_info(gpu, 17, &device));
        hsa_signal_store_screlease(go, 0);
        if (hsa_signal_wait_scacquire(last, EQ, 0, FOREVER, 0) || device != 1)
            *(int *)failed = 1;
        DO(hsa_signal_destroy(go));
        DO(hsa_signal_destroy(last));
        DO(hsa_shut_down());
    }
    DO(hsa_queue_destroy(queue));
    return NULL;
}

int main(void)
{
    pthread_t threads[8];
    int failed = 0;
    DO(hsa_init());
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, work, &failed);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    while (__atomic_load_n(&handled, __ATOMIC_SEQ_CST) < 400)
        usleep(1000);
    DO(hsa_shut_down());
    printf("%d %d %#x", failed, handled, hsa_shut_down());
}
""",
        library,
        PROTOTYPES,
    )

    assert ("0 400 0x100b", "", 0) == (done.stdout, done.stderr, done.returncode)


FORK = """
static int in_child(int (*calls)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(20);
        exit(calls());
    }
    int status;
    waitpid(child, &status, 0);
    return status;
}

/* Use what a runtime has threads for. */
static int use(void)
{
    int count = 0;
    hsa_signal_t go = a_signal(1), last = a_signal(1);
    DO(hsa_amd_signal_async_handler(go, EQ, 0, count_up, &count));
    submit(a_queue(), go, last);
    hsa_signal_store_screlease(go, 0);
    int left = (int)hsa_signal_wait_scacquire(last, EQ, 0, FOREVER, 0);
    while (!__atomic_load_n(&count, __ATOMIC_SEQ_CST))
        usleep(1000);
    return left;
}

static int start_and_use(void)
{
    DO(hsa_init());
    int left = use();
    DO(hsa_shut_down());
    return left;
}

static int end_start_and_use(void)
{
    DO(hsa_shut_down());
    return start_and_use();
}
"""


@pytest.mark.parametrize(
    ("before", "in_child", "after"),
    [
        ("", "start_and_use", "DO(hsa_init());"),
        ("DO(hsa_init()); DO(hsa_shut_down());", "start_and_use", "DO(hsa_init());"),
        ("DO(hsa_init()); use();", "use", ""),
        ("DO(hsa_init()); use(); keep_busy();", "end_start_and_use", ""),
    ],
    ids=["before hsa_init", "after hsa_shut_down", "in use", "in use, and shut down"],
)
def test_the_child_of_a_fork_may_call_and_so_may_its_parent(
    run_c: Callable[..., Any], library: Path, before: str, in_child: str, after: str
) -> None:
    """The child has the objects, and none of the threads; the library starts its own again."""
    main = f"""
int main(void)
{{
    {before}
    printf("%d ", in_child({in_child}));
    {after}
    printf("%d", use());
    fflush(stdout);
    _exit(0);
}}
"""
    done = run_c(FORK + main, library, PROTOTYPES)

    assert ("0 0", "", 0) == (done.stdout, done.stderr, done.returncode)


@pytest.mark.parametrize(
    "end", ["return 0;", "exit(0);", "quick_exit(0);", "_exit(0);"], ids=lambda end: end[:-1]
)
def test_a_program_may_end_without_shutting_down(
    run_c: Callable[..., Any], library: Path, end: str
) -> None:
    done = run_c(
        "int main(void) { alarm(30); DO(hsa_init()); keep_busy(); " + end + " }",
        library,
        PROTOTYPES,
    )

    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_a_thread_may_end_the_program_while_others_call(
    run_c: Callable[..., Any], library: Path
) -> None:
    done = run_c(
        """
static void *call(void *unused)
{
    for (;;)
        DO(hsa_signal_destroy(a_signal(1)));
    return unused;
}
int main(void)
{
    pthread_t thread;
    alarm(30);
    DO(hsa_init());
    keep_busy();
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, NULL, call, NULL);
    usleep(100000);
    exit(0);
}
""",
        library,
        PROTOTYPES,
    )

    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)


@pytest.mark.parametrize("shut_down", [True, False], ids=["shut down", "not shut down"])
def test_a_library_that_was_closed_can_be_opened_again(
    compiled: Callable[..., Any], run_c: Callable[..., Any], library: Path, shut_down: bool
) -> None:
    """It stays in the process, since Python does; what is running there goes on."""
    done = run_c(
        f"""
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static uint32_t call(void *library, const char *name)
{{
    uint32_t (*function)(void) = dlsym(library, name);
    return function();
}}
int main(void)
{{
    for (int i = 0; i < 3; i++) {{
        void *library = dlopen("{library}", RTLD_NOW | RTLD_LOCAL);
        printf("%#x ", call(library, "hsa_init"));
        if ({int(shut_down)})
            printf("%#x ", call(library, "hsa_shut_down"));
        dlclose(library);
    }}
    void *library = dlopen("{library}", RTLD_NOW | RTLD_NOLOAD);
    int count = 0;
    while (!call(library, "hsa_shut_down"))
        count++;
    printf("%d", count);
}}
""",
        library,
        "",
    )

    expected = "0 0 0 0 0 0 0" if shut_down else "0 0 0 3"
    assert (expected, "", 0) == (done.stdout, done.stderr, done.returncode)


INTERRUPT = """
static hsa_signal_t never;
static volatile int seen;
static void note(int number) { seen = number; }
static void *interrupt(void *main_thread)
{
    usleep(50000);
    pthread_kill(*(pthread_t *)main_thread, SIGINT);
    usleep(50000);
    hsa_signal_store_screlease(never, 1);
    return NULL;
}
int main(void)
{
    pthread_t main_thread = pthread_self(), thread;
    alarm(30);
    signal(SIGINT, SIG_DFL); /* a shell has what it starts in the background ignore it */
    DO(hsa_init());
    never = a_signal(0);
    HANDLER;
    pthread_create(&thread, NULL, interrupt, &main_thread);
    int value = (int)hsa_signal_wait_scacquire(never, EQ, 1, FOREVER, 0);
    printf("%d %d", value, seen);
}
"""


def test_ctrl_c_ends_a_program_in_a_wait(run_c: Callable[..., Any], library: Path) -> None:
    """Python has no handler of its own there, which would wait for the wait to end."""
    done = run_c(INTERRUPT.replace("HANDLER", ""), library, PROTOTYPES)

    assert ("", "", -signal.SIGINT) == (done.stdout, done.stderr, done.returncode)


def test_a_wait_goes_on_after_the_programs_own_handler(
    run_c: Callable[..., Any], library: Path
) -> None:
    """Also where the system does not restart the call that the handler interrupts."""
    own = "sigaction(SIGINT, &(struct sigaction){.sa_handler = note}, NULL)"
    done = run_c(INTERRUPT.replace("HANDLER", own), library, PROTOTYPES)

    assert ("1 2", "", 0) == (done.stdout, done.stderr, done.returncode)
