/* An image whose own memory cannot be mapped to the agent is refused, and the process goes on. */
#include "images.h"
#include "refusal.h"

FUNCTION(int, hsa_ext_image_create,
         (hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor, const void *data,
          int access, hsa_ext_image_t *image),
         (agent, descriptor, data, access, image))

static int defect(void)
{
    hsa_ext_image_t image;
    hsa_agent_t gpu;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    refuse((struct refusal){.call = MAP_MEMORY_TO_GPU, .error = ENOMEM});
    STATUS_OF(hsa_ext_image_create(gpu, rectangle(), image_data(), HSA_ACCESS_PERMISSION_RO,
                                   &image));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    found = survive(defect);
    refused();
    return found;
}
