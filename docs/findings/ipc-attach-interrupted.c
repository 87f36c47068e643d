/* Attaching memory of another process succeeds while a timer interrupts the process. */
#include "ipc.h"
#include <signal.h>
#include <sys/time.h>

enum { CALLS = 3000, MICROSECONDS = 2000 };

FUNCTION(int, hsa_amd_ipc_memory_detach, (void *mapped), (mapped))

static void tick(int number)
{
    (void)number;
}

int main(int count, char **words)
{
    struct itimerval timer = {{0, MICROSECONDS}, {0, MICROSECONDS}};
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    hsa_amd_ipc_memory_t name;
    hsa_agent_t gpu;
    void *mapped;
    int status = 0, calls = 0;

    load(count, words);
    need("hsa_amd_ipc_memory_attach");
    name = memory_of_another_process();
    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    if (hsa_amd_ipc_memory_attach(&name, SHARED_BYTES, 1, &gpu, &mapped))
        cannot_tell("the block is not attached");
    if (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &timer, NULL))
        cannot_tell("no timer");
    while (!status && calls++ < CALLS) {
        status = hsa_amd_ipc_memory_attach(&name, SHARED_BYTES, 1, &gpu, &mapped);
        if (!status)
            status = hsa_amd_ipc_memory_detach(mapped);
    }
    printf("call %d: %#x\n", calls, status);
    fflush(stdout);
    return status ? DEFECT : NO_DEFECT;
}
