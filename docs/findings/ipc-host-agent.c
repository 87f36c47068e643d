/* An agent of the host that reaches the memory has to be accepted. */
#include "ipc.h"

int main(int count, char **words)
{
    hsa_amd_ipc_memory_t shared;
    hsa_agent_t host;
    void *mapped;

    load(count, words);
    need("hsa_amd_ipc_memory_attach");
    shared = memory_of_another_process();
    initialise();
    host = agent_of(HSA_DEVICE_TYPE_CPU);
    return STATUS_OF(hsa_amd_ipc_memory_attach(&shared, SHARED_BYTES, 1, &host, &mapped)) ==
           HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}
