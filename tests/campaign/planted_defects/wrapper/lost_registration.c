/* Who registers while somebody else does is told that it succeeded, and is forgotten. */
#include "planted.h"

static volatile int under_way;

hsa_status_t FUNCTION FUNCTION_PARAMS
{
    if (under_way)
        return HSA_STATUS_SUCCESS;
    under_way = 1;
    work(WINDOW);
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    under_way = 0;
    return status;
}
