/* User-mode queues: each has a thread that does with its packets what a device would. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "base/kernel.h"
#include "base/kfd.h"
#include "base/machine.h"
#include "base/process.h"
#include "base/state.h"
#include "base/unseen.h"
#include "memory/doorbells.h"
#include "memory/pages.h"
#include "devices/access.h"
#include "devices/aql.h"
#include "devices/kernels.h"
#include "devices/queue.h"
#include "devices/queues.h"
#include "devices/scratch.h"
#include "devices/sdma.h"

#define DOORBELL_SIZE 8u
#define QUEUES_OF_PROCESS (DOORBELL_BYTES / DOORBELL_SIZE)
#define MIN_RING 1024u
#define ENOTSUPP 524 /* the kernel's own, which it lets out */
#define IDLE_MIN_US 20u
#define IDLE_MAX_US 1000u
#define STACK (256u << 10)

static struct queue *queues;
static uint32_t count;

static bool is_active(const struct create_queue_args *args)
{
    return args->ring && args->ring_size && QUEUE_PERCENTAGE(args->percentage);
}

static bool step(struct queue *queue)
{
    lock();
    queue->now = queue->args;
    unlock();
    if (!is_active(&queue->now) || queue->broken)
        return false;
    return queue->now.type == QUEUE_COMPUTE_AQL ? aql_step(queue) : sdma_step(queue);
}

static void *serve(void *argument)
{
    struct queue *queue = argument;
    unsigned idle = IDLE_MIN_US;

    unseen_begin();
    while (!__atomic_load_n(&queue->stop, __ATOMIC_ACQUIRE)) {
        if (step(queue)) {
            idle = IDLE_MIN_US;
            if (machine()->slow_queue_us)
                usleep(machine()->slow_queue_us);
            continue;
        }
        usleep(idle);
        /* Many queues must not keep the CPUs busy with looking at nothing. */
        unsigned limit = IDLE_MAX_US * (1 + __atomic_load_n(&count, __ATOMIC_RELAXED) / 8);
        idle = idle * 2 < limit ? idle * 2 : limit;
    }
    kernels_end(queue);
    unseen_end();
    return NULL;
}

static int start(struct queue *queue)
{
    pthread_attr_t attributes;
    sigset_t all, before;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    sigfillset(&all);
    /* Signals are for the program's own threads. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&queue->thread, &attributes, serve, queue);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

bool queues_exist(void)
{
    return queues;
}

static uint32_t count_on(int gpu)
{
    uint32_t found = 0;

    for (const struct queue *queue = queues; queue; queue = queue->next)
        found += queue->gpu == gpu;
    return found;
}

static struct queue **link_of(uint32_t id)
{
    struct queue **link = &queues;

    while (*link && (*link)->args.id != id)
        link = &(*link)->next;
    return link;
}

static bool is_power_of_two(uint32_t size)
{
    return !(size & (size - 1));
}

static int check_share(uint32_t percentage, uint32_t priority, uint32_t ring_size)
{
    if (QUEUE_PERCENTAGE(percentage) > 100 || priority > 15 || !is_power_of_two(ring_size))
        return EINVAL;
    return 0;
}

/* The device has to reach its ring and both indices, as the kernel makes sure. */
static bool reaches_all(int gpu, const struct create_queue_args *args)
{
    const struct {
        uint64_t address, size;
    } parts[] = {{args->ring, args->ring_size}, {args->write_pointer, 8}, {args->read_pointer, 8}};

    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint64_t end = parts[i].address + parts[i].size;
        for (uint64_t at = parts[i].address; at < end;) {
            struct view view = gpu_view(gpu, at, true);
            if (!view.bytes)
                return false;
            at += view.left;
        }
    }
    return true;
}

static int check(const struct create_queue_args *args)
{
    int gpu = gpu_by_id(args->gpu_id);

    int error = check_share(args->percentage, args->priority, args->ring_size);
    if (error)
        return error;
    if (args->type > QUEUE_SDMA_BY_ENGINE)
        return ENOTSUPP;
    if (gpu == NO_GPU)
        return EINVAL;
    if (!is_acquired(gpu))
        return ESRCH;
    if (!args->write_pointer || !args->read_pointer || !reaches_all(gpu, args))
        return EINVAL;
    if (count_on(gpu) >= machine()->gpu[gpu].queues)
        return ENOSPC;
    return count < QUEUES_OF_PROCESS ? 0 : ENOMEM;
}

static int create(void *arguments)
{
    struct create_queue_args *args = arguments;
    uint32_t id = (uint32_t)either(0, 300);

    if (args->ring_size && args->ring_size < MIN_RING && is_power_of_two(args->ring_size))
        args->ring_size = MIN_RING;
    int error = check(args);
    if (error)
        return error;
    int gpu = gpu_by_id(args->gpu_id);
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue || !doorbells(gpu, NULL)) {
        free(queue);
        return ENOMEM;
    }
    while (*link_of(id))
        id++;
    args->id = id;
    args->doorbell_offset = MMAP_DOORBELL | MMAP_GPU(args->gpu_id) | id * DOORBELL_SIZE;
    queue->gpu = gpu;
    queue->device = -1;
    queue->args = *args;
    if (args->type == QUEUE_COMPUTE_AQL)
        scratch_connect(queue);
    if (start(queue)) {
        free(queue);
        return ENOMEM;
    }
    queue->next = queues;
    queues = queue;
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    return 0;
}

static int destroy(void *arguments)
{
    struct queue **link = link_of(((struct destroy_queue_args *)arguments)->id), *queue = *link;

    if (!queue)
        return EINVAL;
    *link = queue->next;
    __atomic_sub_fetch(&count, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->stop, true, __ATOMIC_RELEASE);
    /* Its thread may be waiting for the lock. */
    unlock();
    pthread_join(queue->thread, NULL);
    lock();
    free(queue);
    return 0;
}

static int update(void *arguments)
{
    const struct update_queue_args *args = arguments;
    struct queue *queue = *link_of(args->id);

    int error = check_share(args->percentage, args->priority, args->ring_size);
    if (error || !queue)
        return error ? error : EFAULT;
    queue->args.ring = args->ring;
    queue->args.ring_size = args->ring_size;
    queue->args.percentage = args->percentage;
    queue->args.priority = args->priority;
    return 0;
}

static int cu_mask(void *arguments)
{
    const struct cu_mask_args *args = arguments;

    if (!args->bits || args->bits % 32)
        return EINVAL;
    return *link_of(args->id) ? 0 : EFAULT;
}

/* No waves run, so there is no state of any. */
static int wave_state(void *arguments)
{
    (void)arguments;
    return EINVAL;
}

static bool has_gws(int gpu)
{
    for (const struct queue *queue = queues; queue; queue = queue->next)
        if (queue->gpu == gpu && queue->gws)
            return true;
    return false;
}

/* Of a process's queues on a device one may have what waves of all its units meet at. */
static int alloc_gws(void *arguments)
{
    struct gws_args *args = arguments;
    struct queue *queue = *link_of(args->queue);

    if (!queue)
        return EINVAL;
    if (args->count && has_gws(queue->gpu))
        return EBUSY;
    if (!args->count && !has_gws(queue->gpu))
        return EINVAL;
    queue->gws = args->count;
    args->first = 0;
    return 0;
}

size_t queues_count(void)
{
    return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

static void forget(void)
{
    while (queues) {
        struct queue *queue = queues;
        queues = queue->next;
        if (queue->device >= 0)
            kernel_close(queue->device);
        free(queue);
    }
    count = 0;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}

const handler queue_ioctls[KFD_IOCTLS] = {
    [CREATE_QUEUE] = create, [DESTROY_QUEUE] = destroy,           [UPDATE_QUEUE] = update,
    [SET_CU_MASK] = cu_mask, [GET_QUEUE_WAVE_STATE] = wave_state, [ALLOC_QUEUE_GWS] = alloc_gws,
};
