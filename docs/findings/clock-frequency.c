/* The frequency of timestamps has to lie between 1 and 400 MHz. */
#include "finding.h"

enum { HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY = 3, HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY = 0xa016 };
enum { MHZ = 1000000 };

static int answered, defects;

static void check(uint64_t frequency, const char *what)
{
    printf("%s: %llu Hz\n", what, (unsigned long long)frequency);
    defects += frequency < MHZ || frequency > 400ull * MHZ;
}

static int check_agent(hsa_agent_t agent, void *data)
{
    uint64_t frequency;

    (void)data;
    if (hsa_agent_get_info(agent, HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY, &frequency))
        return HSA_STATUS_SUCCESS;
    answered++;
    check(frequency, "agent");
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    uint64_t frequency;

    start(count, words);
    if (hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency))
        cannot_tell("no frequency");
    check(frequency, "system");
    hsa_iterate_agents(check_agent, NULL);
    /* Releases before 5.3 do not have the attribute, and hand on what the driver says. */
    if (!answered)
        cannot_tell("the frequency is the driver's");
    return defects > 0;
}
