/* A filter that does not exist has to be refused when a sampler is created. */
#include "images.h"

enum { NO_FILTER = 7 };

static int defect(void)
{
    static const uint32_t descriptor[] = {0, NO_FILTER,
                                          HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE};
    hsa_ext_sampler_t sampler;

    initialise();
    return STATUS_OF(hsa_ext_sampler_create(agent_of(HSA_DEVICE_TYPE_GPU), descriptor, &sampler)) ==
           HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
