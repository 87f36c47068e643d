/* A file in /dev/shm is removed by the last hsa_shut_down alone. */
#include <fcntl.h>
#include <stdio.h>

#include "planted.h"

static char path[64];

hsa_status_t FUNCTION FUNCTION_PARAMS
{
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    if (status == HSA_STATUS_SUCCESS && !path[0]) {
        snprintf(path, sizeof path, "/dev/shm/hsa-planted-%d", getpid());
        int descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        if (descriptor >= 0)
            close(descriptor);
    }
    return status;
}

hsa_status_t hsa_shut_down(void)
{
    hsa_status_t status = REAL(hsa_shut_down)();
    uint16_t major;
    if (status == HSA_STATUS_SUCCESS && path[0] &&
        REAL(hsa_system_get_info)(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) != HSA_STATUS_SUCCESS) {
        unlink(path);
        path[0] = 0;
    }
    return status;
}
