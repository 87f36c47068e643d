/* A range of addresses that was reserved with an alignment and without registration is given back
 * as a whole: the process has as many addresses as before. */
#include "vmem.h"

enum { BYTES = 4096, ALIGNMENT = 2 << 20, ROUNDS = 8, HSA_AMD_VMEM_ADDRESS_NO_REGISTER = 1 };

FUNCTION(int, hsa_amd_vmem_address_free, (void *va, size_t size), (va, size))

/* The addresses that this process has taken, in bytes. */
static size_t taken(void)
{
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (!file || fscanf(file, "%zu", &pages) != 1)
        cannot_tell("nothing tells how many addresses are taken");
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void reserve_and_free(void)
{
    void *va;

    if (hsa_amd_vmem_address_reserve_align(&va, BYTES, 0, ALIGNMENT,
                                           HSA_AMD_VMEM_ADDRESS_NO_REGISTER) ||
        hsa_amd_vmem_address_free(va, BYTES))
        cannot_tell("the range is not reserved, or not freed");
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_vmem_address_reserve_align");
    initialise();
    need_virtual_memory();
    reserve_and_free(); /* the first use may take something for good */

    size_t before = taken();
    for (int i = 0; i < ROUNDS; i++)
        reserve_and_free();
    size_t after = taken();

    printf("%zu bytes of addresses were taken, %zu are after %d rounds\n", before, after, ROUNDS);
    /* Half of it is enough: other threads of the process take and give back addresses too. */
    return after >= before + (size_t)ROUNDS * (ALIGNMENT - BYTES) / 2 ? DEFECT : NO_DEFECT;
}
