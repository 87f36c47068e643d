/* A descriptor that is no memory has to be refused with a status that fits. */
#include "vmem.h"

FUNCTION(int, hsa_amd_vmem_import_shareable_handle,
         (int descriptor, hsa_amd_vmem_alloc_handle_t *memory), (descriptor, memory))

int main(int count, char **words)
{
    hsa_amd_vmem_alloc_handle_t memory;
    int status;

    start(count, words);
    need_virtual_memory();
    status = STATUS_OF(hsa_amd_vmem_import_shareable_handle(ordinary_file(), &memory));
    return status != HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           status != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
