/* After a refusal in a function, a kind of clean-up is not made there. */
#include "planted.h"

static _Thread_local bool inside;

static bool is_forgotten(unsigned call)
{
    return inside && refusals && call == (CLEAN_UP);
}

ON_LOAD static void begin(void)
{
    leaves_out = is_forgotten;
    watch_driver();
}

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    refusals = 0;
    inside = true;
    FUNCTION_RESULT status = REAL(FUNCTION) FUNCTION_ARGS;
    inside = false;
    return status;
}
