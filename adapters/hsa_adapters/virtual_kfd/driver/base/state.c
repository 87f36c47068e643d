/* The lock of this process, and its fresh start in a forked child.
 *
 * A child of a process that used the driver has none of its objects, as with the real one.
 */
#include "base/state.h"

#define RESETS 16

pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static void (*resets[RESETS])(void);
static int reset_count;
static __thread bool driving;

bool is_driving(void)
{
    return driving;
}

void lock(void)
{
    pthread_mutex_lock(&state_lock);
    driving = true;
}

void unlock(void)
{
    driving = false;
    pthread_mutex_unlock(&state_lock);
}

void on_fork(void (*reset)(void))
{
    resets[reset_count++] = reset;
}

/* The child's one thread is a copy of that which took the lock before the fork. */
static void start_again(void)
{
    for (int i = 0; i < reset_count; i++)
        resets[i]();
    unlock();
}

__attribute__((constructor)) static void follow_forks(void)
{
    pthread_atfork(lock, unlock, start_again);
}
