/* Answers SUCCESS to everything and does nothing: no output is written. */
#define SUCCEED(name) \
    int hsa_##name(void) \
    { \
        return 0; \
    }

SUCCEED(init)
SUCCEED(shut_down)
SUCCEED(status_string)
SUCCEED(system_get_info)
SUCCEED(iterate_agents)
SUCCEED(agent_get_info)
SUCCEED(amd_agent_iterate_memory_pools)
SUCCEED(amd_memory_pool_get_info)
SUCCEED(amd_agent_memory_pool_get_info)
SUCCEED(amd_memory_pool_allocate)
SUCCEED(amd_memory_pool_free)
SUCCEED(amd_agents_allow_access)
SUCCEED(amd_pointer_info)
SUCCEED(amd_vmem_address_reserve)
SUCCEED(amd_vmem_address_reserve_align)
SUCCEED(amd_vmem_address_free)
SUCCEED(amd_vmem_handle_create)
SUCCEED(amd_vmem_handle_release)
SUCCEED(amd_vmem_map)
SUCCEED(amd_vmem_unmap)
SUCCEED(amd_vmem_set_access)
SUCCEED(amd_vmem_get_access)
SUCCEED(amd_vmem_export_shareable_handle)
SUCCEED(amd_vmem_import_shareable_handle)
SUCCEED(amd_vmem_retain_alloc_handle)
SUCCEED(amd_vmem_get_alloc_properties_from_handle)
