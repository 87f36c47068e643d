/* A limit of images is a size_t, all of which is written. */
#include "finding.h"

enum { HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS = 0x3000 };

FUNCTION(int, hsa_amd_image_get_info_max_dim, (hsa_agent_t agent, int attribute, void *value),
         (agent, attribute, value))

int main(int count, char **words)
{
    size_t once = 0, again = SIZE_MAX;
    hsa_agent_t gpu;

    start(count, words);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    if (STATUS_OF(hsa_amd_image_get_info_max_dim(gpu, HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS,
                                                 &once)) ||
        STATUS_OF(hsa_amd_image_get_info_max_dim(gpu, HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS,
                                                 &again)))
        cannot_tell("the GPU has no limits of images");
    printf("%#zx, and then %#zx\n", once, again);
    return once != again;
}
