/* The first sampler of a process, for which there is no memory, is refused; the process goes on. */
#include "heap_refusals.h"
#include "images.h"

static int defect(void)
{
    uint32_t descriptor[] = {0, 0, HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE};
    hsa_ext_sampler_t sampler;
    hsa_agent_t gpu;

    need("hsa_ext_sampler_create");
    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    refuse_memory();
    STATUS_OF(hsa_ext_sampler_create(gpu, descriptor, &sampler));
    return memory_refused() ? NO_DEFECT : NO_MORE;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
