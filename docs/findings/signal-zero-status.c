/* The signal 0 has to be refused as an invalid signal. */
#include "finding.h"

FUNCTION(int, hsa_amd_signal_value_pointer, (hsa_signal_t signal, int64_t **value), (signal, value))

int main(int count, char **words)
{
    const hsa_signal_t zero = {0};
    int64_t *value;

    start(count, words);
    return STATUS_OF(hsa_amd_signal_value_pointer(zero, &value)) != HSA_STATUS_ERROR_INVALID_SIGNAL;
}
