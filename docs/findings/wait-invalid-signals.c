/* What is no signal counts as met in a wait for all, and the others keep their conditions.
 *
 * Before interface 1.11 the text did not allow such handles: a process that dies tells nothing. */
#include "finding.h"

enum { HSA_SIGNAL_CONDITION_EQ = 0 };

FUNCTION(uint32_t, hsa_amd_signal_wait_all,
         (uint32_t count, const hsa_signal_t *signals, const uint32_t *conditions,
          const int64_t *values, uint64_t timeout, uint32_t wait_state, int64_t *met),
         (count, signals, conditions, values, timeout, wait_state, met))

static int defect(void)
{
    const uint32_t conditions[] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    const int64_t values[] = {1, 7};
    hsa_signal_t signals[2] = {{0}, {0}};
    uint32_t result;

    need("hsa_amd_signal_wait_all");
    initialise();
    signals[1] = signal_of(7);
    result = hsa_amd_signal_wait_all(2, signals, conditions, values, 1000, 1, NULL);
    printf("result %#x\n", result);
    return result != 0;
}

int main(int count, char **words)
{
    load(count, words);
    int status = run(defect, 60);

    return status > 128 ? CANNOT_TELL : status;
}
