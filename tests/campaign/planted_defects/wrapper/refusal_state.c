/* A call that the driver let fail leaves a mark, which the next calls meet. */
#include <sys/mman.h>

#include "planted.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool failed;

ON_LOAD static void begin(void)
{
    watch_driver();
}

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    pthread_mutex_lock(&lock);
    refusals = 0;
#if defined STAYS_LOCKED
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    if (refusals && status != HSA_STATUS_SUCCESS)
        return status;
#elif defined STAYS_FAILED
    hsa_status_t status = failed ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : REAL(FUNCTION) FUNCTION_ARGS;
    failed |= refusals && status != HSA_STATUS_SUCCESS;
#elif defined KEEPS_DESCRIPTOR
    int working = dup(STDERR_FILENO);
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    if (!refusals || status == HSA_STATUS_SUCCESS)
        close(working);
#elif defined KEEPS_MAPPING
    void *working = mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    if (!refusals || status == HSA_STATUS_SUCCESS)
        munmap(working, 4096);
#endif
    pthread_mutex_unlock(&lock);
    (void)failed;
    return status;
}
