/* A dispatch is executed by the machine's device, a process of its own for each queue.
 *
 * Meanwhile the queue's thread answers what the device asks: where memory lies, and what is in the
 * program's own memory, where the system does not let the device look for itself. Atomic operations
 * there are always this thread's.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/faults.h"
#include "base/kernel.h"
#include "base/machine.h"
#include "base/state.h"
#include "memory/pages.h"
#include "memory/svm.h"
#include "devices/access.h"
#include "devices/events.h"
#include "devices/kernels.h"
#include "devices/link.h"

#define QUEUE_STRUCTURE 56 /* how far before its write index a queue's structure begins */
#define LDS (64u << 10)
#define PATIENCE_S 60
#define LET_GO_US 100u

/* A dispatch under way. What page tables have lost, it was told of (`sent`, when), and let go of
 * (`settled`). */
static struct attendance {
    struct queue *queue;
    uint8_t *asked, *answer;
    uint64_t sent, settled;
    time_t when;
    bool told; /* of a memory fault */
    struct attendance *next;
} *running;

static time_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static bool reply(const struct attendance *at, uint32_t kind, bool done, uint64_t fault,
                  uint64_t size)
{
    const struct head head = {.kind = kind, .count = done, .first = fault, .size = done ? size : 0};

    return link_send(at->queue->device, &head, at->answer, -1);
}

/* Tell where an address lies. The lock is held until that is sent, so the file is still there. */
static bool find(const struct attendance *at, uint64_t address)
{
    struct head head = {.kind = MESSAGE_FOUND};
    struct range range;
    uint64_t place = 0;
    int descriptor = -1;

    lock();
    if (pages_range(at->queue->gpu, address, &range)) {
        descriptor = range.object->memfd;
        place = descriptor >= 0 ? range.offset
                                : (uint64_t)object_bytes(range.object) + range.offset;
        head.count = (descriptor >= 0 ? WHERE_FILE : WHERE_CLIENT) |
                     (range.writable ? WHERE_WRITABLE : 0);
        head.first = range.address;
        head.second = range.size;
    } else if (svm_reaches(at->queue->gpu, address)) {
        place = head.first = address & ~(PAGE - 1);
        head.count = WHERE_CLIENT | WHERE_WRITABLE;
        head.second = PAGE;
    }
    head.size = head.count ? sizeof place : 0;
    bool sent = link_send(at->queue->device, &head, &place, descriptor);
    unlock();
    return sent;
}

static bool move(struct attendance *at, const struct head *head)
{
    const struct span *spans = (const void *)at->asked;
    bool write = head->kind == MESSAGE_WRITE;
    uint64_t listed = head->count * sizeof *spans, done = 0;

    if (listed + (write ? head->first : 0) != head->size || head->first > MOST_BYTES)
        return false;
    for (uint32_t i = 0; i < head->count; done += spans[i++].size) {
        struct span span = spans[i];
        if (span.size > head->first - done)
            return false;
        at->told = write ? !gpu_write(at->queue->gpu, span.address, at->asked + listed + done,
                                      span.size)
                         : !gpu_read(at->queue->gpu, span.address, at->answer + done, span.size);
        if (at->told)
            return reply(at, MESSAGE_DONE, false, span.address, 0);
    }
    return reply(at, MESSAGE_DONE, true, 0, write ? 0 : done);
}

static bool change(struct attendance *at, const struct head *head)
{
    const struct change *changes = (const void *)at->asked;
    uint64_t *old = (void *)at->answer;

    if (head->count * sizeof *changes != head->size)
        return false;
    for (uint32_t i = 0; i < head->count; i++) {
        at->told = !gpu_change(at->queue->gpu, (int)head->first, (int)head->second, &changes[i],
                               &old[i]);
        if (at->told)
            return reply(at, MESSAGE_DONE, false, changes[i].address, 0);
    }
    return reply(at, MESSAGE_DONE, true, 0, head->count * sizeof *old);
}

static void fault(const struct attendance *at, uint64_t address)
{
    lock();
    struct view view = gpu_view(at->queue->gpu, address, true);
    unlock();
    if (!at->told)
        event_memory_fault(at->queue->gpu, address, view.read_only);
}

static enum exception exception_of(uint32_t outcome, uint32_t group_size)
{
    switch (outcome) {
    case OUTCOME_ILLEGAL_INSTRUCTION:
        return ILLEGAL_INSTRUCTION;
    case OUTCOME_TRAP:
        return WAVE_TRAP;
    case OUTCOME_RESOURCES:
        return group_size > LDS ? DISPATCH_GROUP_SEGMENT : DISPATCH_REGISTERS;
    case OUTCOME_BAD_KERNEL:
        return DISPATCH_CODE;
    default:
        return WAVE_ABORT;
    }
}

/* Let the device forget where memory lies as soon as page tables have lost something. */
static bool keep_current(struct attendance *at)
{
    uint64_t losses = pages_losses();

    if (at->sent != at->settled)
        return now() - at->when < PATIENCE_S;
    if (at->sent == losses)
        return true;
    const struct head head = {.kind = MESSAGE_FORGET, .first = losses};
    at->sent = losses;
    at->when = now();
    return link_send(at->queue->device, &head, NULL, -1);
}

/* Answer one message; false where the device is gone, or says what it cannot say. */
static bool attend(struct attendance *at, struct head *head)
{
    if (!link_receive(at->queue->device, head, at->asked))
        return false;
    switch (head->kind) {
    case MESSAGE_FORGOTTEN:
        /* An answer to what was sent during the dispatch before may come now. */
        if (head->first == at->sent)
            __atomic_store_n(&at->settled, at->sent, __ATOMIC_RELEASE);
        return true;
    case MESSAGE_FIND:
        return find(at, head->first);
    case MESSAGE_READ:
    case MESSAGE_WRITE:
        return move(at, head);
    case MESSAGE_CHANGE:
        return change(at, head);
    case MESSAGE_INTERRUPT:
        event_interrupt((uint32_t)head->first);
        return true;
    default:
        return head->kind == MESSAGE_ENDED;
    }
}

/* Attend to the device until the dispatch ends; false where the device does before. */
static bool attend_all(struct attendance *at, struct head *head)
{
    while (!__atomic_load_n(&at->queue->stop, __ATOMIC_ACQUIRE)) {
        if (!keep_current(at))
            return false;
        if (!link_has(at->queue->device))
            continue;
        if (!attend(at, head))
            return false;
        if (head->kind == MESSAGE_ENDED)
            return true;
    }
    return true;
}

static bool begin(const struct attendance *at, const void *packet, uint64_t address)
{
    const struct queue *queue = at->queue;
    struct wire_dispatch dispatch = {.number = queue->position};
    const struct head head = {
        .kind = MESSAGE_DISPATCH,
        .count = (uint32_t)queue->gpu,
        .first = address,
        .second = queue->now.write_pointer - QUEUE_STRUCTURE,
        .size = sizeof dispatch,
    };

    memcpy(dispatch.packet, packet, sizeof dispatch.packet);
    return link_send(queue->device, &head, &dispatch, -1);
}

static enum execution ended(const struct attendance *at, const struct head *head,
                            uint32_t group_size, enum exception *error)
{
    *error = 0;
    if (head->count == OUTCOME_COMPLETE)
        return EXECUTION_DONE;
    if (head->count == OUTCOME_MEMORY_FAULT) {
        fault(at, head->first);
        return EXECUTION_FAULT;
    }
    if (head->count == OUTCOME_LACKING) {
        note_kernel();
        tell_lacking((const char *)at->asked, head->size);
    }
    *error = exception_of(head->count, group_size);
    return EXECUTION_ERROR;
}

static enum execution execute(struct attendance *at, const void *packet, uint64_t address,
                              enum exception *error)
{
    struct head head = {0};
    uint32_t group_size;

    memcpy(&group_size, (const uint8_t *)packet + 28, sizeof group_size);
    if (begin(at, packet, address) && attend_all(at, &head))
        return head.kind == MESSAGE_ENDED ? ended(at, &head, group_size, error)
                                          : EXECUTION_STOPPED;
    static const char gone[] = "the device that executes kernels is gone";
    note_kernel();
    tell_lacking(gone, sizeof gone - 1);
    return EXECUTION_ERROR;
}

static void leave(const struct attendance *at)
{
    struct attendance **link = &running;

    lock();
    while (*link != at)
        link = &(*link)->next;
    *link = at->next;
    unlock();
}

enum execution kernels_run(struct queue *queue, const void *packet, uint64_t address,
                           enum exception *error)
{
    uint8_t *room = private_memory(2ull * MOST_BYTES);
    struct attendance at = {.queue = queue, .asked = room, .answer = room + MOST_BYTES};

    *error = WAVE_ABORT;
    if (!room)
        return EXECUTION_ERROR;
    lock();
    if (queue->device < 0)
        queue->device = link_open();
    at.settled = at.sent = pages_losses();
    at.next = running;
    running = &at;
    unlock();
    enum execution done = execute(&at, packet, address, error);
    leave(&at);
    kernel_munmap(room, 2ull * MOST_BYTES);
    return done;
}

static bool must_let_go(void)
{
    bool found = false;

    lock();
    for (const struct attendance *at = running; at && !found; at = at->next)
        found = __atomic_load_n(&at->settled, __ATOMIC_ACQUIRE) != pages_losses();
    unlock();
    return found;
}

void kernels_let_go(void)
{
    while (must_let_go())
        usleep(LET_GO_US);
}

void kernels_end(struct queue *queue)
{
    if (queue->device >= 0)
        link_close(queue->device);
    queue->device = -1;
}

static void forget(void)
{
    running = NULL;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}
