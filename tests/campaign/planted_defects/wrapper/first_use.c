/* The first call fills a table; who comes meanwhile finds it there, and half empty. */
#include "planted.h"

static atomic_bool there, filled;

hsa_status_t FUNCTION FUNCTION_PARAMS
{
    if (!atomic_exchange(&there, true)) {
        work(WINDOW);
        filled = true;
    }
    if (!filled)
        return UNFINISHED;
    return REAL(FUNCTION) FUNCTION_ARGS;
}
