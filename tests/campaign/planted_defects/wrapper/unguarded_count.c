/* The count of initialisations is read and written without a lock. */
#include "planted.h"

static volatile int32_t count;

hsa_status_t hsa_init(void)
{
    int32_t before = count;
    if (before == INT32_MAX)
        return HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (before == 0)
        status = REAL(hsa_init)();
    else
        work(WINDOW);
    if (status == HSA_STATUS_SUCCESS)
        count = before + 1;
    return status;
}

hsa_status_t hsa_shut_down(void)
{
    int32_t before = count;
    if (before > 1) {
        count = before - 1;
        return HSA_STATUS_SUCCESS;
    }
    hsa_status_t status = REAL(hsa_shut_down)();
    if (status == HSA_STATUS_SUCCESS)
        count = 0;
    return status;
}
