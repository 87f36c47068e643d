"""Signals in C programs: threads, processes, and handlers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

PROTOTYPES = """
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
typedef uint32_t hsa_status_t;
typedef struct { uint64_t handle; } hsa_signal_t;
typedef struct { uint32_t words[8]; } name_t;
enum { EQ, NE, LT, GTE };
#define FOREVER UINT64_MAX
hsa_status_t hsa_init(void);
hsa_status_t hsa_shut_down(void);
hsa_status_t hsa_signal_create(int64_t, uint32_t, const void *, hsa_signal_t *);
hsa_status_t hsa_signal_destroy(hsa_signal_t);
hsa_status_t hsa_amd_signal_create(int64_t, uint32_t, const void *, uint64_t, hsa_signal_t *);
int64_t hsa_signal_load_scacquire(hsa_signal_t);
void hsa_signal_store_screlease(hsa_signal_t, int64_t);
void hsa_signal_subtract_scacq_screl(hsa_signal_t, int64_t);
int64_t hsa_signal_exchange_scacq_screl(hsa_signal_t, int64_t);
int64_t hsa_signal_wait_scacquire(hsa_signal_t, uint32_t, int64_t, uint64_t, uint32_t);
hsa_status_t hsa_amd_signal_async_handler(
    hsa_signal_t, uint32_t, int64_t, bool (*)(int64_t, void *), void *);
hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t, name_t *);
hsa_status_t hsa_amd_ipc_signal_attach(const name_t *, hsa_signal_t *);
#define DO(call) do { hsa_status_t s = call; if (s) printf(#call ": %#x\\n", s); } while (0)
"""


def test_threads_count_a_signal_down_and_wake_who_waits(
    run_c: Callable[..., Any], library: Path
) -> None:
    done = run_c(
        """
static hsa_signal_t left, go;

static void *work(void *unused)
{
    hsa_signal_wait_scacquire(go, EQ, 1, FOREVER, 0);
    for (int i = 0; i < 500; i++)
        hsa_signal_subtract_scacq_screl(left, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    DO(hsa_init());
    DO(hsa_signal_create(2000, 0, NULL, &left));
    DO(hsa_signal_create(0, 0, NULL, &go));
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    hsa_signal_store_screlease(go, 1);
    printf("%d\\n", (int)hsa_signal_wait_scacquire(left, LT, 1, FOREVER, 0));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d\\n", (int)hsa_signal_exchange_scacq_screl(left, -1));
    printf("%d\\n", (int)hsa_signal_wait_scacquire(left, GTE, 0, 1000, 1));
    DO(hsa_shut_down());
}
""",
        library,
        PROTOTYPES,
    )
    assert ("0\n0\n-1\n", "") == (done.stdout, done.stderr)


def test_a_handler_is_called_until_it_answers_false(
    run_c: Callable[..., Any], library: Path
) -> None:
    done = run_c(
        """
static hsa_signal_t seen;

static bool handle(int64_t value, void *count)
{
    bool again = --*(int *)count;
    if (!again)
        hsa_signal_store_screlease(seen, value);
    return again;
}

int main(void)
{
    hsa_signal_t signal;
    int count = 3;
    DO(hsa_init());
    DO(hsa_signal_create(0, 0, NULL, &signal));
    DO(hsa_signal_create(0, 0, NULL, &seen));
    DO(hsa_amd_signal_async_handler(signal, GTE, 7, handle, &count));
    hsa_signal_store_screlease(signal, 7);
    printf("%d\\n", (int)hsa_signal_wait_scacquire(seen, NE, 0, FOREVER, 0));
    DO(hsa_shut_down());
    printf("%d\\n", count);
}
""",
        library,
        PROTOTYPES,
    )
    assert ("7\n0\n", "") == (done.stdout, done.stderr)


def test_two_programs_share_a_signal(run_c: Callable[..., Any], library: Path) -> None:
    """A program starts itself again, and hands the name of the signal over."""
    done = run_c(
        """
static int child(int in)
{
    name_t name;
    hsa_signal_t signal;
    if (read(in, &name, sizeof name) != sizeof name)
        return 1;
    DO(hsa_init());
    DO(hsa_amd_ipc_signal_attach(&name, &signal));
    hsa_signal_wait_scacquire(signal, EQ, 1, FOREVER, 0);
    hsa_signal_store_screlease(signal, 2);
    DO(hsa_signal_destroy(signal));
    DO(hsa_shut_down());
    return 0;
}

int main(int count, char **words)
{
    if (count > 1)
        return child(atoi(words[1]));
    int ends[2], status;
    char number[12];
    name_t name;
    hsa_signal_t signal;
    if (pipe(ends))
        return 1;
    snprintf(number, sizeof number, "%d", ends[0]);
    if (fork() == 0)
        return execl("/proc/self/exe", "child", number, (char *)NULL);
    DO(hsa_init());
    DO(hsa_amd_signal_create(0, 0, NULL, 2, &signal));
    DO(hsa_amd_ipc_signal_create(signal, &name));
    if (write(ends[1], &name, sizeof name) != sizeof name)
        return 1;
    hsa_signal_store_screlease(signal, 1);
    printf("%d\\n", (int)hsa_signal_wait_scacquire(signal, EQ, 2, FOREVER, 0));
    wait(&status);
    printf("%d\\n", WEXITSTATUS(status));
    DO(hsa_shut_down());
}
""",
        library,
        PROTOTYPES,
    )
    assert ("2\n0\n", "") == (done.stdout, done.stderr)
