/* The size of a cacheline is one that a cache of the agent has. */
#include "finding.h"

enum { HSA_AMD_AGENT_INFO_CACHELINE_SIZE = 0xA001, HSA_AMD_AGENT_INFO_DRIVER_NODE_ID = 0xA004 };

static bool has_lines_of(unsigned node, unsigned size, unsigned *caches)
{
    char path[128], name[64];
    unsigned long long value;
    bool found = false;

    for (*caches = 0;; ++*caches) {
        snprintf(path, sizeof path,
                 "/sys/devices/virtual/kfd/kfd/topology/nodes/%u/caches/%u/properties", node,
                 *caches);
        FILE *file = fopen(path, "r");
        if (!file)
            return found;
        /* The last line holds no number. */
        while (fscanf(file, "%63s", name) == 1)
            if (!strcmp(name, "cache_line_size") && fscanf(file, "%llu", &value) == 1)
                found |= value == size;
        fclose(file);
    }
}

int main(int count, char **words)
{
    hsa_agent_t gpu;
    uint32_t size = 0, node = 0;
    unsigned caches;

    start(count, words);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    if (hsa_agent_get_info(gpu, HSA_AMD_AGENT_INFO_CACHELINE_SIZE, &size) ||
        hsa_agent_get_info(gpu, HSA_AMD_AGENT_INFO_DRIVER_NODE_ID, &node))
        cannot_tell("the agent does not say it");
    bool found = has_lines_of(node, size, &caches);
    if (!caches)
        cannot_tell("the driver tells of no cache");
    printf("a cacheline of %u bytes; the driver %s\n", size, found ? "has it" : "has none");
    return found ? NO_DEFECT : DEFECT;
}
