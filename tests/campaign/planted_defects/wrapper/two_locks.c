/* Two functions take two locks in different order. */
#include "planted.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    work(WINDOW);
    pthread_mutex_lock(other);
}

static void give(void)
{
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
}

hsa_status_t FUNCTION FUNCTION_PARAMS
{
    take(&first, &second);
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    give();
    return status;
}

hsa_status_t OTHER OTHER_PARAMS
{
    take(&second, &first);
    hsa_status_t status = REAL(OTHER) OTHER_ARGS;
    give();
    return status;
}
