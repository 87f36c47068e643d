/* Where a page is fetched to is told while the prefetch waits, for each CPU agent. */
#include "finding.h"

enum { HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION = 5, PAGE = 4096 };

typedef struct {
    uint64_t attribute, value;
} hsa_amd_svm_attribute_pair_t;

struct cpus {
    unsigned count;
    hsa_agent_t first[2];
};

FUNCTION(int, hsa_amd_svm_attributes_get,
         (void *memory, size_t size, hsa_amd_svm_attribute_pair_t *list, size_t count),
         (memory, size, list, count))
FUNCTION(int, hsa_amd_svm_prefetch_async,
         (void *memory, size_t size, hsa_agent_t agent, uint32_t count,
          const hsa_signal_t *dependencies, hsa_signal_t done),
         (memory, size, agent, count, dependencies, done))

static char memory[2 * PAGE];

static int collect(hsa_agent_t agent, void *data)
{
    struct cpus *cpus = data;
    uint32_t type;

    if (!hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) && type == HSA_DEVICE_TYPE_CPU &&
        cpus->count < 2)
        cpus->first[cpus->count++] = agent;
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    char *page = memory + PAGE - (uintptr_t)memory % PAGE;
    hsa_amd_svm_attribute_pair_t place = {HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0};
    struct cpus cpus = {0};

    start(count, words);
    hsa_iterate_agents(collect, &cpus);
    if (cpus.count < 2)
        cannot_tell("there is one CPU agent");
    hsa_signal_t gate = signal_of(1), done = signal_of(1);
    if (STATUS_OF(hsa_amd_svm_prefetch_async(page, PAGE, cpus.first[1], 1, &gate, done)) ||
        STATUS_OF(hsa_amd_svm_attributes_get(page, PAGE, &place, 1)))
        cannot_tell("the page cannot be fetched");
    printf("to %#llx, told %#llx\n", (unsigned long long)cpus.first[1].handle,
           (unsigned long long)place.value);
    fflush(NULL);
    _exit(place.value != cpus.first[1].handle); /* the prefetch waits for ever */
}
