/* The fake with signals, which counts calls that create and destroy signals: in both with ONE_LOCK, or
 * in each with a lock of its own (TWO_LOCKS), as FAKE_COUNTS has it. */
static void tally(const char *function);
#define FAKE_BEFORE(name) tally(name)
#include "signals.c"

enum { ONE_LOCK, TWO_LOCKS };

static pthread_mutex_t counting[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static unsigned long calls;

static void tally(const char *function)
{
    bool creates = !strcmp(function, "hsa_signal_create");

    if (!creates && strcmp(function, "hsa_signal_destroy"))
        return;
    pthread_mutex_t *mine = &counting[creates && FAKE_COUNTS == TWO_LOCKS];
    pthread_mutex_lock(mine);
    calls++;
    pthread_mutex_unlock(mine);
}
