/* Where a page is fetched to is told while the prefetch waits, for each CPU agent. */
#include "svm.h"

enum { HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION = 5 };

static char memory[2 * PAGE];

int main(int count, char **words)
{
    char *page = page_in(memory);
    hsa_amd_svm_attribute_pair_t place = {HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0};

    start(count, words);
    hsa_agent_t cpu = two_agents_of(HSA_DEVICE_TYPE_CPU).agents[1];
    hsa_signal_t gate = signal_of(1), done = signal_of(1);
    if (STATUS_OF(hsa_amd_svm_prefetch_async(page, PAGE, cpu, 1, &gate, done)) ||
        STATUS_OF(hsa_amd_svm_attributes_get(page, PAGE, &place, 1)))
        cannot_tell("the page cannot be fetched");
    printf("to %#llx, told %#llx\n", (unsigned long long)cpu.handle,
           (unsigned long long)place.value);
    fflush(NULL);
    _exit(place.value != cpu.handle); /* the prefetch waits for ever */
}
