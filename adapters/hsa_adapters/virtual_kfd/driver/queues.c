/* User-mode queues: each has a thread that does with its packets what a device would. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver.h"

#define DOORBELL_BYTES 8192u
#define DOORBELL_SIZE 8u
#define IDLE_MIN_US 20u
#define IDLE_MAX_US 1000u
#define STACK (256u << 10)

/* Where user space left room for a report in front of the saved waves of a queue. */
#define SAVE_AREA_ERROR_ADDRESS 24
#define SAVE_AREA_ERROR_EVENT 32
/* Where a queue's own structure holds the signal for errors, seen from its write index. */
#define INACTIVE_SIGNAL (192 - 56)
#define SIGNAL_VALUE 8
#define SIGNAL_MAILBOX 16
#define SIGNAL_EVENT 24

static struct queue *queues;
static uint32_t last_id;

static struct doorbell_page {
    uint8_t *bytes;
    int memfd;
} pages[MAX_GPUS];

uint8_t *doorbells(uint32_t gpu_id, int *memfd)
{
    int gpu = gpu_by_id(gpu_id);
    struct doorbell_page *page = &pages[gpu];

    if (!page->bytes) {
        int made = memfd_create("virtual-kfd-doorbells", MFD_CLOEXEC);
        if (made < 0 || ftruncate(made, DOORBELL_BYTES))
            return NULL;
        page->memfd = hidden(made);
        void *mapped = kernel_mmap(NULL, DOORBELL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                                   page->memfd, 0);
        if (mapped == MAP_FAILED)
            return NULL;
        page->bytes = mapped;
    }
    if (memfd)
        *memfd = page->memfd;
    return page->bytes;
}

static bool transfer(int gpu, uint64_t address, void *bytes, uint64_t size, bool write)
{
    uint8_t *rest = bytes;

    while (size) {
        uint64_t left;
        lock();
        uint8_t *found = pages_find(gpu, address, write, &left);
        unlock();
        if (!found) {
            event_memory_fault(gpu, address, false);
            return false;
        }
        uint64_t part = size < left ? size : left;
        memcpy(write ? found : rest, write ? rest : found, part);
        rest += part;
        address += part;
        size -= part;
    }
    return true;
}

bool gpu_read(int gpu, uint64_t address, void *bytes, uint64_t size)
{
    return transfer(gpu, address, bytes, size, false);
}

bool gpu_write(int gpu, uint64_t address, const void *bytes, uint64_t size)
{
    return transfer(gpu, address, (void *)bytes, size, true);
}

/* The runtime is told through the head of the save area, or, before that was there, through the
 * queue's own signal, whose codes for errors of packets are the two that are given here. */
void queue_error(struct queue *queue, unsigned exception)
{
    const uint8_t *area = (const uint8_t *)queue->args.save_area;
    uint64_t address = 0, mask = 1ull << (exception - 1);
    uint32_t event = 0;

    queue->halted = true;
    if (area) {
        memcpy(&address, area + SAVE_AREA_ERROR_ADDRESS, sizeof address);
        memcpy(&event, area + SAVE_AREA_ERROR_EVENT, sizeof event);
    }
    if (address) {
        __atomic_or_fetch((uint64_t *)address, mask, __ATOMIC_SEQ_CST);
        event_signal(event);
        return;
    }
    uint8_t *signal = *(uint8_t **)(queue->args.write_pointer + INACTIVE_SIGNAL);
    if (queue->args.type != QUEUE_COMPUTE_AQL || !signal)
        return;
    int64_t code = exception == 4 ? 0x40000000 : 32;
    __atomic_store_n((int64_t *)(signal + SIGNAL_VALUE), code, __ATOMIC_SEQ_CST);
    uint64_t mailbox = *(uint64_t *)(signal + SIGNAL_MAILBOX);
    event = *(uint32_t *)(signal + SIGNAL_EVENT);
    if (mailbox) {
        __atomic_store_n((uint64_t *)mailbox, event, __ATOMIC_SEQ_CST);
        event_signal(event);
    }
}

static void *serve(void *argument)
{
    struct queue *queue = argument;
    unsigned idle = IDLE_MIN_US;

    while (!queue->stop) {
        bool worked = false;
        if (!queue->halted)
            worked = queue->args.type == QUEUE_COMPUTE_AQL ? aql_step(queue) : sdma_step(queue);
        if (worked) {
            idle = IDLE_MIN_US;
            if (machine()->slow_queue_us)
                usleep(machine()->slow_queue_us);
            continue;
        }
        usleep(idle);
        idle = idle * 2 < IDLE_MAX_US ? idle * 2 : IDLE_MAX_US;
    }
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

static uint32_t count_on(int gpu)
{
    uint32_t count = 0;

    for (const struct queue *queue = queues; queue; queue = queue->next)
        count += queue->gpu == gpu;
    return count;
}

static int create(void *arguments)
{
    struct create_queue_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id);
    bool power_of_two = args->ring_size && !(args->ring_size & (args->ring_size - 1));

    if (args->percentage > 100 || args->priority > 15 || args->type > QUEUE_SDMA_BY_ENGINE)
        return EINVAL;
    if (gpu == NO_GPU || (args->ring && !power_of_two))
        return EINVAL;
    if (!args->ring || !args->read_pointer || !args->write_pointer)
        return EFAULT;
    if (count_on(gpu) >= machine()->gpu[gpu].compute_queues)
        return ENOMEM;
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue || !doorbells(args->gpu_id, NULL)) {
        free(queue);
        return ENOMEM;
    }
    args->id = last_id++;
    args->doorbell_offset = MMAP_DOORBELL | MMAP_GPU(args->gpu_id) |
                            args->id * DOORBELL_SIZE % DOORBELL_BYTES;
    queue->gpu = gpu;
    queue->args = *args;
    if (start(queue)) {
        free(queue);
        return ENOMEM;
    }
    queue->next = queues;
    queues = queue;
    return 0;
}

static struct queue **link_of(uint32_t id)
{
    struct queue **link = &queues;

    while (*link && (*link)->args.id != id)
        link = &(*link)->next;
    return link;
}

static int destroy(void *arguments)
{
    struct queue **link = link_of(((struct destroy_queue_args *)arguments)->id), *queue = *link;

    if (!queue)
        return EINVAL;
    *link = queue->next;
    queue->stop = true;
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

    if (!queue || args->percentage > 100 || args->priority > 15)
        return queue ? EINVAL : EFAULT;
    /* No share of the device, or no ring, means that the queue rests. */
    queue->halted = !args->percentage || !args->ring;
    return 0;
}

static int cu_mask(void *arguments)
{
    const struct cu_mask_args *args = arguments;

    return !args->bits || args->bits % 32 || !*link_of(args->id) ? EINVAL : 0;
}

/* No waves run, so there is no state of any. */
static int wave_state(void *arguments)
{
    (void)arguments;
    return EINVAL;
}

static int no_gws(void *arguments)
{
    (void)arguments;
    return ENODEV;
}

static void forget(void)
{
    while (queues) {
        struct queue *queue = queues;
        queues = queue->next;
        free(queue);
    }
    for (int gpu = 0; gpu < MAX_GPUS; gpu++)
        if (pages[gpu].bytes) {
            munmap(pages[gpu].bytes, DOORBELL_BYTES);
            close(pages[gpu].memfd);
            pages[gpu].bytes = NULL;
        }
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}

const handler queue_ioctls[KFD_IOCTLS] = {
    [CREATE_QUEUE] = create,   [DESTROY_QUEUE] = destroy,          [UPDATE_QUEUE] = update,
    [SET_CU_MASK] = cu_mask,   [GET_QUEUE_WAVE_STATE] = wave_state, [ALLOC_QUEUE_GWS] = no_gws,
};
