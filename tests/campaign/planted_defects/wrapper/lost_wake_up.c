/* A wait looks at the value, and what changes before it sleeps does not wake it: the next does. */
#include "planted.h"

static bool meets(hsa_signal_condition_t condition, hsa_signal_value_t value,
                  hsa_signal_value_t compare)
{
    switch (condition) {
    case HSA_SIGNAL_CONDITION_EQ: return value == compare;
    case HSA_SIGNAL_CONDITION_NE: return value != compare;
    case HSA_SIGNAL_CONDITION_LT: return value < compare;
    default: return value >= compare;
    }
}

hsa_signal_value_t FUNCTION(hsa_signal_t signal, hsa_signal_condition_t condition,
                            hsa_signal_value_t compare_value, uint64_t timeout_hint,
                            hsa_wait_state_t wait_state_hint)
{
    hsa_signal_value_t before = REAL(hsa_signal_load_scacquire)(signal);
    if (!meets(condition, before, compare_value)) {
        work(WINDOW);
        hsa_signal_value_t after = REAL(hsa_signal_load_scacquire)(signal);
        if (after != before && meets(condition, after, compare_value))
            return REAL(FUNCTION)(signal, HSA_SIGNAL_CONDITION_NE, after, timeout_hint,
                                  wait_state_hint);
    }
    return REAL(FUNCTION)(signal, condition, compare_value, timeout_hint, wait_state_hint);
}
