/* A signal for a consumer that is no agent has to be refused. */
#include "finding.h"

FUNCTION(int, hsa_amd_signal_create,
         (int64_t value, uint32_t count, const hsa_agent_t *consumers, uint64_t attributes,
          hsa_signal_t *signal),
         (value, count, consumers, attributes, signal))

int main(int count, char **words)
{
    const hsa_agent_t nobody = no_object();
    hsa_signal_t signal;

    start(count, words);
    return STATUS_OF(hsa_amd_signal_create(0, 1, &nobody, 0, &signal)) == HSA_STATUS_SUCCESS;
}
