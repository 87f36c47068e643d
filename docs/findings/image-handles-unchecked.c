/* A handle that is no image or sampler has to be refused, and not to end the process. */
#include "images.h"

FUNCTION(int, hsa_ext_image_destroy, (hsa_agent_t agent, hsa_ext_image_t image), (agent, image))
FUNCTION(int, hsa_ext_image_import,
         (hsa_agent_t agent, const void *source, size_t row_pitch, size_t slice_pitch,
          hsa_ext_image_t image, const uint32_t *region),
         (agent, source, row_pitch, slice_pitch, image, region))
FUNCTION(int, hsa_ext_image_export,
         (hsa_agent_t agent, hsa_ext_image_t image, void *target, size_t row_pitch,
          size_t slice_pitch, const uint32_t *region),
         (agent, image, target, row_pitch, slice_pitch, region))
FUNCTION(int, hsa_ext_image_clear,
         (hsa_agent_t agent, hsa_ext_image_t image, const void *data, const uint32_t *region),
         (agent, image, data, region))

static const uint32_t region[] = {0, 0, 0, 1, 1, 1};
static uint64_t buffer[64];

static hsa_agent_t gpu(void)
{
    initialise();
    return agent_of(HSA_DEVICE_TYPE_GPU);
}

static int destroy(void)
{
    return !STATUS_OF(hsa_ext_image_destroy(gpu(), no_object()));
}

static int import(void)
{
    return !STATUS_OF(hsa_ext_image_import(gpu(), buffer, 0, 0, no_object(), region));
}

static int export(void)
{
    return !STATUS_OF(hsa_ext_image_export(gpu(), no_object(), buffer, 0, 0, region));
}

static int clear(void)
{
    return !STATUS_OF(hsa_ext_image_clear(gpu(), no_object(), buffer, region));
}

static int destroy_sampler(void)
{
    return !STATUS_OF(hsa_ext_sampler_destroy(gpu(), no_object()));
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(destroy, import, export, clear, destroy_sampler);
}
