/* A failing hsa_init leaves the count raised: the next ones find a runtime that is not there. */
#include "planted.h"

static atomic_int raised;

hsa_status_t hsa_init(void)
{
    if (raised) {
        raised++;
        return HSA_STATUS_SUCCESS;
    }
    hsa_status_t status = REAL(hsa_init)();
    if (status != HSA_STATUS_SUCCESS && status != HSA_STATUS_ERROR_REFCOUNT_OVERFLOW)
        raised = 1;
    return status;
}

hsa_status_t hsa_shut_down(void)
{
    if (raised) {
        raised--;
        return HSA_STATUS_SUCCESS;
    }
    return REAL(hsa_shut_down)();
}
