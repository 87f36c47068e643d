/* Access set for two mappings with one call is refused, or set; it does not end the process. */
#include "vmem.h"

static void map(void *va, size_t size)
{
    if (hsa_amd_vmem_map(va, size, 0, created(gpu_pool(), size), 0))
        cannot_tell("no mapping");
}

static int set_both(void)
{
    hsa_amd_memory_access_desc_t gpu = {HSA_ACCESS_PERMISSION_RW, {0}}, cpu = gpu;
    size_t size;
    char *va;

    initialise();
    need_virtual_memory();
    gpu.agent_handle = agent_of(HSA_DEVICE_TYPE_GPU);
    cpu.agent_handle = agent_of(HSA_DEVICE_TYPE_CPU);
    size = granule_of(gpu_pool());
    va = reserved(2 * size);
    map(va, size);
    map(va + size, size);
    if (hsa_amd_vmem_set_access(va + size, size, &gpu, 1))
        cannot_tell("no access to one mapping");
    hsa_amd_vmem_set_access(va, 2 * size, &cpu, 1);
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_vmem_set_access");
    return survive(set_both);
}
