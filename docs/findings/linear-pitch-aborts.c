/* A row pitch that is not supported has to be refused, and not to end the process. */
#include "images.h"

enum { TOO_SHORT = 1020 };

static int defect(void)
{
    hsa_ext_image_data_info_t info;

    initialise();
    return STATUS_OF(hsa_ext_image_data_get_info_with_layout(
               agent_of(HSA_DEVICE_TYPE_GPU), rectangle(), HSA_ACCESS_PERMISSION_RO,
               HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, TOO_SHORT, 0, &info)) == HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
