/* What four queries and a mask say of extensions agrees. */
#include "finding.h"

enum {
    HSA_SYSTEM_INFO_EXTENSIONS = 7,
    HSA_AGENT_INFO_EXTENSIONS = 20,
    HSA_EXTENSION_AMD_PROFILER = 2
};

FUNCTION(int, hsa_system_extension_supported,
         (uint16_t extension, uint16_t major, uint16_t minor, bool *result),
         (extension, major, minor, result))
FUNCTION(int, hsa_system_major_extension_supported,
         (uint16_t extension, uint16_t major, uint16_t *minor, bool *result),
         (extension, major, minor, result))
FUNCTION(int, hsa_agent_extension_supported,
         (uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t minor, bool *result),
         (extension, agent, major, minor, result))

static int defects;

static void check_system(void)
{
    static const uint16_t numbers[] = {0, 1, 2, 3, 0x200, 0x201, 0x202};
    uint8_t mask[128];

    if (hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, mask))
        cannot_tell("no mask of extensions");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint16_t number = numbers[i], minor;
        bool exact = false, major = false;

        if (mask[number / 8] >> number % 8 & 1)
            continue;
        hsa_system_extension_supported(number, 1, 0, &exact);
        hsa_system_major_extension_supported(number, 1, &minor, &major);
        if (exact || major) {
            printf("extension %#x: not in the mask, and 1.0 is%s supported, 1.x is%s\n", number,
                   exact ? "" : " not", major ? "" : " not");
            defects++;
        }
    }
}

static void check_agent(hsa_agent_t gpu)
{
    bool system = true, agent = false;

    hsa_system_extension_supported(HSA_EXTENSION_AMD_PROFILER, 1, 0, &system);
    hsa_agent_extension_supported(HSA_EXTENSION_AMD_PROFILER, gpu, 1, 0, &agent);
    if (agent && !system) {
        printf("extension %d: the agent supports 1.0, the system does not\n",
               HSA_EXTENSION_AMD_PROFILER);
        defects++;
    }
}

static void check_masks(hsa_agent_t gpu)
{
    uint8_t system[128], agent[128];

    if (hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, system) ||
        hsa_agent_get_info(gpu, HSA_AGENT_INFO_EXTENSIONS, agent))
        cannot_tell("no mask of extensions");
    for (int number = 0; number < 1024; number++)
        if ((agent[number / 8] & ~system[number / 8]) >> number % 8 & 1) {
            printf("extension %#x: in the mask of the agent, not in that of the system\n", number);
            defects++;
        }
}

int main(int count, char **words)
{
    start(count, words);
    check_system();
    check_agent(agent_of(HSA_DEVICE_TYPE_GPU));
    check_masks(agent_of(HSA_DEVICE_TYPE_GPU));
    return defects > 0;
}
