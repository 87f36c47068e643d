/* Events as the kernel defines them: signalled or not, with an age, and threads that wait. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/kernel.h"
#include "base/kfd.h"
#include "base/machine.h"
#include "base/state.h"
#include "memory/objects.h"
#include "devices/events.h"

#define OTHER_EVENTS 256u
#define FOREVER 0xffffffffu
#define OLD_SLOTS 256u /* what user space has where it says nothing of a page */

struct waiter {
    uint32_t id;
    bool activated, gone, tells_age;
    struct waiter *next;
};

/* Those of signals have the numbers of their slots, of which there is no 0; others come behind. */
static struct event {
    bool used, auto_reset, signaled;
    uint32_t type;
    uint64_t age;
    struct memory_fault fault;
    struct hw_exception exception;
    struct waiter *waiters;
} events[SIGNAL_EVENTS + OTHER_EVENTS];

/* Counts what may end a wait. */
static uint32_t changes;

/* Where devices write before they interrupt: an object of the program, or else a file of ours. */
static struct page {
    uint64_t *slots;
    uint32_t count;
    int descriptor;
    struct object *object;
} page;

static void announce(void)
{
    changes++;
    syscall(SYS_futex, &changes, FUTEX_WAKE_PRIVATE, INT_MAX);
}

/* Sleep until something changes, or until a time, if there is one; return 0 or an errno.
 *
 * As in the kernel, a signal ends the sleep where its handler is one without SA_RESTART. A sleep with
 * an end goes on after any signal: which handler it has, only the kernel knows.
 */
static int sleep_until(const struct timespec *until)
{
    uint32_t seen = changes;
    int how = FUTEX_WAIT_BITSET_PRIVATE;

    pthread_mutex_unlock(&state_lock);
    long failed = syscall(SYS_futex, &changes, how, seen, until, NULL, FUTEX_BITSET_MATCH_ANY);
    int error = failed && errno != EAGAIN ? errno : 0;
    pthread_mutex_lock(&state_lock);
    return error == EINTR && until ? 0 : error;
}

static struct event *event_of(uint32_t id)
{
    uint32_t index = id < FIRST_OTHER_EVENT ? id : SIGNAL_EVENTS + id - FIRST_OTHER_EVENT;
    bool exists = id < SIGNAL_EVENTS || id >= FIRST_OTHER_EVENT;

    return exists && index < SIGNAL_EVENTS + OTHER_EVENTS && events[index].used ? &events[index]
                                                                                : NULL;
}

static bool has_slot(uint32_t type)
{
    return type == EVENT_SIGNAL || type == EVENT_DEBUG;
}

static int take_page(uint64_t handle)
{
    struct object *object = object_by_handle(handle);
    uint8_t *bytes = object && !page.slots ? object_bytes(object) : NULL;

    if (!bytes || object->flags & MEMORY_USERPTR)
        return EINVAL;
    uint64_t slots = object->size / sizeof *page.slots;
    page.slots = (uint64_t *)bytes;
    page.count = slots < SIGNAL_EVENTS ? (uint32_t)slots : SIGNAL_EVENTS;
    page.object = object;
    memset(bytes, 0xff, page.count * sizeof *page.slots);
    return 0;
}

static bool make_page(void)
{
    uint64_t size = SIGNAL_EVENTS * sizeof *page.slots;

    if (page.slots)
        return true;
    page.slots = (uint64_t *)memory_file("virtual-kfd-events", size, &page.descriptor);
    if (!page.slots)
        return false;
    memset(page.slots, 0xff, size);
    page.count = OLD_SLOTS;
    return true;
}

bool event_page_is(const struct object *object)
{
    return page.object == object;
}

int event_page_file(uint64_t size)
{
    if (!page.slots || page.object || size > SIGNAL_EVENTS * sizeof *page.slots)
        return -1;
    page.count = (uint32_t)(size / sizeof *page.slots);
    return page.descriptor;
}

/* The first free number, or the last one where the machine does otherwise; `to`: there is none. */
static uint32_t vacant(uint32_t from, uint32_t to)
{
    uint32_t found = to;

    for (uint32_t i = from; i < to && (found == to || machine()->otherwise); i++)
        if (!events[i].used)
            found = i;
    return found;
}

static int create(void *arguments)
{
    struct create_event_args *args = arguments;

    if (args->page_offset) {
        int error = take_page(args->page_offset);
        if (error)
            return error;
    }
    bool slot = has_slot(args->type);
    if (slot && !make_page())
        return ENOMEM;
    uint32_t end = slot ? page.count : SIGNAL_EVENTS + OTHER_EVENTS;
    uint32_t index = vacant(slot ? 1 : SIGNAL_EVENTS, end);
    if (index == end)
        return ENOSPC;
    events[index] = (struct event){
        .used = true, .auto_reset = args->auto_reset, .type = args->type, .age = 1};
    args->id = slot ? index : FIRST_OTHER_EVENT + index - SIGNAL_EVENTS;
    args->trigger_data = args->id;
    args->page_offset = 0;
    if (slot) {
        page.slots[index] = UNSIGNALED_SLOT;
        args->slot = index;
        args->page_offset = MMAP_EVENTS;
    }
    return 0;
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
    announce();
    return 0;
}

static void set(struct event *event)
{
    bool awaited = false;

    /* Who has been woken already does not take this one, too. */
    for (struct waiter *waiter = event->waiters; waiter; waiter = waiter->next) {
        awaited |= !waiter->activated;
        waiter->activated = true;
    }
    event->signaled = !event->auto_reset || !awaited;
    event->age++;
    announce();
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

static void be_late(void)
{
    if (machine()->late_event_us)
        usleep(machine()->late_event_us);
}

void event_set(uint32_t id)
{
    struct event_args args = {.id = id};

    be_late();
    lock();
    set_event(&args);
    unlock();
}

static bool was_written(uint32_t slot)
{
    return __atomic_load_n(&page.slots[slot], __ATOMIC_ACQUIRE) != UNSIGNALED_SLOT;
}

static void take_slot(uint32_t slot)
{
    if (!was_written(slot) || !events[slot].used)
        return;
    page.slots[slot] = UNSIGNALED_SLOT;
    set(&events[slot]);
}

/* As the kernel, which trusts the slots more than the number that came with the interrupt. */
void event_interrupt(uint32_t id)
{
    be_late();
    lock();
    if (id < page.count && was_written(id))
        take_slot(id);
    else
        for (uint32_t slot = 1; slot < page.count; slot++)
            take_slot(slot);
    unlock();
}

void event_memory_fault(int gpu, uint64_t address, bool read_only)
{
    const struct memory_fault fault = {
        .not_present = !read_only,
        .read_only = read_only,
        .address = address & ~(PAGE - 1),
        .gpu_id = machine()->gpu[gpu].id,
    };

    lock();
    for (struct event *event = events; event < events + SIGNAL_EVENTS + OTHER_EVENTS; event++)
        if (event->used && event->type == EVENT_MEMORY) {
            event->fault = fault;
            set(event);
        }
    unlock();
}

void event_hang(int gpu)
{
    lock();
    for (struct event *event = events; event < events + SIGNAL_EVENTS + OTHER_EVENTS; event++)
        if (event->used && event->type == EVENT_HW_EXCEPTION) {
            event->exception = (struct hw_exception){.gpu_id = machine()->gpu[gpu].id};
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
    waiter->tells_age = event->type == EVENT_SIGNAL && data->last_age;
    if (waiter->tells_age && data->last_age != event->age)
        waiter->activated = true;
    waiter->next = event->waiters;
    event->waiters = waiter;
}

static void leave(const struct waiter *waiter)
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

/* An interrupted wait is made again: what has come by then is still to come for that one, as in the
 * kernel (free_waiters with undo_auto_reset, drivers/gpu/drm/amd/amdkfd/kfd_events.c).
 */
static void undo(const struct waiter *waiter)
{
    struct event *event = waiter->gone ? NULL : event_of(waiter->id);

    if (event && event->auto_reset && waiter->activated)
        set(event);
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

    if (!waiter->activated)
        return;
    if (event->type == EVENT_MEMORY)
        data->fault = event->fault;
    else if (event->type == EVENT_HW_EXCEPTION)
        data->exception = event->exception;
    else if (waiter->tells_age)
        data->last_age = event->age;
}

static struct timespec after(uint32_t milliseconds)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return until;
}

static int wait(void *arguments)
{
    struct wait_args *args = arguments;
    struct event_data *data = (struct event_data *)args->events;
    const struct timespec until = after(args->timeout);
    int late = args->timeout ? 0 : ETIMEDOUT;

    args->result = WAIT_FAIL;
    for (uint32_t i = 0; i < args->count; i++)
        if (!event_of(data[i].id))
            return EINVAL;
    struct waiter *waiters = calloc(args->count ? args->count : 1, sizeof *waiters);
    if (!waiters)
        return ENOMEM;
    for (uint32_t i = 0; i < args->count; i++)
        join(&waiters[i], &data[i]);
    while ((args->result = outcome(waiters, args->count, args->all)) == WAIT_TIMEOUT && !late)
        late = sleep_until(args->timeout == FOREVER ? NULL : &until);
    if (args->result == WAIT_COMPLETE)
        for (uint32_t i = 0; i < args->count; i++)
            tell(&waiters[i], &data[i]);
    const bool interrupted = args->result == WAIT_TIMEOUT && late == EINTR;
    for (uint32_t i = 0; i < args->count; i++) {
        leave(&waiters[i]);
        if (interrupted)
            undo(&waiters[i]);
    }
    free(waiters);
    if (interrupted)
        return EINTR;
    return args->result == WAIT_FAIL ? EIO : 0;
}

size_t events_count(void)
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        count += events[i].used;
    return count;
}

static void forget(void)
{
    if (page.slots && !page.object)
        kernel_close(page.descriptor);
    page = (struct page){0};
    memset(events, 0, sizeof events);
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}

const handler event_ioctls[KFD_IOCTLS] = {
    [CREATE_EVENT] = create,     [DESTROY_EVENT] = destroy, [SET_EVENT] = set_event,
    [RESET_EVENT] = reset_event, [WAIT_EVENTS] = wait,
};
