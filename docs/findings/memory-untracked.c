/* A signal of another process can be attached although there was no memory for that a moment ago. */
#include "heap_refusals.h"
#include "ipc.h"

enum { HSA_AMD_SIGNAL_IPC = 2 };

FUNCTION(int, hsa_amd_signal_create,
         (int64_t value, uint32_t count, const hsa_agent_t *consumers, uint64_t attributes,
          hsa_signal_t *signal),
         (value, count, consumers, attributes, signal))
FUNCTION(int, hsa_amd_ipc_signal_create, (hsa_signal_t signal, hsa_amd_ipc_memory_t *name),
         (signal, name))
FUNCTION(int, hsa_amd_ipc_signal_attach, (const hsa_amd_ipc_memory_t *name, hsa_signal_t *signal),
         (name, signal))

static bool share_signal(hsa_amd_ipc_memory_t *name)
{
    hsa_signal_t signal;

    return !hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_IPC, &signal) &&
           !hsa_amd_ipc_signal_create(signal, name);
}

static int defect(void)
{
    hsa_amd_ipc_memory_t name = shared_by_another_process(share_signal);
    hsa_signal_t signal;
    int status;

    initialise();
    refuse_memory();
    status = STATUS_OF(hsa_amd_ipc_signal_attach(&name, &signal));
    if (!memory_refused())
        return NO_MORE;
    return status && STATUS_OF(hsa_amd_ipc_signal_attach(&name, &signal)) ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
