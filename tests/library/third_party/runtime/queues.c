/* Queues of agents, each with a thread as its packet processor, and soft queues with none. */
#include <stdlib.h>

#include "internal.h"

static uint64_t next_id = 1; /* goes on over hsa_shut_down: an id is never given twice */

static struct queue *queue_of(const hsa_queue_t *queue)
{
    return (struct queue *)queue;
}

static bool power_of_two(uint32_t size)
{
    return size != 0 && (size & (size - 1)) == 0;
}

static bool valid_type(hsa_queue_type_t type)
{
    return type == HSA_QUEUE_TYPE_MULTI || type == HSA_QUEUE_TYPE_SINGLE;
}

/* Make a queue around a buffer, with packets that are all invalid. The lock is held. */
static struct queue *new_queue(hsa_queue_t visible)
{
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return NULL;
    for (uint32_t i = 0; i < visible.size; i++)
        *(uint16_t *)((char *)visible.base_address + (size_t)i * PACKET_SIZE) =
            HSA_PACKET_TYPE_INVALID;
    queue->visible = visible;
    queue->visible.id = next_id++;
    add_object(&queue->object, QUEUE, (uintptr_t)queue);
    return queue;
}

static struct queue *new_agent_queue(struct agent *agent, uint32_t size, hsa_queue_type_t type)
{
    void *packets;
    if (posix_memalign(&packets, PACKET_SIZE, (size_t)size * PACKET_SIZE) != 0)
        return NULL;
    struct signal *doorbell = new_signal(-1, true);
    struct queue *queue = NULL;
    if (doorbell)
        queue = new_queue((hsa_queue_t){.type = type,
                                        .features = HSA_QUEUE_FEATURE_AGENT_DISPATCH,
                                        .base_address = packets,
                                        .doorbell_signal = signal_handle(doorbell),
                                        .size = size});
    if (!queue) {
        if (doorbell)
            free_signal(doorbell);
        free(packets);
        return NULL;
    }
    queue->agent = agent;
    agent->queues++;
    new_condition(&queue->wake);
    return queue;
}

/* Give back what a queue holds, once nothing processes its packets. The lock is held. */
static void retire(struct queue *queue)
{
    if (queue->agent) {
        queue->agent->queues--;
        free_signal(find_signal(queue->visible.doorbell_signal));
        free(queue->visible.base_address);
    } else {
        release(queue->visible.base_address);
    }
}

void free_queue(struct queue *queue)
{
    if (queue->agent)
        pthread_cond_destroy(&queue->wake);
    free(queue);
}

/* Stop the packet processor. The lock is held. */
static void stop(struct queue *queue)
{
    queue->stopped = true;
    if (queue->agent)
        pthread_cond_signal(&queue->wake);
}

/* End a queue; its own callback may do so as well. The lock is held, and let go for a while. */
static void end_queue(struct queue *queue)
{
    remove_object(&queue->object);
    stop(queue);
    queue->abandoned = queue->agent && pthread_equal(queue->processor, pthread_self());
    if (queue->abandoned) {
        pthread_detach(queue->processor);
        retire(queue);
        return;
    }
    if (queue->agent) {
        pthread_mutex_unlock(&runtime_lock);
        pthread_join(queue->processor, NULL);
        pthread_mutex_lock(&runtime_lock);
    }
    retire(queue);
    free_queue(queue);
}

void reset_queues(void)
{
    struct object *object;
    pthread_mutex_lock(&runtime_lock);
    while ((object = any_object(QUEUE)))
        end_queue((struct queue *)object->address);
    pthread_mutex_unlock(&runtime_lock);
}

hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type_t type,
                              void (*callback)(hsa_status_t status, hsa_queue_t *source,
                                               void *data),
                              void *data, uint32_t private_segment_size,
                              uint32_t group_segment_size, hsa_queue_t **queue)
{
    (void)private_segment_size;
    (void)group_segment_size;
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    struct agent *found = find_agent(agent);
    if (!found)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!queue || !valid_type(type) || !power_of_two(size) || size > found->queue_max_size)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (found->queue_type == HSA_QUEUE_TYPE_SINGLE && type != HSA_QUEUE_TYPE_SINGLE)
        return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
    if (size < found->queue_min_size)
        size = found->queue_min_size;

    hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    pthread_mutex_lock(&runtime_lock);
    struct queue *created =
        found->queues < found->queues_max ? new_agent_queue(found, size, type) : NULL;
    if (created) {
        created->callback = callback;
        created->data = data;
        if (pthread_create(&created->processor, NULL, process_packets, created) == 0) {
            *queue = &created->visible;
            status = HSA_STATUS_SUCCESS;
        } else {
            remove_object(&created->object);
            retire(created);
            free_queue(created);
        }
    }
    pthread_mutex_unlock(&runtime_lock);
    return status;
}

hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t size, hsa_queue_type_t type,
                                   uint32_t features, hsa_signal_t doorbell_signal,
                                   hsa_queue_t **queue)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    struct region *found = find_region(region);
    if (!found)
        return HSA_STATUS_ERROR_INVALID_REGION;
    if (!queue || !valid_type(type) || !power_of_two(size) || doorbell_signal.handle == 0 ||
        found->granule == 0)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (size > found->alloc_max / PACKET_SIZE)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;

    hsa_queue_t visible = {
        .type = type, .features = features, .doorbell_signal = doorbell_signal, .size = size};
    struct queue *created = NULL;
    pthread_mutex_lock(&runtime_lock);
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (find_signal(doorbell_signal))
        status = allocate(found, (size_t)size * PACKET_SIZE, &visible.base_address);
    if (status == HSA_STATUS_SUCCESS) {
        created = new_queue(visible);
        if (!created) {
            release(visible.base_address);
            status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        }
    }
    pthread_mutex_unlock(&runtime_lock);
    if (created)
        *queue = &created->visible;
    return status;
}

static hsa_status_t with_queue(hsa_queue_t *queue, void (*action)(struct queue *queue))
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!queue)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&runtime_lock);
    bool valid = find_object(QUEUE, (uintptr_t)queue) != NULL;
    if (valid)
        action(queue_of(queue));
    pthread_mutex_unlock(&runtime_lock);
    return valid ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_QUEUE;
}

hsa_status_t hsa_queue_destroy(hsa_queue_t *queue)
{
    return with_queue(queue, end_queue);
}

hsa_status_t hsa_queue_inactivate(hsa_queue_t *queue)
{
    return with_queue(queue, stop);
}

#define DEFINE_LOAD(index, order, memory_order) \
    HSA_QUEUE_LOAD(index, order) \
    { \
        return atomic_load_explicit(&queue_of(queue)->index##_index, memory_order); \
    }
#define DEFINE_STORE(index, order, memory_order) \
    HSA_QUEUE_STORE(index, order) \
    { \
        atomic_store_explicit(&queue_of(queue)->index##_index, value, memory_order); \
    }
#define DEFINE_CAS(order, memory_order, failure_order) \
    HSA_QUEUE_CAS(order) \
    { \
        atomic_compare_exchange_strong_explicit(&queue_of(queue)->write_index, &expected, value, \
                                                memory_order, failure_order); \
        return expected; \
    }
#define DEFINE_ADD(order, memory_order) \
    HSA_QUEUE_ADD(order) \
    { \
        return atomic_fetch_add_explicit(&queue_of(queue)->write_index, value, memory_order); \
    }

DEFINE_LOAD(read, acquire, memory_order_acquire)
DEFINE_LOAD(read, relaxed, memory_order_relaxed)
DEFINE_LOAD(write, acquire, memory_order_acquire)
DEFINE_LOAD(write, relaxed, memory_order_relaxed)
DEFINE_STORE(read, relaxed, memory_order_relaxed)
DEFINE_STORE(read, release, memory_order_release)
DEFINE_STORE(write, relaxed, memory_order_relaxed)
DEFINE_STORE(write, release, memory_order_release)
DEFINE_CAS(acq_rel, memory_order_acq_rel, memory_order_acquire)
DEFINE_CAS(acquire, memory_order_acquire, memory_order_acquire)
DEFINE_CAS(relaxed, memory_order_relaxed, memory_order_relaxed)
DEFINE_CAS(release, memory_order_release, memory_order_relaxed)
DEFINE_ADD(acq_rel, memory_order_acq_rel)
DEFINE_ADD(acquire, memory_order_acquire)
DEFINE_ADD(relaxed, memory_order_relaxed)
DEFINE_ADD(release, memory_order_release)
