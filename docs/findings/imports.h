/* Imports into linear images, which are kernels. */
#ifndef IMPORTS_H
#define IMPORTS_H

#include "images.h"

typedef struct {
    uint32_t offset[3], range[3];
} hsa_ext_image_region_t;

FUNCTION(int, hsa_ext_image_create_with_layout,
         (hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor, const void *data,
          int access, int layout, size_t row_pitch, size_t slice_pitch, hsa_ext_image_t *image),
         (agent, descriptor, data, access, layout, row_pitch, slice_pitch, image))
FUNCTION(int, hsa_ext_image_import,
         (hsa_agent_t agent, const void *memory, size_t row_pitch, size_t slice_pitch,
          hsa_ext_image_t image, const hsa_ext_image_region_t *region),
         (agent, memory, row_pitch, slice_pitch, image, region))

FUNCTION(int, hsa_amd_agents_allow_access,
         (uint32_t count, const hsa_agent_t *agents, const uint32_t *flags, const void *block),
         (count, agents, flags, block))

/* Memory of the host that an agent reaches. */
static inline void *block_for(hsa_agent_t agent)
{
    void *block = block_of(HSA_DEVICE_TYPE_CPU, 1 << 16);

    if (hsa_amd_agents_allow_access(1, &agent, NULL, block))
        cannot_tell("the GPU is given no access");
    return block;
}

static inline hsa_ext_image_t linear_image(hsa_agent_t agent)
{
    hsa_ext_image_t image;

    if (hsa_ext_image_create_with_layout(agent, rectangle(), block_for(agent),
                                         HSA_ACCESS_PERMISSION_WO,
                                         HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, 0, 0, &image))
        cannot_tell("no linear image");
    return image;
}

static inline const hsa_ext_image_region_t *one_point(void)
{
    static const hsa_ext_image_region_t region = {{0}, {1, 1, 1}};

    return &region;
}

#endif
