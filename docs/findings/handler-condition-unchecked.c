/* A handler for a condition that does not exist has to be refused. */
#include "finding.h"

enum { UNKNOWN = 4 };

typedef bool handler(int64_t value, void *data);

FUNCTION(int, hsa_amd_signal_async_handler,
         (hsa_signal_t signal, uint32_t condition, int64_t value, handler *call, void *data),
         (signal, condition, value, call, data))

static bool never(int64_t value, void *data)
{
    (void)value, (void)data;
    return false;
}

int main(int count, char **words)
{
    int status;

    start(count, words);
    status = STATUS_OF(hsa_amd_signal_async_handler(signal_of(0), UNKNOWN, 0, never, NULL));
    fflush(stdout);
    _Exit(status == HSA_STATUS_SUCCESS);
}
