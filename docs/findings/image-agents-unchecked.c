/* An agent that is none has to be refused where it is given with an image or a sampler. */
#include "images.h"

static int ask(void)
{
    hsa_ext_image_data_info_t info;

    initialise();
    return STATUS_OF(hsa_ext_image_data_get_info_with_layout(
               no_object(), rectangle(), HSA_ACCESS_PERMISSION_RO,
               HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, 0, 0, &info)) != HSA_STATUS_ERROR_INVALID_AGENT;
}

static int destroy_sampler(void)
{
    static const uint32_t descriptor[] = {0, 0, HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE};
    hsa_ext_sampler_t sampler;

    initialise();
    if (hsa_ext_sampler_create(agent_of(HSA_DEVICE_TYPE_GPU), descriptor, &sampler))
        cannot_tell("hsa_ext_sampler_create fails");
    return STATUS_OF(hsa_ext_sampler_destroy(no_object(), sampler)) !=
           HSA_STATUS_ERROR_INVALID_AGENT;
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(ask, destroy_sampler);
}
