/* A function takes a kind of driver call for granted, and goes on when it is refused. */
#include "planted.h"

static _Thread_local bool inside;

static bool is_granted(unsigned call)
{
    return inside && call == (GRANTED);
}

ON_LOAD static void begin(void)
{
    takes_for_granted = is_granted;
    watch_driver();
}

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    inside = true;
    FUNCTION_RESULT status = REAL(FUNCTION) FUNCTION_ARGS;
    inside = false;
    return status;
}
