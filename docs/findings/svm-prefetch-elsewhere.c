/* Where a page was fetched to stays the same while the prefetch of another page waits. */
#include "svm.h"

#include <time.h>

enum { HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION = 5 };

FUNCTION(int64_t, hsa_signal_load_scacquire, (hsa_signal_t signal), (signal))

static void set_to_zero(hsa_signal_t signal)
{
    void (*store)(hsa_signal_t, int64_t);

    find("hsa_signal_store_screlease", (void *)&store);
    store(signal, 0);
}

static void wait_for(hsa_signal_t signal)
{
    for (int i = 0; i < 50 && hsa_signal_load_scacquire(signal) == 1; i++)
        nanosleep(&(struct timespec){0, 100000000}, NULL);
}

static char memory[3 * PAGE];

static uint64_t place_of(char *page)
{
    hsa_amd_svm_attribute_pair_t pair = {HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0};

    if (STATUS_OF(hsa_amd_svm_attributes_get(page, PAGE, &pair, 1)))
        cannot_tell("the prefetch location is not told");
    printf("the page is at agent %#llx\n", (unsigned long long)pair.value);
    return pair.value;
}

int main(int count, char **words)
{
    char *first = page_in(memory), *second = first + PAGE;
    uint64_t before, meanwhile;

    start(count, words);
    hsa_agent_t cpu = agent_of(HSA_DEVICE_TYPE_CPU), gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    hsa_signal_t done = signal_of(1), gate = signal_of(1), later = signal_of(1);
    if (STATUS_OF(hsa_amd_svm_prefetch_async(second, PAGE, cpu, 0, NULL, done)))
        cannot_tell("the page cannot be fetched");
    wait_for(done);
    before = place_of(second);
    if (STATUS_OF(hsa_amd_svm_prefetch_async(first, PAGE, gpu, 1, &gate, later)))
        cannot_tell("the other page cannot be fetched");
    meanwhile = place_of(second);
    set_to_zero(gate);
    wait_for(later);
    return meanwhile != before;
}
