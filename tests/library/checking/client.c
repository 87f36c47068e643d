/* A client that does everything right, or errs in the one way that its argument names. */

#include "hsa.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKETS = 64, FOUND = 1 };

static const char *mistake = "";

static bool errs(const char *name)
{
    return !strcmp(mistake, name);
}

static void need(hsa_status_t status, const char *call)
{
    if (status != HSA_STATUS_SUCCESS && status != HSA_STATUS_INFO_BREAK) {
        printf("%s answered %#x\n", call, (unsigned)status);
        exit(2);
    }
}
#define NEED(call) need(call, #call)

static hsa_status_t find_agent(hsa_agent_t agent, void *data)
{
    hsa_agent_t *found = data;
    hsa_device_type_t type;
    NEED(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    if (type == HSA_DEVICE_TYPE_CPU && !found[0].handle)
        found[0] = agent;
    if (type == HSA_DEVICE_TYPE_GPU && !found[1].handle)
        found[1] = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t find_pool(hsa_amd_memory_pool_t pool, void *data)
{
    bool usable = false;
    NEED(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
                                      &usable));
    if (!usable)
        return HSA_STATUS_SUCCESS;
    *(hsa_amd_memory_pool_t *)data = pool;
    return HSA_STATUS_INFO_BREAK;
}

/* These have names that a call stack shows. */
void memory(hsa_amd_memory_pool_t pool, size_t size);
void addresses(size_t size);
void packets(hsa_agent_t gpu);
void store(hsa_queue_t *queue, const void *packet);

void memory(hsa_amd_memory_pool_t pool, size_t size)
{
    void *from, *to;
    NEED(hsa_amd_memory_pool_allocate(pool, size, 0, &from));
    NEED(hsa_amd_memory_pool_allocate(pool, size, 0, &to));
    memset(from, 1, size);
    NEED(hsa_memory_copy(to, from, size));
    if (errs("copy-too-long"))
        hsa_memory_copy(to, from, 2 * size);
    NEED(hsa_amd_memory_pool_free(from));
    if (errs("double-free"))
        hsa_amd_memory_pool_free(from);
    if (errs("use-after-free"))
        hsa_memory_copy(to, from, 64);
    if (!errs("left"))
        NEED(hsa_amd_memory_pool_free(to));
}

void addresses(size_t size)
{
    void *range;
    NEED(hsa_amd_vmem_address_reserve(&range, 2 * size, 0, 0));
    if (errs("wrong-size"))
        hsa_amd_vmem_address_free(range, size);
    if (errs("wrong-kind"))
        hsa_amd_memory_pool_free(range);
    NEED(hsa_amd_vmem_address_free(range, 2 * size));
}

void store(hsa_queue_t *queue, const void *packet)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    char *place = (char *)queue->base_address + index % queue->size * 64;
    uint32_t first;
    memcpy(place + 4, (const char *)packet + 4, 60);
    memcpy(&first, packet, 4);
    __atomic_store_n((uint32_t *)place, first, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (int64_t)index);
}

static uint16_t header(hsa_packet_type_t type, unsigned release)
{
    return (uint16_t)(type | HSA_FENCE_SCOPE_SYSTEM << 9 | release << 11);
}

void packets(hsa_agent_t gpu)
{
    hsa_queue_t *queue;
    hsa_signal_t done, gate;
    NEED(hsa_queue_create(gpu, PACKETS, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX,
                          &queue));
    NEED(hsa_signal_create(1, 0, NULL, &done));
    NEED(hsa_signal_create(1, 0, NULL, &gate));
    hsa_barrier_and_packet_t barrier = {0};
    barrier.header = header(HSA_PACKET_TYPE_BARRIER_AND, HSA_FENCE_SCOPE_SYSTEM);
    barrier.completion_signal = done;
    store(queue, &barrier);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX,
                              HSA_WAIT_STATE_BLOCKED);

    /* Nothing behind a barrier whose gate is closed is processed. */
    hsa_signal_store_relaxed(done, 1);
    memset(&barrier, 0, sizeof barrier);
    barrier.header = header(HSA_PACKET_TYPE_BARRIER_AND, HSA_FENCE_SCOPE_SYSTEM) | 1 << 8;
    barrier.dep_signal[0] = gate;
    barrier.completion_signal = errs("destroyed-in-use") ? done : (hsa_signal_t){0};
    store(queue, &barrier);
    hsa_kernel_dispatch_packet_t dispatch = {0};
    dispatch.header = header(HSA_PACKET_TYPE_KERNEL_DISPATCH, HSA_FENCE_SCOPE_SYSTEM);
    dispatch.setup = 1;
    dispatch.workgroup_size_x = dispatch.workgroup_size_y = dispatch.workgroup_size_z = 1;
    dispatch.grid_size_x = dispatch.grid_size_y = dispatch.grid_size_z = 1;
    if (errs("wrong-dimensions"))
        dispatch.setup = 0;
    if (errs("missing-fence")) {
        dispatch.header = header(HSA_PACKET_TYPE_KERNEL_DISPATCH, HSA_FENCE_SCOPE_NONE);
        dispatch.completion_signal = done;
    }
    if (errs("wrong-dimensions") || errs("missing-fence"))
        store(queue, &dispatch);
    if (errs("missing-fence"))
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, 1000, HSA_WAIT_STATE_ACTIVE);
    if (errs("beyond-ring"))
        hsa_signal_store_screlease(queue->doorbell_signal, 2 * PACKETS);
    if (errs("destroyed-in-use"))
        NEED(hsa_signal_destroy(done));
    if (!errs("destroyed-in-use") && !errs("wrong-dimensions") && !errs("missing-fence") &&
        !errs("beyond-ring")) {
        hsa_signal_store_screlease(gate, 0);
        memset(&barrier, 0, sizeof barrier);
        barrier.header = header(HSA_PACKET_TYPE_BARRIER_AND, HSA_FENCE_SCOPE_SYSTEM);
        barrier.completion_signal = done;
        store(queue, &barrier);
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX,
                                  HSA_WAIT_STATE_BLOCKED);
    }
    NEED(hsa_queue_destroy(queue));
    if (!errs("destroyed-in-use"))
        NEED(hsa_signal_destroy(done));
    NEED(hsa_signal_destroy(gate));
    if (errs("destroyed-signal"))
        hsa_signal_wait_scacquire(gate, HSA_SIGNAL_CONDITION_EQ, 0, 0, HSA_WAIT_STATE_ACTIVE);
}

int main(int count, char **arguments)
{
    hsa_agent_t agents[2] = {{0}, {0}};
    hsa_amd_memory_pool_t pool = {0};
    size_t size = 0;
    if (count > 1)
        mistake = arguments[1];
    setvbuf(stdout, NULL, _IONBF, 0);
    NEED(hsa_init());
    NEED(hsa_iterate_agents(find_agent, agents));
    NEED(hsa_amd_agent_iterate_memory_pools(agents[0], find_pool, &pool));
    NEED(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &size));
    if (errs("null"))
        hsa_signal_create(1, 0, NULL, NULL);
    memory(pool, size);
    addresses(size);
    packets(agents[1]);
    NEED(hsa_shut_down());
    printf("done\n");
    return 0;
}
