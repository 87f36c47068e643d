/* A call before hsa_init has to be refused as such, and not to end the process. */
#include "finding.h"

FUNCTION(int, hsa_amd_vmem_import_shareable_handle,
         (int descriptor, hsa_amd_vmem_alloc_handle_t *memory), (descriptor, memory))

static int defect(void)
{
    hsa_amd_vmem_alloc_handle_t memory;

    return STATUS_OF(hsa_amd_vmem_import_shareable_handle(ordinary_file(), &memory)) !=
           HSA_STATUS_ERROR_NOT_INITIALIZED;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
