/* Signals that were destroyed are used again, from a list that is changed without a lock. */
#include "planted.h"

#define ROOM 64

static volatile uint64_t spare[ROOM];
static volatile unsigned length;

hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                               const hsa_agent_t *consumers, hsa_signal_t *signal)
{
    unsigned place = length;
    if (num_consumers == 0 && signal && place > 0 && place <= ROOM) {
        hsa_signal_t reused = {spare[place - 1]};
        REAL(hsa_signal_store_relaxed)(reused, initial_value);
        work(WINDOW);
        length = place - 1;
        *signal = reused;
        return HSA_STATUS_SUCCESS;
    }
    hsa_status_t status = REAL(hsa_signal_create)(initial_value, num_consumers, consumers, signal);
    if (status != HSA_STATUS_SUCCESS || num_consumers || length)
        return status;
    hsa_signal_t ahead[8]; /* the list is filled when it is empty */
    unsigned made = 0;
    while (made < 8 &&
           REAL(hsa_signal_create)(0, 0, NULL, &ahead[made]) == HSA_STATUS_SUCCESS)
        made++;
    for (unsigned i = 0; i < made; i++)
        spare[i] = ahead[i].handle;
    length = made;
    return status;
}

hsa_status_t hsa_shut_down(void)
{
    length = 0;
    return REAL(hsa_shut_down)();
}
