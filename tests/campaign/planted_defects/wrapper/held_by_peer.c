/* Who attaches holds a lock between processes, which a process that is killed does not give back. */
#include <sys/mman.h>

#include "planted.h"

static pthread_mutex_t *lock;

ON_LOAD static void share(void)
{
    lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_settype(&shared, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(lock, &shared);
}

hsa_status_t FUNCTION FUNCTION_PARAMS
{
    pthread_mutex_lock(lock);
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    if (status != HSA_STATUS_SUCCESS)
        pthread_mutex_unlock(lock);
    return status;
}

hsa_status_t OTHER OTHER_PARAMS
{
    hsa_status_t status = REAL(OTHER) OTHER_ARGS;
    if (status == HSA_STATUS_SUCCESS)
        pthread_mutex_unlock(lock);
    return status;
}
