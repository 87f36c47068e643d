/* An argument is kept where all threads see it, between the check and the use. */
#include "planted.h"

static volatile __typeof__(KEPT_TYPE) kept;

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    *(volatile __typeof__(KEPT_TYPE) *)&kept = KEPT;
    work(WINDOW);
    KEPT = kept;
    return REAL(FUNCTION) FUNCTION_ARGS;
}
