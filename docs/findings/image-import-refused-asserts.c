/* An import into an image for which the driver refuses memory is refused, and the process goes on. */
#include "imports.h"
#include "refusal.h"

static int32_t after;

static int import(void)
{
    hsa_ext_image_t image;
    hsa_agent_t gpu;
    void *memory;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    memory = block_for(gpu);
    image = linear_image(gpu);
    refuse((struct refusal){.call = MAP_MEMORY_TO_GPU, .after = after, .error = ENOMEM});
    STATUS_OF(hsa_ext_image_import(gpu, memory, 0, 0, image, one_point()));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return survive_each(import, &after);
}
