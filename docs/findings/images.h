/* Images and samplers, for the programs about hsa_ext_image_* and hsa_ext_sampler_*. */
#ifndef IMAGES_H
#define IMAGES_H

#include "finding.h"

typedef handle hsa_ext_image_t, hsa_ext_sampler_t;

typedef struct {
    uint32_t geometry;
    size_t width, height, depth, array_size;
    uint32_t channel_type, channel_order;
} hsa_ext_image_descriptor_t;

typedef struct {
    size_t size, alignment;
} hsa_ext_image_data_info_t;

enum { HSA_EXT_IMAGE_GEOMETRY_2D = 1, HSA_EXT_IMAGE_GEOMETRY_3D = 2 };
enum { HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8 = 2, HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8 = 11 };
enum { HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA = 8, HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA = 14 };
enum { HSA_ACCESS_PERMISSION_RO = 1, HSA_ACCESS_PERMISSION_WO = 2 };
enum { HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR = 1, HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE = 1 };

FUNCTION(int, hsa_ext_image_data_get_info_with_layout,
         (hsa_agent_t agent, const hsa_ext_image_descriptor_t *image, int access, int layout,
          size_t row_pitch, size_t slice_pitch, hsa_ext_image_data_info_t *info),
         (agent, image, access, layout, row_pitch, slice_pitch, info))
FUNCTION(int, hsa_ext_sampler_create,
         (hsa_agent_t agent, const uint32_t *sampler, hsa_ext_sampler_t *made),
         (agent, sampler, made))
FUNCTION(int, hsa_ext_sampler_destroy, (hsa_agent_t agent, hsa_ext_sampler_t sampler),
         (agent, sampler))

/* 256 times 8 points of four bytes each. */
static inline const hsa_ext_image_descriptor_t *rectangle(void)
{
    static const hsa_ext_image_descriptor_t image = {
        HSA_EXT_IMAGE_GEOMETRY_2D, 256, 8, 0, 0,
        HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA,
    };

    return &image;
}

/* Memory that is large and aligned enough for any of the images. */
static inline void *image_data(void)
{
    void *data;

    if (posix_memalign(&data, 1 << 20, 1 << 20))
        cannot_tell("no memory");
    return data;
}

#endif
