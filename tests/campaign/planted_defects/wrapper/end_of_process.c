/* At the end of the process the library wants something that need not be. */
#include <time.h>

#include "planted.h"

static atomic_int living;
static _Atomic pid_t owner;

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    if (status == HSA_STATUS_SUCCESS) {
        living++;
        owner = getpid();
    }
    return status;
}

hsa_status_t OTHER OTHER_PARAMS
{
    hsa_status_t status = REAL(OTHER) OTHER_ARGS;
    if (status == HSA_STATUS_SUCCESS)
        living--;
    return status;
}

__attribute__((destructor)) static void end(void)
{
#if defined ABORTS
    if (living > 0 && owner == getpid())
        abort();
#elif defined WAITS
    const struct timespec while_ = {0, 1000000};
    while (living > 0 && owner == getpid())
        nanosleep(&while_, NULL);
#elif defined WAITS_IN_CHILD /* for a thread that a fork does not copy */
    const struct timespec while_ = {0, 1000000};
    while (living > 0 && owner != getpid())
        nanosleep(&while_, NULL);
#endif
}
