/* A wait for all of several signals has to come back when the last of them meets its condition. */
#include "finding.h"

#include <pthread.h>
#include <time.h>

enum { HSA_SIGNAL_CONDITION_EQ = 0, HSA_WAIT_STATE_BLOCKED = 0, SECONDS = 10 };

FUNCTION(uint32_t, hsa_amd_signal_wait_all,
         (uint32_t count, const hsa_signal_t *signals, const uint32_t *conditions,
          const int64_t *values, uint64_t timeout, uint32_t wait_state, int64_t *found),
         (count, signals, conditions, values, timeout, wait_state, found))
FUNCTION(int, hsa_signal_store_screlease, (hsa_signal_t signal, int64_t value), (signal, value))

static void *store_later(void *signal)
{
    struct timespec pause = {0, 200000000};

    nanosleep(&pause, NULL);
    hsa_signal_store_screlease(*(hsa_signal_t *)signal, 1);
    return NULL;
}

static int wait_for_all(void)
{
    const uint32_t conditions[] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    const int64_t ones[] = {1, 1};
    hsa_signal_t signals[2];
    pthread_t thread;
    uint32_t result;

    need("hsa_amd_signal_wait_all");
    initialise();
    signals[0] = signal_of(1);
    signals[1] = signal_of(0);
    if (pthread_create(&thread, NULL, store_later, &signals[1]))
        cannot_tell("no thread");
    result = hsa_amd_signal_wait_all(2, signals, conditions, ones, UINT64_MAX,
                                     HSA_WAIT_STATE_BLOCKED, NULL);
    pthread_join(thread, NULL);
    printf("result %#x\n", result);
    return result != 0;
}

int main(int count, char **words)
{
    int status;

    load(count, words);
    status = run(wait_for_all, SECONDS);
    if (status == 128 + SIGALRM)
        printf("the wait does not come back within %d s\n", SECONDS);
    return status > 128 ? DEFECT : status;
}
