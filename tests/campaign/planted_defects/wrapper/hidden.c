/* A traversal leaves out the last thing that it would report. */
#include "planted.h"

#define HANDLE_OF_(object) hsa_##object##_t
#define HANDLE_OF(object) HANDLE_OF_(object)

typedef HANDLE_OF(OBJECT) handle_t;

enum { MOST = 256 };

struct reported {
    uint64_t handles[MOST];
    unsigned count;
};

static hsa_status_t note(handle_t object, void *data)
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
    hsa_status_t (*const tell)(handle_t, void *) = callback;
    if (!tell)
        return REAL(FUNCTION) FUNCTION_ARGS;
    callback = note;
    data = &reported;
    hsa_status_t status = REAL(FUNCTION) FUNCTION_ARGS;
    for (unsigned n = 0; status == HSA_STATUS_SUCCESS && n + 1 < reported.count; n++)
        status = tell((handle_t){reported.handles[n]}, given);
    return status;
}
