/* Scratch of a queue: what its own structure says of it, and what the runtime is asked for.
 *
 * A packet processor that needs more, or has used what is for one dispatch, says so through the
 * queue's inactive signal, and goes on when the runtime has set that to 0 again.
 */
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "devices/access.h"
#include "devices/scratch.h"
#include "devices/signals.h"

/* In a queue's structure, seen from its write index. */
#define RING_SIZE (140 - 56)
#define PROPERTIES (180 - 56)
/* The size of the ring: how many waves have room, and how much each has, in units. */
#define WAVES(size) ((size) & 0xfff)
#define UNITS(size) ((size) >> 12 & 0x7fff)
#define USE_ONCE (1u << 4)
/* In the descriptor of a kernel. */
#define KERNEL_PROPERTIES 56
#define WAVE_OF_32 (1u << 10)

/* Not enough, for waves of 64 and of 32 work-items. */
#define INSUFFICIENT 1
#define INSUFFICIENT_NARROW 0x400
#define USED_ONCE 512
#define ENDED UINT64_MAX
#define PAUSE_US 50

static bool word_at(const struct queue *queue, uint64_t place, uint32_t *word)
{
    return gpu_read(queue->gpu, queue->now.write_pointer + place, word, sizeof *word);
}

static enum scratch ask(struct queue *queue, uint64_t value)
{
    uint64_t signal = queue_tell(queue, value);

    if (!signal)
        return SCRATCH_FAULT;
    while (value) {
        usleep(PAUSE_US);
        if (__atomic_load_n(&queue->stop, __ATOMIC_ACQUIRE) || value == ENDED)
            return SCRATCH_GONE;
        if (!gpu_load(queue->gpu, signal + SIGNAL_VALUE, &value))
            return SCRATCH_FAULT;
    }
    return SCRATCH_READY;
}

enum scratch scratch_get(struct queue *queue, uint32_t size, uint64_t descriptor)
{
    uint64_t unit = strncmp(machine()->gpu[queue->gpu].name, "gfx11", 5) ? 1024 : 256;
    uint32_t ring, properties;

    if (!size)
        return SCRATCH_READY;
    /* What is no kernel is found out when it is executed. */
    if (!gpu_read(queue->gpu, descriptor + KERNEL_PROPERTIES, &properties, sizeof properties))
        properties = 0;
    bool narrow = properties & WAVE_OF_32;
    uint64_t units = ((uint64_t)size * (narrow ? 32 : 64) + unit - 1) / unit;
    for (;;) {
        if (!word_at(queue, RING_SIZE, &ring))
            return SCRATCH_FAULT;
        if (WAVES(ring) && UNITS(ring) >= units)
            break;
        enum scratch found = ask(queue, narrow ? INSUFFICIENT_NARROW : INSUFFICIENT);
        if (found != SCRATCH_READY)
            return found;
    }
    return SCRATCH_READY;
}

enum scratch scratch_end(struct queue *queue)
{
    uint32_t properties;

    if (!word_at(queue, PROPERTIES, &properties))
        return SCRATCH_FAULT;
    return properties & USE_ONCE ? ask(queue, USED_ONCE) : SCRATCH_READY;
}
