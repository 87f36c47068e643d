/* Asking for copy engines with nowhere to store them has to be refused. */
#include "finding.h"

FUNCTION(int, hsa_amd_memory_copy_engine_status,
         (hsa_agent_t destination, hsa_agent_t source, uint32_t *engines),
         (destination, source, engines))
FUNCTION(int, hsa_amd_memory_get_preferred_copy_engine,
         (hsa_agent_t destination, hsa_agent_t source, uint32_t *engines),
         (destination, source, engines))

static int free_engines(void)
{
    initialise();
    return STATUS_OF(hsa_amd_memory_copy_engine_status(
               agent_of(HSA_DEVICE_TYPE_GPU), agent_of(HSA_DEVICE_TYPE_CPU), NULL)) ==
           HSA_STATUS_SUCCESS;
}

static int preferred_engine(void)
{
    initialise();
    return STATUS_OF(hsa_amd_memory_get_preferred_copy_engine(
               agent_of(HSA_DEVICE_TYPE_GPU), agent_of(HSA_DEVICE_TYPE_CPU), NULL)) ==
           HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(free_engines, preferred_engine);
}
