/* Wrong arguments of the functions of signal groups have to be refused, and not to end the process. */
#include "finding.h"

typedef handle hsa_signal_group_t;

enum { HSA_SIGNAL_CONDITION_EQ = 0, HSA_WAIT_STATE_BLOCKED = 0 };

FUNCTION(int, hsa_signal_group_create,
         (uint32_t signal_count, const hsa_signal_t *signals, uint32_t consumer_count,
          const hsa_agent_t *consumers, hsa_signal_group_t *group),
         (signal_count, signals, consumer_count, consumers, group))
FUNCTION(int, hsa_signal_group_wait_any_scacquire,
         (hsa_signal_group_t group, const uint32_t *conditions, const int64_t *values,
          uint32_t wait_state, hsa_signal_t *signal, int64_t *value),
         (group, conditions, values, wait_state, signal, value))

/* Two times the same agent and the same signal, whose value is 0, and a group of that signal. */
static hsa_agent_t agents[2];
static hsa_signal_t signals[2];
static hsa_signal_group_t group;

static const uint32_t equal = HSA_SIGNAL_CONDITION_EQ;
static const int64_t zero = 0;

static hsa_signal_group_t made;
static hsa_signal_t met;
static int64_t value;

static void prepare(void)
{
    initialise();
    agents[0] = agents[1] = agent_of(HSA_DEVICE_TYPE_CPU);
    signals[0] = signals[1] = signal_of(0);
    if (hsa_signal_group_create(1, signals, 1, agents, &group))
        cannot_tell("no group can be created");
}

#define CREATE(name, signal_count, signals, consumer_count, consumers, made)                      \
    static int name(void)                                                                         \
    {                                                                                             \
        prepare();                                                                                \
        return !STATUS_OF(                                                                        \
            hsa_signal_group_create(signal_count, signals, consumer_count, consumers, made));     \
    }

CREATE(create_of_no_list, 1, NULL, 1, agents, &made)
CREATE(create_for_no_list, 1, signals, 1, NULL, &made)
CREATE(create_for_nobody, 1, signals, 0, agents, &made)
CREATE(create_to_null, 1, signals, 1, agents, NULL)
CREATE(create_of_a_signal_twice, 2, signals, 1, agents, &made)
CREATE(create_for_an_agent_twice, 1, signals, 2, agents, &made)

#define WAIT(name, conditions, values, signal, value)                                             \
    static int name(void)                                                                         \
    {                                                                                             \
        prepare();                                                                                \
        return !STATUS_OF(hsa_signal_group_wait_any_scacquire(                                    \
            group, conditions, values, HSA_WAIT_STATE_BLOCKED, signal, value));                   \
    }

WAIT(wait_for_no_conditions, NULL, &zero, &met, &value)
WAIT(wait_for_no_values, &equal, NULL, &met, &value)
WAIT(wait_without_signal, &equal, &zero, NULL, &value)
WAIT(wait_without_value, &equal, &zero, &met, NULL)

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(create_of_no_list, create_for_no_list, create_for_nobody, create_to_null,
                  create_of_a_signal_twice, create_for_an_agent_twice, wait_for_no_conditions,
                  wait_for_no_values, wait_without_signal, wait_without_value);
}
