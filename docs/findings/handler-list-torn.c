/* A handler that could not be registered for want of memory does no harm to the next one. */
#include "heap_refusals.h"
#include <time.h>

enum { HSA_SIGNAL_CONDITION_EQ = 0, WAITED = 200, SIGNALS = 40, LATER = 7 };

typedef bool handler(int64_t value, void *data);

FUNCTION(int, hsa_amd_signal_async_handler,
         (hsa_signal_t signal, int condition, int64_t value, handler *called, void *data),
         (signal, condition, value, called, data))

static const struct timespec moment = {0, 10 * 1000 * 1000};
static volatile int goes_on, let_end, later;

static bool stay(int64_t value, void *data)
{
    (void)value, (void)data;
    goes_on = 1;
    while (!let_end)
        nanosleep(&moment, NULL);
    return false;
}

static bool note(int64_t value, void *data)
{
    *(volatile int *)data = (int)value;
    return false;
}

/* While a handler runs, those that are registered are kept in a list, which grows now and then. */
static int defect(void)
{
    void (*store)(hsa_signal_t signal, int64_t value);
    hsa_signal_t one[SIGNALS], last, first;
    static volatile int unused;
    int refused = 0;

    find("hsa_signal_store_screlease", (void *)&store);
    initialise();
    first = signal_of(0);
    last = signal_of(0);
    if (hsa_amd_signal_async_handler(first, HSA_SIGNAL_CONDITION_EQ, 1, stay, NULL))
        cannot_tell("no handler can be registered");
    store(first, 1);
    for (int i = 0; i < WAITED && !goes_on; i++)
        nanosleep(&moment, NULL);
    if (!goes_on)
        cannot_tell("the first handler is not called");
    for (int i = 0; i < SIGNALS && !refused; i++) {
        one[i] = signal_of(0);
        refuse_memory();
        refused = hsa_amd_signal_async_handler(one[i], HSA_SIGNAL_CONDITION_EQ, LATER, note,
                                               (void *)&unused);
        if (!memory_refused() && refused)
            cannot_tell("a handler is not registered, though there was memory");
    }
    if (!refused)
        return NO_MORE;
    if (STATUS_OF(hsa_amd_signal_async_handler(last, HSA_SIGNAL_CONDITION_EQ, LATER, note,
                                               (void *)&later)))
        return DEFECT;
    let_end = 1;
    nanosleep(&moment, NULL);
    store(last, LATER);
    for (int i = 0; i < WAITED && later != LATER; i++)
        nanosleep(&moment, NULL);
    printf("the handler that was registered next was %scalled\n", later == LATER ? "" : "not ");
    return later == LATER ? NO_DEFECT : DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
