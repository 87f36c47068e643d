/* A handler is called with a lock held that a function takes. */
#include "planted.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct registration {
    bool (*handler)(hsa_signal_value_t value, void *arg);
    void *arg;
};

static bool locked(hsa_signal_value_t value, void *arg)
{
    struct registration *registration = arg;
    pthread_mutex_lock(&lock);
    bool again = registration->handler(value, registration->arg);
    pthread_mutex_unlock(&lock);
    return again;
}

hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t cond,
                                          hsa_signal_value_t value,
                                          bool (*handler)(hsa_signal_value_t value, void *arg),
                                          void *arg)
{
    if (!handler)
        return REAL(hsa_amd_signal_async_handler)(signal, cond, value, handler, arg);
    struct registration *registration = malloc(sizeof *registration);
    *registration = (struct registration){handler, arg};
#ifdef TAKES_IT_TOO
    pthread_mutex_lock(&lock);
#endif
    hsa_status_t status =
        REAL(hsa_amd_signal_async_handler)(signal, cond, value, locked, registration);
#ifdef TAKES_IT_TOO
    pthread_mutex_unlock(&lock);
#endif
    return status;
}

#ifdef FUNCTION
FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    pthread_mutex_lock(&lock);
    FUNCTION_RESULT result = REAL(FUNCTION) FUNCTION_ARGS;
    pthread_mutex_unlock(&lock);
    return result;
}
#endif
