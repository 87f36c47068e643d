/* Initialisation and shut down: one runtime in a process, with a reference count. */
#include "internal.h"

pthread_mutex_t runtime_lock = PTHREAD_MUTEX_INITIALIZER;

/* Held during hsa_init and hsa_shut_down, which waits for threads that need runtime_lock. */
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int32_t references;

bool initialized(void)
{
    return references > 0;
}

hsa_status_t hsa_init(void)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    pthread_mutex_lock(&count_lock);
    if (references == INT32_MAX)
        status = HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
    else
        references++;
    pthread_mutex_unlock(&count_lock);
    return status;
}

hsa_status_t hsa_shut_down(void)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    pthread_mutex_lock(&count_lock);
    if (references == 0) {
        status = HSA_STATUS_ERROR_NOT_INITIALIZED;
    } else if (references > 1) {
        references--;
    } else {
        reset_queues();
        reset_memory();
        reset_signals();
        reset_regions();
        reset_agents();
        references = 0;
    }
    pthread_mutex_unlock(&count_lock);
    return status;
}
