/* A first look at the runtime, by its author: every function is called, most of them in use. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/hsa.h"

#undef NDEBUG
#define OK(call) assert((call) == HSA_STATUS_SUCCESS)
#define IS(status, call) assert((call) == HSA_STATUS_##status)

static hsa_agent_t agents[8];
static hsa_region_t regions[8];
static int agent_count, region_count;
static const hsa_agent_t no_agent = {7};

static hsa_status_t add_agent(hsa_agent_t agent, void *data)
{
    (void)data;
    agents[agent_count++] = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t add_region(hsa_region_t region, void *data)
{
    (void)data;
    regions[region_count++] = region;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t first_agent(hsa_agent_t agent, void *data)
{
    *(hsa_agent_t *)data = agent;
    return HSA_STATUS_INFO_BREAK;
}

static void look_around(void)
{
    union { char bytes[128]; uint64_t number; uint16_t half; uint32_t word; } value;
    const char *text;
    bool supported = true;
    uint16_t policies;
    hsa_agent_t first;
    OK(hsa_status_string(HSA_STATUS_INFO_BREAK, &text));
    assert(strlen(text) > 0);
    IS(ERROR_INVALID_ARGUMENT, hsa_status_string((hsa_status_t)77, &text));
    for (hsa_system_info_t i = 0; i <= HSA_SYSTEM_INFO_EXTENSIONS; i++)
        OK(hsa_system_get_info(i, &value));
    IS(ERROR_INVALID_ARGUMENT, hsa_system_get_info((hsa_system_info_t)99, &value));
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &value));
    assert(value.half == 1);
    OK(hsa_system_extension_supported(HSA_EXTENSION_IMAGES, 1, 0, &supported));
    assert(!supported);
    IS(ERROR_INVALID_ARGUMENT, hsa_system_get_extension_table(0, 1, 0, NULL));
    OK(hsa_iterate_agents(add_agent, NULL));
    assert(agent_count == 2);
    IS(INFO_BREAK, hsa_iterate_agents(first_agent, &first));
    assert(first.handle == agents[0].handle);
    for (int i = 0; i < agent_count; i++) {
        for (hsa_agent_info_t j = 0; j <= HSA_AGENT_INFO_FAST_F16_OPERATION; j++)
            OK(hsa_agent_get_info(agents[i], j, &value));
        OK(hsa_agent_get_exception_policies(agents[i], HSA_PROFILE_FULL, &policies));
        OK(hsa_agent_extension_supported(HSA_EXTENSION_FINALIZER, agents[i], 1, 0, &supported));
    }
    IS(ERROR_INVALID_AGENT, hsa_agent_get_info(no_agent, HSA_AGENT_INFO_NAME, &value));

    hsa_isa_t isa, same;
    char name[64] = "";
    OK(hsa_agent_get_info(agents[1], HSA_AGENT_INFO_ISA, &isa));
    OK(hsa_isa_get_info(isa, HSA_ISA_INFO_NAME_LENGTH, 0, &value));
    OK(hsa_isa_get_info(isa, HSA_ISA_INFO_NAME, 0, name));
    assert(strlen(name) == value.word);
    OK(hsa_isa_from_name(name, &same));
    assert(same.handle == isa.handle);
    IS(ERROR_INVALID_ISA_NAME, hsa_isa_from_name("none", &same));
    IS(ERROR_INVALID_INDEX,
       hsa_isa_get_info(isa, HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE, 1, &value));
    OK(hsa_isa_compatible(isa, same, &supported));
    assert(supported);
}

static void use_memory(void)
{
    OK(hsa_agent_iterate_regions(agents[0], add_region, NULL));
    assert(region_count == 2);
    region_count = 0;
    OK(hsa_agent_iterate_regions(agents[1], add_region, NULL));
    assert(region_count == 3);
    for (int i = 0; i < region_count; i++) {
        size_t granule, most;
        bool allowed;
        void *memory, *other;
        OK(hsa_region_get_info(regions[i], HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED, &allowed));
        OK(hsa_region_get_info(regions[i], HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE, &granule));
        OK(hsa_region_get_info(regions[i], HSA_REGION_INFO_ALLOC_MAX_SIZE, &most));
        IS(ERROR_INVALID_ALLOCATION, hsa_memory_allocate(regions[i], most + 1, &memory));
        if (!allowed) {
            IS(ERROR_INVALID_ALLOCATION, hsa_memory_allocate(regions[i], 1, &memory));
            continue;
        }
        OK(hsa_memory_allocate(regions[i], most, &memory));
        OK(hsa_memory_allocate(regions[i], granule + 1, &other));
        memset(other, 5, granule + 1);
        OK(hsa_memory_copy(memory, other, granule + 1));
        assert(memcmp(memory, other, granule + 1) == 0);
        OK(hsa_memory_assign_agent(other, agents[1], HSA_ACCESS_PERMISSION_RO));
        IS(ERROR_INVALID_ARGUMENT,
           hsa_memory_assign_agent(other, agents[1], (hsa_access_permission_t)0));
        OK(hsa_memory_free(other));
        OK(hsa_memory_free(memory));
    }
    char own[100];
    OK(hsa_memory_register(own, sizeof own));
    OK(hsa_memory_deregister(own, sizeof own));
    OK(hsa_memory_register(NULL, 0));
    IS(ERROR_INVALID_ARGUMENT, hsa_memory_register(own, 0));
}

#define EACH_ORDER(name, before, after, ...) \
    do { \
        hsa_signal_store_relaxed(signal, before); \
        hsa_signal_##name##_acq_rel(signal, __VA_ARGS__); \
        assert(hsa_signal_load_acquire(signal) == (after)); \
        hsa_signal_store_release(signal, before); \
        hsa_signal_##name##_acquire(signal, __VA_ARGS__); \
        assert(hsa_signal_load_relaxed(signal) == (after)); \
        hsa_signal_store_relaxed(signal, before); \
        hsa_signal_##name##_relaxed(signal, __VA_ARGS__); \
        assert(hsa_signal_load_acquire(signal) == (after)); \
        hsa_signal_store_relaxed(signal, before); \
        hsa_signal_##name##_release(signal, __VA_ARGS__); \
        assert(hsa_signal_load_acquire(signal) == (after)); \
    } while (0)

static void *pulse(void *argument)
{
    hsa_signal_t *signal = argument;
    usleep(50000);
    hsa_signal_store_relaxed(*signal, 7);
    hsa_signal_store_relaxed(*signal, 0);
    return NULL;
}

static void use_signals(void)
{
    hsa_signal_t signal;
    hsa_agent_t twice[] = {agents[0], agents[0]};
    OK(hsa_signal_create(3, 2, agents, &signal));
    assert(hsa_signal_load_acquire(signal) == 3);
    EACH_ORDER(exchange, 1, 9, 9);
    EACH_ORDER(cas, 1, 9, 1, 9);
    EACH_ORDER(cas, 1, 1, 2, 9);
    EACH_ORDER(add, INTPTR_MAX, INTPTR_MIN, 1);
    EACH_ORDER(subtract, 1, -4, 5);
    EACH_ORDER(and, 12, 8, 10);
    EACH_ORDER(or, 12, 14, 10);
    EACH_ORDER(xor, 12, 6, 10);
    hsa_signal_store_relaxed(signal, 0);
    assert(hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_EQ, 1, 1000000,
                                   HSA_WAIT_STATE_ACTIVE) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, pulse, &signal);
    assert(hsa_signal_wait_acquire(signal, HSA_SIGNAL_CONDITION_GTE, 5, UINT64_MAX,
                                   HSA_WAIT_STATE_BLOCKED) == 7);
    pthread_join(thread, NULL);
    OK(hsa_signal_destroy(signal));
    IS(ERROR_INVALID_SIGNAL, hsa_signal_destroy(signal));
    IS(ERROR_INVALID_ARGUMENT, hsa_signal_create(0, 2, twice, &signal));
    IS(ERROR_INVALID_ARGUMENT, hsa_signal_create(0, 2, NULL, &signal));
}

static void submit(hsa_queue_t *queue, const void *packet)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    while (index >= hsa_queue_load_read_index_acquire(queue) + queue->size)
        ;
    char *slot = (char *)queue->base_address + index % queue->size * 64;
    memcpy(slot + 2, (const char *)packet + 2, 62);
    __atomic_store_n((uint16_t *)slot, *(const uint16_t *)packet, __ATOMIC_RELEASE);
    hsa_signal_store_release(queue->doorbell_signal, (hsa_signal_value_t)index);
}

static void await(hsa_signal_t signal, hsa_signal_value_t value)
{
    assert(hsa_signal_wait_acquire(signal, HSA_SIGNAL_CONDITION_EQ, value, UINT64_MAX,
                                   HSA_WAIT_STATE_BLOCKED) == value);
}

static void destroy_at_error(hsa_status_t status, hsa_queue_t *source, void *data)
{
    IS(ERROR_INVALID_PACKET_FORMAT, status);
    OK(hsa_queue_destroy(source));
    hsa_signal_store_release(*(hsa_signal_t *)data, 0);
}

static void use_queue(hsa_agent_t agent, uint32_t size)
{
    hsa_queue_t *queue;
    hsa_signal_t done, first, second;
    uint64_t sum = 0;
    OK(hsa_signal_create(9, 0, NULL, &done));
    OK(hsa_signal_create(1, 0, NULL, &first));
    OK(hsa_signal_create(1, 0, NULL, &second));
    IS(ERROR_INVALID_ARGUMENT,
       hsa_queue_create(agent, 3, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &queue));
    OK(hsa_queue_create(agent, size, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &queue));

    hsa_agent_dispatch_packet_t call = {.header = HSA_PACKET_TYPE_AGENT_DISPATCH, .type = 0x8000,
                                        .return_address = &sum, .arg = {40, 2},
                                        .completion_signal = done};
    for (int i = 0; i < 9; i++)
        submit(queue, &call);
    await(done, 0);
    assert(sum == 42);
    assert(hsa_queue_load_read_index_relaxed(queue) == 9);

    hsa_barrier_and_packet_t barrier = {.header = HSA_PACKET_TYPE_BARRIER_AND,
                                        .dep_signal = {first, second}, .completion_signal = done};
    hsa_signal_store_relaxed(done, 1);
    submit(queue, &barrier);
    hsa_signal_store_relaxed(first, 0);
    hsa_signal_store_relaxed(first, 1);
    usleep(1000);
    assert(hsa_signal_load_acquire(done) == 1);
    hsa_signal_store_relaxed(second, 0);
    hsa_signal_store_relaxed(first, 0);
    await(done, 0);

    hsa_signal_store_relaxed(done, 1);
    hsa_signal_store_relaxed(first, 1);
    barrier.header = HSA_PACKET_TYPE_BARRIER_OR;
    submit(queue, &barrier);
    await(done, 0);

    hsa_signal_store_relaxed(second, 1);
    submit(queue, &barrier);
    OK(hsa_queue_inactivate(queue));
    OK(hsa_queue_destroy(queue));
    IS(ERROR_INVALID_QUEUE, hsa_queue_destroy(queue));

    hsa_signal_store_relaxed(done, 1);
    OK(hsa_queue_create(agent, size, HSA_QUEUE_TYPE_SINGLE, destroy_at_error, &done, 0, 0, &queue));
    barrier.header = HSA_PACKET_TYPE_KERNEL_DISPATCH;
    submit(queue, &barrier);
    await(done, 0);
    OK(hsa_signal_destroy(done));
    OK(hsa_signal_destroy(first));
    OK(hsa_signal_destroy(second));
}

static void use_soft_queue(void)
{
    hsa_signal_t doorbell;
    hsa_queue_t *queue;
    OK(hsa_signal_create(0, 0, NULL, &doorbell));
    OK(hsa_soft_queue_create(regions[0], 8, HSA_QUEUE_TYPE_MULTI, 2, doorbell, &queue));
    assert(queue->doorbell_signal.handle == doorbell.handle && queue->size == 8);
    hsa_queue_store_write_index_relaxed(queue, 3);
    hsa_queue_store_write_index_release(queue, 4);
    assert(hsa_queue_cas_write_index_acq_rel(queue, 4, 5) == 4);
    assert(hsa_queue_cas_write_index_acquire(queue, 4, 6) == 5);
    assert(hsa_queue_cas_write_index_relaxed(queue, 5, 6) == 5);
    assert(hsa_queue_cas_write_index_release(queue, 6, 7) == 6);
    assert(hsa_queue_add_write_index_acq_rel(queue, 1) == 7);
    assert(hsa_queue_add_write_index_acquire(queue, 1) == 8);
    assert(hsa_queue_add_write_index_release(queue, 1) == 9);
    assert(hsa_queue_load_write_index_acquire(queue) == 10);
    assert(hsa_queue_load_write_index_relaxed(queue) == 10);
    hsa_queue_store_read_index_relaxed(queue, 2);
    hsa_queue_store_read_index_release(queue, 3);
    assert(hsa_queue_load_read_index_acquire(queue) == 3);
    OK(hsa_queue_destroy(queue));
    OK(hsa_signal_destroy(doorbell));
}

int main(void)
{
    IS(ERROR_NOT_INITIALIZED, hsa_shut_down());
    for (int i = 0; i < 3; i++) {
        agent_count = region_count = 0;
        OK(hsa_init());
        OK(hsa_init());
        OK(hsa_shut_down());
        look_around();
        use_memory();
        use_signals();
        use_queue(agents[0], 1);
        use_queue(agents[1], 16);
        use_soft_queue();
        hsa_queue_t *left;
        OK(hsa_queue_create(agents[0], 4, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &left));
        OK(hsa_shut_down());
        IS(ERROR_NOT_INITIALIZED, hsa_memory_free(NULL));
    }
    return 0;
}
