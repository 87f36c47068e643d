/* Virtual memory: reservations, handles, mappings, access and sharing. */
#include "fake.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static bool is_page_multiple(uint64_t value)
{
    return value % PAGE == 0;
}

/* FAKE_HINT_FIRST takes a hint that is not aligned; FAKE_NO_ALIGNMENT forgets what was asked for. */
#ifndef FAKE_HINT_FIRST
#define FAKE_HINT_FIRST 0
#endif
#ifndef FAKE_NO_ALIGNMENT
#define FAKE_NO_ALIGNMENT 0
#endif

/* Reserve addresses, at the hint if it is free and aligned; NULL when there are none. */
static char *reserve(uint64_t hint, size_t size, size_t alignment)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (hint && (FAKE_HINT_FIRST || hint % alignment == 0)) {
        void *at = mmap((void *)(uintptr_t)hint, size, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (at != MAP_FAILED)
            return at;
    }
    if (size + (alignment - PAGE) < size)
        return NULL;
    char *start = mmap(NULL, size + (alignment - PAGE), PROT_NONE, flags, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    size_t before = (alignment - (uintptr_t)start % alignment) % alignment;
    size_t after = alignment - PAGE - before;
    if (before)
        munmap(start, before);
    if (after)
        munmap(start + before + size, after);
    return start + before;
}

static hsa_status_t reserve_aligned(void **va, size_t size, uint64_t hint, uint64_t alignment,
                                    uint64_t flags)
{
    if (alignment == 0)
        alignment = PAGE;
    bool power_of_two = (alignment & (alignment - 1)) == 0;
    if (!va || size == 0 || !is_page_multiple(size) || flags > 1)
        return INVALID_ARGUMENT;
    if (!power_of_two || alignment < PAGE)
        return INVALID_ARGUMENT;
    char *start = reserve(hint, size, FAKE_NO_ALIGNMENT ? PAGE : alignment);
    if (!start)
        return OUT_OF_RESOURCES;
    if (!new_range(RESERVATION, start, size, -1)) {
        munmap(start, size);
        return OUT_OF_RESOURCES;
    }
    *va = start;
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_address_reserve, (void **va, size_t size, uint64_t address, uint64_t flags),
         (va, size, address, flags))
{
    return reserve_aligned(va, size, address, 0, flags);
}

#ifndef FAKE_WITHOUT_RESERVE_ALIGN
FUNCTION(hsa_amd_vmem_address_reserve_align,
         (void **va, size_t size, uint64_t address, uint64_t alignment, uint64_t flags),
         (va, size, address, alignment, flags))
{
    return reserve_aligned(va, size, address, alignment, flags);
}
#endif

/* Return whether any mapping lies in a range of addresses. */
static bool is_mapped(const char *start, size_t size)
{
    for (range *it = ranges; it; it = it->next)
        if (it->kind == MAPPING && it->start < start + size && start < it->start + it->size)
            return true;
    return false;
}

FUNCTION(hsa_amd_vmem_address_free, (void *va, size_t size), (va, size))
{
    range *found = find_range(RESERVATION, va);
    if (!found || found->start != va)
        return INVALID_ALLOCATION;
    if (size != found->size)
        return INVALID_ARGUMENT;
    if (is_mapped(va, size))
        return RESOURCE_FREE;
    munmap(va, size);
    drop_range(found);
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_handle_create,
         (hsa_amd_memory_pool_t pool, size_t size, uint32_t type, uint64_t flags,
          hsa_amd_vmem_alloc_handle_t *memory_handle),
         (pool, size, type, flags, memory_handle))
{
    int which = find_pool(pool);
    if (which < 0 || size == 0 || !is_page_multiple(size) || type > 1 || flags || !memory_handle)
        return INVALID_ARGUMENT;
    if (!pools[which].allocatable)
        return INVALID_ALLOCATION;
    if (size > pools[which].size - used[which])
        return OUT_OF_RESOURCES;
    object *made = create_object(which, size, (int)type);
    if (!made)
        return OUT_OF_RESOURCES;
    memory_handle->handle = made->handle;
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_handle_release, (hsa_amd_vmem_alloc_handle_t memory_handle), (memory_handle))
{
    object *found = find_object(memory_handle);
    if (!found)
        return INVALID_ALLOCATION;
    found->references--;
    drop_object_if_unused(found);
    return SUCCESS;
}

/* FAKE_MAPS_PART maps the first bytes of a handle. */
#ifndef FAKE_MAPS_PART
#define FAKE_MAPS_PART 0
#endif

FUNCTION(hsa_amd_vmem_map,
         (void *va, size_t size, size_t in_offset, hsa_amd_vmem_alloc_handle_t memory_handle,
          uint64_t flags),
         (va, size, in_offset, memory_handle, flags))
{
    object *memory = find_object(memory_handle);
    range *inside = find_range(RESERVATION, va);
    if (!memory || !inside || in_offset || flags)
        return INVALID_ARGUMENT;
    if (size != memory->size && !(FAKE_MAPS_PART && size && size < memory->size))
        return INVALID_ARGUMENT;
    size_t start = (size_t)((char *)va - inside->start);
    if (!is_page_multiple(start) || size > inside->size - start || is_mapped(va, size))
        return INVALID_ARGUMENT;
    range *made = new_range(MAPPING, va, size, memory->pool);
    if (!made)
        return OUT_OF_RESOURCES;
    if (mmap(va, size, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->descriptor, 0) == MAP_FAILED) {
        drop_range(made);
        return OUT_OF_RESOURCES;
    }
    made->memory = memory;
    memory->mappings++;
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_unmap, (void *va, size_t size), (va, size))
{
    range *found = find_range(MAPPING, va);
    if (!found || found->start != va)
        return INVALID_ALLOCATION;
    if (size != found->size)
        return INVALID_ARGUMENT;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap(va, size, PROT_NONE, flags, -1, 0) == MAP_FAILED)
        return ERROR;
    found->memory->mappings--;
    drop_object_if_unused(found->memory);
    drop_range(found);
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_set_access,
         (void *va, size_t size, const hsa_amd_memory_access_desc_t *desc, size_t desc_cnt),
         (va, size, desc, desc_cnt))
{
    range *found = find_range(MAPPING, va);
    if (!found || found->start != va || size != found->size || !desc || desc_cnt == 0)
        return INVALID_ARGUMENT;
    range changed = *found;
    for (size_t i = 0; i < desc_cnt; i++) {
        int which = find_agent(desc[i].agent_handle);
        if (which < 0)
            return INVALID_AGENT;
        if (desc[i].permissions > READ_WRITE)
            return INVALID_ARGUMENT;
        changed.access[which] = (int)desc[i].permissions;
    }
    if (!protect(&changed))
        return ERROR;
    *found = changed;
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_get_access, (void *va, uint32_t *perms, hsa_agent_t agent_handle),
         (va, perms, agent_handle))
{
    int which = find_agent(agent_handle);
    if (which < 0)
        return INVALID_AGENT;
    if (!perms)
        return INVALID_ARGUMENT;
    range *found = find_range(MAPPING, va);
    if (!found || found->access[which] == NEVER_SET)
        return INVALID_ALLOCATION;
    *perms = (uint32_t)found->access[which];
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_export_shareable_handle,
         (int *dmabuf_fd, hsa_amd_vmem_alloc_handle_t handle, uint64_t flags),
         (dmabuf_fd, handle, flags))
{
    object *found = find_object(handle);
    if (!found)
        return INVALID_ALLOCATION;
    if (!dmabuf_fd || flags)
        return INVALID_ARGUMENT;
    int descriptor = fcntl(found->descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0)
        return OUT_OF_RESOURCES;
    *dmabuf_fd = descriptor;
    return SUCCESS;
}

/* Read the pool and type off a descriptor that some process exported; false for any other file. */
static bool is_object(int descriptor, int *pool, int *type)
{
    char path[64], name[64] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (readlink(path, name, sizeof name - 1) < 0)
        return false;
    return sscanf(name, "/memfd:" OBJECT_NAME, pool, type) == 2;
}

FUNCTION(hsa_amd_vmem_import_shareable_handle,
         (int dmabuf_fd, hsa_amd_vmem_alloc_handle_t *handle), (dmabuf_fd, handle))
{
    int pool, type;
    struct stat file;
    if (!handle)
        return INVALID_ARGUMENT;
    if (!is_object(dmabuf_fd, &pool, &type) || fstat(dmabuf_fd, &file))
        return INVALID_ALLOCATION;
    int descriptor = fcntl(dmabuf_fd, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0)
        return OUT_OF_RESOURCES;
    object *made = new_object(descriptor, (size_t)file.st_size, pool, type, true);
    if (!made) {
        close(descriptor);
        return OUT_OF_RESOURCES;
    }
    handle->handle = made->handle;
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_retain_alloc_handle,
         (hsa_amd_vmem_alloc_handle_t *memory_handle, void *addr), (memory_handle, addr))
{
    range *found = find_range(MAPPING, addr);
    if (!memory_handle)
        return INVALID_ARGUMENT;
    if (!found)
        return INVALID_ALLOCATION;
    found->memory->references++;
    memory_handle->handle = found->memory->handle;
    return SUCCESS;
}

FUNCTION(hsa_amd_vmem_get_alloc_properties_from_handle,
         (hsa_amd_vmem_alloc_handle_t memory_handle, hsa_amd_memory_pool_t *pool, uint32_t *type),
         (memory_handle, pool, type))
{
    object *found = find_object(memory_handle);
    if (!found)
        return INVALID_ALLOCATION;
    if (!pool || !type)
        return INVALID_ARGUMENT;
    *pool = pool_handle(found->pool);
    *type = (uint32_t)found->type;
    return SUCCESS;
}
