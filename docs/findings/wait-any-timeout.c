/* A wait for any of several signals has to come back when its time is over. */
#include "finding.h"

enum { HSA_SIGNAL_CONDITION_EQ = 0 };

FUNCTION(uint32_t, hsa_amd_signal_wait_any,
         (uint32_t count, const hsa_signal_t *signals, const uint32_t *conditions,
          const int64_t *values, uint64_t timeout, uint32_t wait_state, int64_t *value),
         (count, signals, conditions, values, timeout, wait_state, value))

static int defect(void)
{
    const uint32_t condition = HSA_SIGNAL_CONDITION_EQ;
    const int64_t one = 1;
    hsa_signal_t zero;
    uint32_t index;

    need("hsa_amd_signal_wait_any");
    initialise();
    zero = signal_of(0);
    index = hsa_amd_signal_wait_any(1, &zero, &condition, &one, 1000, 1, NULL);
    printf("result %#x\n", index);
    return index == 0;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
