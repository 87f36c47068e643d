/* Refusals that a test asks for: the n-th call of a kind fails, or each from there on.
 *
 * A runtime has threads that wait and work whatever is called. What they ask for is nothing that the
 * call under test asks for: only the first thread of a process counts, and what it starts meanwhile.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/faults.h"
#include "base/kernel.h"
#include "base/machine.h"
#include "base/shared.h"
#include "base/state.h"

/* The round in which this thread was started; see `struct injection`. */
static __thread int32_t born;

static bool counts(void)
{
    return born == shared()->injection.round || syscall(SYS_gettid) == getpid();
}

/* Note a call from the first failure on; with the lock of what is shared. */
static void note_call(int number)
{
    struct noted *noted = &shared()->noted;

    if (noted->count < NOTED_CALLS)
        noted->call[noted->count++] = number;
}

int injected(int number)
{
    struct injection *asked = &shared()->injection;
    int error = 0;

    if (!counts())
        return 0;
    __atomic_fetch_add(&shared()->made[number], 1, __ATOMIC_RELAXED);
    /* The usual case, without the lock. */
    if ((asked->number != number || !asked->error) && !asked->hits)
        return 0;
    shared_lock();
    bool meant = asked->number == number && asked->error;
    if (meant && asked->skip > 0)
        asked->skip--;
    else if (meant) {
        error = asked->error;
        if (!asked->lasting)
            asked->error = 0;
        asked->hits++;
    }
    if (asked->hits)
        note_call(number);
    shared_unlock();
    return error;
}

void note_kernel(void)
{
    __atomic_fetch_add(&shared()->made[NOTED_kernel], 1, __ATOMIC_RELAXED);
}

struct start {
    void *(*run)(void *argument);
    void *argument;
    int32_t round;
};

static void *begin(void *given)
{
    struct start start = *(struct start *)given;

    kernel_munmap(given, sizeof start);
    born = start.round;
    return start.run(start.argument);
}

/* Whether the code that calls is the Python of the tester, whose threads nobody refuses. */
static bool is_testers(const void *caller)
{
    Dl_info its, python;
    void *starts = dlsym(RTLD_DEFAULT, "PyThread_start_new_thread");

    return starts && dladdr(starts, &python) && dladdr(caller, &its) &&
           its.dli_fbase == python.dli_fbase;
}

/* Threads of the driver itself are started with its lock held. */
EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *argument), void *argument)
{
    __typeof__(&pthread_create) next = next_function("pthread_create");

    if (is_driving() || !machine() || machine()->paths_only)
        return next(thread, attributes, run, argument);
    bool testers = is_testers(__builtin_return_address(0));
    lock();
    int error = testers ? 0 : injected(CALL_pthread_create);
    int32_t round = counts() ? shared()->injection.round : 0;
    unlock();
    if (error)
        return error;
    struct start *start = private_memory(sizeof *start);
    if (!start)
        return EAGAIN;
    *start = (struct start){run, argument, round};
    error = next(thread, attributes, begin, start);
    if (error)
        kernel_munmap(start, sizeof *start);
    return error;
}
