/* Provokes a defect of a library: `demonstrate LIBRARY SCENARIO WHAT`.

   Exits with 1, or by a signal, where the defect shows, and with 0 where it does not. It does what
   needs code that runs in the process: handlers, threads that register them, and ends. */
#include "program.h"

void *library;
hsa_agent_t gpu;

hsa_signal_t signal_of(hsa_signal_value_t value)
{
    hsa_signal_t signal;
    REQUIRE(CALL(hsa_signal_create)(value, 0, NULL, &signal));
    return signal;
}

hsa_status_t find_gpu(hsa_agent_t agent, void *found)
{
    hsa_device_type_t device;
    CALL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_DEVICE, &device);
    if (device == HSA_DEVICE_TYPE_GPU)
        *(hsa_agent_t *)found = agent;
    return HSA_STATUS_SUCCESS;
}

int main(int count_of_words, char **words)
{
    library = count_of_words == 4 ? dlopen(words[1], RTLD_NOW) : NULL;
    if (!library)
        return 2;
    const char *scenario = words[2], *what = words[3];
    if (strcmp(scenario, "end") == 0)
        return ends_with(what);
    if (strcmp(scenario, "child") == 0)
        return child_ends_with(what);
    if (strcmp(scenario, "close") == 0)
        return is_closed();
    if (strcmp(scenario, "load") == 0)
        return loads(what);
    REQUIRE(CALL(hsa_init)());
    if (strcmp(scenario, "beside") == 0)
        _exit(beside());
    if (strcmp(scenario, "first") == 0 && strcmp(what, "hsa_iterate_agents") == 0)
        _exit(iterates(words[3]));
    REQUIRE(CALL(hsa_iterate_agents)(find_gpu, &gpu));
    _exit(strcmp(scenario, "first") == 0 ? iterates(words[3]) : in_handler(what));
}
