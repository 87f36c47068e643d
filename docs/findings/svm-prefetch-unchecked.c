/* A prefetch with the agent 0, or without a list, has to be refused. */
#include "svm.h"

static char memory[8192];

/* The prefetch waits for a signal that nobody sets to 0, so that it never begins. */
static int fetch(hsa_agent_t agent, uint32_t count, const hsa_signal_t *dependencies,
                 hsa_signal_t done)
{
    int status = STATUS_OF(
        hsa_amd_svm_prefetch_async(memory, 4096, agent, count, dependencies, done));

    fflush(stdout);
    _exit(status == HSA_STATUS_SUCCESS);
}

static int agent_zero(void)
{
    initialise();
    hsa_signal_t never = signal_of(1);
    return fetch((hsa_agent_t){0}, 1, &never, signal_of(1));
}

static int no_list(void)
{
    initialise();
    return fetch(agent_of(HSA_DEVICE_TYPE_CPU), 1, NULL, signal_of(1));
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(agent_zero, no_list);
}
