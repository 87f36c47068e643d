/* A name that nobody gave has to be refused, and neither end the process nor hang. */
#include "finding.h"

enum { HSA_AMD_SIGNAL_IPC = 2 };

FUNCTION(int, hsa_amd_signal_create,
         (int64_t value, uint32_t count, const hsa_agent_t *consumers, uint64_t attributes,
          hsa_signal_t *signal),
         (value, count, consumers, attributes, signal))
FUNCTION(int, hsa_amd_ipc_signal_create, (hsa_signal_t signal, uint32_t *name), (signal, name))
FUNCTION(int, hsa_amd_ipc_signal_attach, (const uint32_t *name, hsa_signal_t *signal),
         (name, signal))

static int defect(void)
{
    uint32_t name[8];
    hsa_signal_t signal;

    initialise();
    if (hsa_amd_signal_create(0, 0, NULL, HSA_AMD_SIGNAL_IPC, &signal) ||
        hsa_amd_ipc_signal_create(signal, name))
        cannot_tell("no name for a signal");
    for (int word = 0; word < 8; word++)
        if (word != 2) /* where a release looks for the process */
            name[word] = ~name[word];
    STATUS_OF(hsa_amd_ipc_signal_attach(name, &signal));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    /* Far too long a time is a defect, too. */
    int status = run(defect, 30);

    return status > 128 ? DEFECT : status;
}
