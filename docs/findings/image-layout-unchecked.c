/* A layout that is missing or of another device has to be refused as the list says. */
#include "images.h"

FUNCTION(int, hsa_amd_image_create,
         (hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor, const uint32_t *layout,
          const void *data, int access, hsa_ext_image_t *image),
         (agent, descriptor, layout, data, access, image))

static int create(const uint32_t *layout)
{
    hsa_ext_image_t image;

    initialise();
    return STATUS_OF(hsa_amd_image_create(agent_of(HSA_DEVICE_TYPE_GPU), rectangle(), layout,
                                          image_data(), HSA_ACCESS_PERMISSION_RO, &image)) !=
           HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static int missing(void)
{
    return create(NULL);
}

static int of_another_device(void)
{
    static const uint32_t layout[64] = {1, 0x10010001}; /* a version, and no device of AMD's */

    return create(layout);
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(missing, of_another_device);
}
