/* An agent that is none may be refused and must not end the process; the host has no images. */
#include "images.h"

enum { HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED = 0x3000 };

static int ask(hsa_agent_t agent)
{
    hsa_ext_image_data_info_t info;

    return STATUS_OF(hsa_ext_image_data_get_info_with_layout(
        agent, rectangle(), HSA_ACCESS_PERMISSION_RO, HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, 0, 0,
        &info));
}

static int no_agent(void)
{
    initialise();
    ask(no_object());
    return 0;
}

static int host(void)
{
    initialise();
    return ask(agent_of(HSA_DEVICE_TYPE_CPU)) != HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED;
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(no_agent, host);
}
