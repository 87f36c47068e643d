/* Events as the kernel defines them: signalled or not, with an age, and threads that wait. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver.h"

#define EVENTS 4096
#define FOREVER 0xffffffffu
#define FIRST_ID 1

struct waiter {
    uint32_t id;
    bool activated, gone;
    struct waiter *next;
};

static struct event {
    bool used, auto_reset, signaled;
    uint32_t type;
    uint64_t age;
    struct memory_fault fault;
    struct waiter *waiters;
} events[EVENTS];

static pthread_cond_t changed;

__attribute__((constructor)) static void start(void)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static struct event *event_of(uint32_t id)
{
    return id >= FIRST_ID && id < EVENTS && events[id].used ? &events[id] : NULL;
}

static int create(void *arguments)
{
    struct create_event_args *args = arguments;

    /* A page that user space made for the slots is named by its handle, once. */
    if (args->page_offset && !object_by_handle(args->page_offset))
        return EINVAL;
    for (uint32_t id = FIRST_ID; id < EVENTS; id++) {
        if (events[id].used)
            continue;
        events[id] = (struct event){.used = true, .auto_reset = args->auto_reset,
                                    .type = args->type, .age = 1};
        args->id = id;
        args->slot = id;
        args->trigger_data = id;
        args->page_offset = MMAP_EVENTS | MMAP_GPU(0) | (args->page_offset & 0xffffffff);
        return 0;
    }
    return ENOSPC;
}

static int destroy(void *arguments)
{
    struct event *event = event_of(((struct event_args *)arguments)->id);

    if (!event)
        return EINVAL;
    for (struct waiter *waiter = event->waiters; waiter; waiter = waiter->next)
        waiter->gone = true;
    event->waiters = NULL;
    event->used = false;
    pthread_cond_broadcast(&changed);
    return 0;
}

static void set(struct event *event)
{
    event->signaled = !event->auto_reset || !event->waiters;
    event->age++;
    for (struct waiter *waiter = event->waiters; waiter; waiter = waiter->next)
        waiter->activated = true;
    pthread_cond_broadcast(&changed);
}

static int set_event(void *arguments)
{
    struct event *event = event_of(((struct event_args *)arguments)->id);

    if (!event || event->type != EVENT_SIGNAL)
        return EINVAL;
    set(event);
    return 0;
}

static int reset_event(void *arguments)
{
    struct event *event = event_of(((struct event_args *)arguments)->id);

    if (!event || event->type != EVENT_SIGNAL)
        return EINVAL;
    event->signaled = false;
    return 0;
}

void event_signal(uint32_t id)
{
    if (machine()->late_event_us)
        usleep(machine()->late_event_us);
    lock();
    struct event *event = event_of(id);
    if (event)
        set(event);
    unlock();
}

void event_memory_fault(int gpu, uint64_t address, bool read_only)
{
    lock();
    for (uint32_t id = FIRST_ID; id < EVENTS; id++) {
        struct event *event = &events[id];
        if (!event->used || event->type != EVENT_MEMORY)
            continue;
        event->fault = (struct memory_fault){.not_present = !read_only, .read_only = read_only,
                                             .address = address & ~(PAGE - 1),
                                             .gpu_id = machine()->gpu[gpu].id};
        set(event);
    }
    unlock();
}

static void join(struct waiter *waiter, const struct event_data *data)
{
    struct event *event = event_of(data->id);

    waiter->id = data->id;
    waiter->activated = event->signaled;
    event->signaled = event->signaled && !event->auto_reset;
    /* Whoever tells the age that they know is woken by any later one. */
    if (event->type == EVENT_SIGNAL && data->last_age && data->last_age != event->age)
        waiter->activated = true;
    waiter->next = event->waiters;
    event->waiters = waiter;
}

static void leave(struct waiter *waiter)
{
    struct event *event = waiter->gone ? NULL : event_of(waiter->id);

    if (!event)
        return;
    for (struct waiter **link = &event->waiters; *link; link = &(*link)->next)
        if (*link == waiter) {
            *link = waiter->next;
            return;
        }
}

static enum wait_result outcome(const struct waiter *waiters, uint32_t count, bool all)
{
    uint32_t activated = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (waiters[i].gone)
            return WAIT_FAIL;
        activated += waiters[i].activated;
    }
    return activated == count || (activated && !all) ? WAIT_COMPLETE : WAIT_TIMEOUT;
}

static void tell(const struct waiter *waiter, struct event_data *data)
{
    const struct event *event = event_of(waiter->id);

    if (!waiter->activated || !event)
        return;
    if (event->type == EVENT_MEMORY)
        data->fault = event->fault;
    else if (event->type == EVENT_SIGNAL && data->last_age)
        data->last_age = event->age;
}

static int wait(void *arguments)
{
    struct wait_args *args = arguments;
    struct event_data *data = (struct event_data *)args->events;
    struct timespec until;

    for (uint32_t i = 0; i < args->count; i++)
        if (!event_of(data[i].id))
            return EINVAL;
    struct waiter *waiters = calloc(args->count ? args->count : 1, sizeof *waiters);
    if (!waiters)
        return ENOMEM;
    for (uint32_t i = 0; i < args->count; i++)
        join(&waiters[i], &data[i]);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(args->timeout % 1000) * 1000000;
    until.tv_sec += args->timeout / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int late = args->timeout ? 0 : ETIMEDOUT;
    while ((args->result = outcome(waiters, args->count, args->all)) == WAIT_TIMEOUT && !late)
        late = args->timeout == FOREVER ? pthread_cond_wait(&changed, &state_lock)
                                        : pthread_cond_timedwait(&changed, &state_lock, &until);
    if (args->result == WAIT_COMPLETE)
        for (uint32_t i = 0; i < args->count; i++)
            tell(&waiters[i], &data[i]);
    for (uint32_t i = 0; i < args->count; i++)
        leave(&waiters[i]);
    free(waiters);
    return args->result == WAIT_FAIL ? EINVAL : 0;
}

static void forget(void)
{
    memset(events, 0, sizeof events);
    start();
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}

const handler event_ioctls[KFD_IOCTLS] = {
    [CREATE_EVENT] = create,   [DESTROY_EVENT] = destroy, [SET_EVENT] = set_event,
    [RESET_EVENT] = reset_event, [WAIT_EVENTS] = wait,
};
