/* A queue can be destroyed while a handler of a signal runs. */
#include "queues.h"

#include <time.h>

enum { HSA_SIGNAL_CONDITION_EQ = 0, LONGEST = 5 };

FUNCTION(int, hsa_queue_destroy, (hsa_queue_t *queue), (queue))
FUNCTION(int, hsa_amd_signal_async_handler,
         (hsa_signal_t signal, int condition, int64_t value, bool (*handler)(int64_t, void *),
          void *data),
         (signal, condition, value, handler, data))

static volatile bool runs, may_end;

static void pause_briefly(void)
{
    struct timespec moment = {0, 1000000};

    nanosleep(&moment, NULL);
}

static bool run_on(int64_t value, void *data)
{
    (void)value;
    (void)data;
    runs = true;
    while (!may_end)
        pause_briefly();
    return false;
}

static int destroy_meanwhile(void)
{
    hsa_signal_t signal;
    hsa_queue_t *queue;

    initialise();
    if (hsa_signal_create(0, 0, NULL, &signal) ||
        hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_EQ, 0, run_on, NULL))
        cannot_tell("no handler can be registered");
    while (!runs)
        pause_briefly();
    queue = queue_of(agent_of(HSA_DEVICE_TYPE_GPU), 0);
    alarm(LONGEST);
    if (hsa_queue_destroy(queue))
        cannot_tell("a queue is not destroyed");
    alarm(0);
    may_end = true;
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int status;

    load(count, words);
    status = run(destroy_meanwhile, 0);
    if (status == 128 + SIGALRM)
        printf("hsa_queue_destroy does not come back while a handler runs\n");
    return status > 128 ? DEFECT : status;
}
