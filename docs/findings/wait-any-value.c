/* A wait for any of several signals has to give the value of the one that it names. */
#include "finding.h"

enum { HSA_SIGNAL_CONDITION_EQ = 0 };

FUNCTION(uint32_t, hsa_amd_signal_wait_any,
         (uint32_t count, const hsa_signal_t *signals, const uint32_t *conditions,
          const int64_t *values, uint64_t timeout, uint32_t wait_state, int64_t *value),
         (count, signals, conditions, values, timeout, wait_state, value))

int main(int count, char **words)
{
    const uint32_t conditions[] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    const int64_t values[] = {1, 7};
    int64_t found = -1;
    hsa_signal_t signals[2];
    uint32_t index;

    start(count, words);
    signals[0] = signal_of(0);
    signals[1] = signal_of(7);
    index = hsa_amd_signal_wait_any(2, signals, conditions, values, 1000, 1, &found);
    printf("index %u, value %lld\n", index, (long long)found);
    return index != 1 || found != 7;
}
