/* A wait holds a lock that another function takes. */
#include "planted.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

hsa_signal_value_t WAIT WAIT_PARAMS
{
    pthread_mutex_lock(&lock);
    hsa_signal_value_t value = REAL(WAIT) WAIT_ARGS;
    pthread_mutex_unlock(&lock);
    return value;
}

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    pthread_mutex_lock(&lock);
    FUNCTION_RESULT result = REAL(FUNCTION) FUNCTION_ARGS;
    pthread_mutex_unlock(&lock);
    return result;
}
