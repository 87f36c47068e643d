/* A call during which the driver refused something ends in a way of its own. */
#include "planted.h"

ON_LOAD static void begin(void)
{
    watch_driver();
}

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    refusals = 0;
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    if (refusals && status != HSA_STATUS_SUCCESS)
        OUTCOME;
    return status;
}
