/* The needs of a linear box have to be answered or refused, and not to end the process. */
#include "images.h"

FUNCTION(int, hsa_ext_image_get_capability_with_layout,
         (hsa_agent_t agent, int geometry, const uint32_t *format, int layout, uint32_t *mask),
         (agent, geometry, format, layout, mask))

static int defect(void)
{
    hsa_ext_image_descriptor_t box = *rectangle();
    const uint32_t format[] = {box.channel_type, box.channel_order};
    hsa_ext_image_data_info_t info;
    hsa_agent_t gpu;
    uint32_t mask;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    box.geometry = HSA_EXT_IMAGE_GEOMETRY_3D;
    box.depth = 2;
    if (hsa_ext_image_get_capability_with_layout(gpu, HSA_EXT_IMAGE_GEOMETRY_3D, format,
                                                 HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, &mask) || !mask)
        cannot_tell("the GPU says that it has no linear boxes");
    STATUS_OF(hsa_ext_image_data_get_info_with_layout(gpu, &box, HSA_ACCESS_PERMISSION_RO,
                                                      HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, 0, 0,
                                                      &info));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
