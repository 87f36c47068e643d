/* A call before hsa_init may have any answer, but has not to end the process. */
#include "finding.h"

FUNCTION(int, hsa_amd_vmem_import_shareable_handle,
         (int descriptor, hsa_amd_vmem_alloc_handle_t *memory), (descriptor, memory))

static int defect(void)
{
    hsa_amd_vmem_alloc_handle_t memory;

    (void)STATUS_OF(hsa_amd_vmem_import_shareable_handle(ordinary_file(), &memory));
    return 0;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
