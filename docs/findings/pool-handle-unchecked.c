/* A handle that is no memory pool may be refused, and must not end the process. */
#include "finding.h"

static int defect(void)
{
    uint32_t value[16];

    initialise();
    STATUS_OF(hsa_amd_memory_pool_get_info(no_object(), HSA_AMD_MEMORY_POOL_INFO_SEGMENT, value));
    return 0;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
