/* A handle that is no signal has to be refused with a status that is listed. */
#include "finding.h"

FUNCTION(int, hsa_amd_ipc_signal_create, (hsa_signal_t signal, uint32_t *name), (signal, name))

int main(int count, char **words)
{
    uint32_t name[8];

    start(count, words);
    return STATUS_OF(hsa_amd_ipc_signal_create(no_object(), name)) ==
           HSA_STATUS_ERROR_INVALID_SIGNAL;
}
