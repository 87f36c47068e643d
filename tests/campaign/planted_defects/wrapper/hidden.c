/* A traversal leaves out the last thing that it would report. */
#include "planted.h"

enum { MOST = 256 };

struct reported {
    uint64_t handles[MOST];
    unsigned count;
};

static hsa_status_t note(HANDLE object, void *data)
{
    struct reported *reported = data;
    if (reported->count < MOST)
        reported->handles[reported->count++] = object.handle;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t FUNCTION FUNCTION_PARAMS
{
    struct reported reported = {.count = 0};
    void *const given = data;
    hsa_status_t (*const tell)(HANDLE, void *) = callback;
    if (!tell)
        return REAL(FUNCTION) FUNCTION_ARGS;
    callback = note;
    data = &reported;
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    for (unsigned n = 0; status == HSA_STATUS_SUCCESS && n + 1 < reported.count; n++)
        status = tell((HANDLE){reported.handles[n]}, given);
    return status;
}
