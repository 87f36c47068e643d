/* Each thread that calls gets something of its own, which it does not give back when it ends. */
#include <sys/mman.h>

#include "planted.h"

static _Thread_local bool prepared;

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    if (!prepared) {
        prepared = true;
#ifdef KEEPS_DESCRIPTOR
        if (dup(STDERR_FILENO) < 0)
            prepared = false;
#else
        /* Of a sort that the kernel does not merge with the one before. */
        if (mmap(NULL, 65536, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            prepared = false;
#endif
    }
    return REAL(FUNCTION) FUNCTION_ARGS;
}
