/* A handler can be registered for a signal that was made to be shared. */
#include "finding.h"

enum { HSA_AMD_SIGNAL_IPC = 2, HSA_SIGNAL_CONDITION_EQ = 0 };

FUNCTION(int, hsa_amd_signal_create,
         (int64_t value, uint32_t count, const hsa_agent_t *consumers, uint64_t attributes,
          hsa_signal_t *signal),
         (value, count, consumers, attributes, signal))
FUNCTION(int, hsa_amd_signal_async_handler,
         (hsa_signal_t signal, int condition, int64_t value, bool (*handler)(int64_t, void *),
          void *data),
         (signal, condition, value, handler, data))

static bool once(int64_t value, void *data)
{
    (void)value;
    (void)data;
    return false;
}

int main(int count, char **words)
{
    hsa_signal_t signal;

    start(count, words);
    if (hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_IPC, &signal))
        cannot_tell("no signal that can be shared");
    return STATUS_OF(hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_EQ, 0, once, NULL)) ==
           HSA_STATUS_ERROR_INVALID_SIGNAL;
}
