/* Print the machine: agents with their caches, instruction set architectures and memory. */
#include "client.h"

/* HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_EXTENDED_SCOPE_FINE_GRAINED, which older headers lack. */
enum { EXTENDED_SCOPE = 8 };

static const char *const DEVICES[] = {"CPU", "GPU", "DSP"};
static const char *const SEGMENTS[] = {"global", "readonly", "private", "group"};

/* Print bytes in the largest unit that leaves no rest. */
static void print_size(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    unsigned unit = 0;

    while (unit < 3 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    printf("%" PRIu64 " %s", bytes, units[unit]);
}

static hsa_status_t print_cache(hsa_cache_t cache, void *data)
{
    uint8_t level;
    uint32_t size;

    (void)data;
    DO(hsa_cache_get_info(cache, HSA_CACHE_INFO_LEVEL, &level));
    DO(hsa_cache_get_info(cache, HSA_CACHE_INFO_SIZE, &size));
    printf("  cache of level %u: ", (unsigned)level);
    print_size(size);
    printf("\n");
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t print_isa(hsa_isa_t isa, void *data)
{
    uint32_t length;
    char *name;

    (void)data;
    DO(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
    name = calloc(1, length + 1); /* whether the length counts the NUL at the end is disputed */
    if (name == NULL)
        fail("no memory");
    DO(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name));
    printf("  runs code for %s\n", name);
    free(name);
    return HSA_STATUS_SUCCESS;
}

static void print_flags(uint32_t flags)
{
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
        printf(", for kernel arguments");
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
        printf(", fine-grained");
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED)
        printf(", coarse-grained");
    if (flags & EXTENDED_SCOPE)
        printf(", fine-grained for the system");
}

static hsa_status_t print_pool(hsa_amd_memory_pool_t pool, void *data)
{
    hsa_amd_segment_t segment;
    uint32_t flags = 0;
    size_t size;
    bool allowed;

    (void)data;
    DO(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    DO(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
    DO(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
                                    &allowed));
    if (segment == HSA_AMD_SEGMENT_GLOBAL)
        DO(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    printf("  %s memory: ", SEGMENTS[segment]);
    print_size(size);
    print_flags(flags);
    printf("%s\n", allowed ? "" : ", not for the host to allocate");
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t print_agent(hsa_agent_t agent, void *data)
{
    unsigned *count = data;
    hsa_device_type_t type;
    hsa_agent_feature_t features;
    char name[64];

    DO(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    DO(hsa_agent_get_info(agent, HSA_AGENT_INFO_FEATURE, &features));
    printf("agent %u: %s", (*count)++, DEVICES[type]);
    if (type == HSA_DEVICE_TYPE_GPU) {
        uint32_t units, lanes;

        DO(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name));
        DO(hsa_agent_get_info(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE, &lanes));
        DO(hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT,
                              &units));
        printf(" %s, %u compute units, %u work-items in a wavefront", name, units, lanes);
    }
    printf("%s\n", features & HSA_AGENT_FEATURE_KERNEL_DISPATCH ? ", runs kernels" : "");
    DO(hsa_agent_iterate_caches(agent, print_cache, NULL));
    DO(hsa_agent_iterate_isas(agent, print_isa, NULL));
    DO(hsa_amd_agent_iterate_memory_pools(agent, print_pool, NULL));
    return HSA_STATUS_SUCCESS;
}

int main(void)
{
    hsa_machine_model_t model;
    hsa_endianness_t endianness;
    unsigned count = 0;

    DO(hsa_init());
    DO(hsa_system_get_info(HSA_SYSTEM_INFO_MACHINE_MODEL, &model));
    DO(hsa_system_get_info(HSA_SYSTEM_INFO_ENDIANNESS, &endianness));
    printf("%s machine, %s-endian\n", model == HSA_MACHINE_MODEL_LARGE ? "large" : "small",
           endianness == HSA_ENDIANNESS_LITTLE ? "little" : "big");
    DO(hsa_iterate_agents(print_agent, &count));
    DO(hsa_shut_down());
    return 0;
}
