/* A handler that could not be registered for want of memory does not keep its signal. */
#include "heap_refusals.h"
#include "heap.h"

enum { HSA_SIGNAL_CONDITION_EQ = 0, ROUNDS = 64, LEAST_BYTES = 64 };

typedef bool handler(int64_t value, void *data);

FUNCTION(int, hsa_amd_signal_async_handler,
         (hsa_signal_t signal, int condition, int64_t value, handler *called, void *data),
         (signal, condition, value, called, data))
FUNCTION(int, hsa_signal_destroy, (hsa_signal_t signal), (signal))

static bool once(int64_t value, void *data)
{
    (void)value;
    (void)data;
    return false;
}

static int defect(void)
{
    size_t before = 0, after;

    initialise();
    if (hsa_amd_signal_async_handler(signal_of(0), HSA_SIGNAL_CONDITION_EQ, 0, once, NULL))
        cannot_tell("no handler");
    for (int round = -ROUNDS; round < ROUNDS; round++) {
        hsa_signal_t signal = signal_of(0);
        int status;

        if (round == 0)
            before = in_use();
        refuse_memory();
        status = hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_EQ, 5, once, NULL);
        if (!memory_refused())
            return NO_MORE;
        if (!status)
            return NO_DEFECT;
        hsa_signal_destroy(signal);
    }
    after = in_use();
    printf("%zd bytes more after %d calls\n", (ssize_t)(after - before), ROUNDS);
    return after >= before + (size_t)ROUNDS * LEAST_BYTES;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
