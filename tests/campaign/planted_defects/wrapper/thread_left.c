/* A thread is told to end by the last hsa_shut_down, which does not wait for it. */
#include <time.h>

#include "planted.h"

static atomic_bool ends;
static bool runs;

static void *look_after(void *unused)
{
    const struct timespec pause = {0, 20000000};
    while (!ends)
        nanosleep(&pause, NULL);
    return unused;
}

hsa_status_t hsa_init(void)
{
    hsa_status_t status = REAL(hsa_init)();
    pthread_t thread;
    if (status == HSA_STATUS_SUCCESS && !runs) {
        ends = false;
        runs = pthread_create(&thread, NULL, look_after, NULL) == 0;
        if (runs)
            pthread_detach(thread);
    }
    return status;
}

hsa_status_t hsa_shut_down(void)
{
    hsa_status_t status = REAL(hsa_shut_down)();
    uint16_t major;
    if (status == HSA_STATUS_SUCCESS && runs &&
        REAL(hsa_system_get_info)(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) != HSA_STATUS_SUCCESS) {
        ends = true;
        runs = false;
    }
    return status;
}
