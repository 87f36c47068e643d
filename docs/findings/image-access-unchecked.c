/* A permission that does not exist, or that the format does not have, has to be refused. */
#include "images.h"

enum { NO_PERMISSION = 77, HSA_EXT_IMAGE_CAPABILITY_WRITE_ONLY = 2 };

FUNCTION(int, hsa_ext_image_create,
         (hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor, const void *data,
          int access, hsa_ext_image_t *image),
         (agent, descriptor, data, access, image))
FUNCTION(int, hsa_ext_image_get_capability,
         (hsa_agent_t agent, int geometry, const uint32_t *format, uint32_t *mask),
         (agent, geometry, format, mask))
FUNCTION(int, hsa_ext_image_data_get_info,
         (hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor, int access,
          hsa_ext_image_data_info_t *info),
         (agent, descriptor, access, info))

static int permission_that_does_not_exist(void)
{
    hsa_ext_image_t image;

    initialise();
    return STATUS_OF(hsa_ext_image_create(agent_of(HSA_DEVICE_TYPE_GPU), rectangle(), image_data(),
                                          NO_PERMISSION, &image)) == HSA_STATUS_SUCCESS;
}

static int writing_what_cannot_be_written(void)
{
    static const uint32_t format[] = {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8,
                                      HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA};
    hsa_ext_image_descriptor_t read_only = *rectangle();
    hsa_ext_image_data_info_t info;
    hsa_agent_t gpu;
    uint32_t mask;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    read_only.channel_type = format[0];
    read_only.channel_order = format[1];
    if (hsa_ext_image_get_capability(gpu, HSA_EXT_IMAGE_GEOMETRY_2D, format, &mask) ||
        mask & HSA_EXT_IMAGE_CAPABILITY_WRITE_ONLY)
        cannot_tell("the format can be written");
    return STATUS_OF(hsa_ext_image_data_get_info(gpu, &read_only, HSA_ACCESS_PERMISSION_WO,
                                                 &info)) == HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(permission_that_does_not_exist, writing_what_cannot_be_written);
}
