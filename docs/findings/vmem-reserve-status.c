/* A size of no whole pages, or a bad alignment, is an invalid argument: resources are not short. */
#include "vmem.h"

static int defects;

static void check(int status)
{
    defects += status != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

int main(int count, char **words)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *va;

    start(count, words);
    need_virtual_memory();
    check(STATUS_OF(hsa_amd_vmem_address_reserve(&va, page + 1, 0, 0)));
    if (has("hsa_amd_vmem_address_reserve_align")) {
        check(STATUS_OF(hsa_amd_vmem_address_reserve_align(&va, page + 1, 0, 0, 0)));
        check(STATUS_OF(hsa_amd_vmem_address_reserve_align(&va, page, 0, 3 * page, 0)));
        check(STATUS_OF(hsa_amd_vmem_address_reserve_align(&va, page, 0, 1, 0)));
    }
    return defects > 0;
}
