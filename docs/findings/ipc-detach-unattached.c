/* An address that was never attached has to be refused. */
#include "finding.h"

FUNCTION(int, hsa_amd_ipc_memory_detach, (void *address), (address))

int main(int count, char **words)
{
    static char memory[8192];

    start(count, words);
    return STATUS_OF(hsa_amd_ipc_memory_detach(memory)) == HSA_STATUS_SUCCESS;
}
