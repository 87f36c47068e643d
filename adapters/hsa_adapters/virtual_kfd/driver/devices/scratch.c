/* Scratch of a queue: what its own structure says of it, and what the runtime is asked for.
 *
 * A packet processor that needs more, or has used what is for one dispatch, says so through the
 * queue's inactive signal, and goes on when the runtime has set that to 0 again.
 */
#include <unistd.h>

#include "devices/access.h"
#include "devices/scratch.h"
#include "devices/signals.h"

/* In a queue's structure, seen from its write index. */
#define RING_SIZE (140 - 56)
#define PROPERTIES (180 - 56)
/* The size of the ring: how many waves have room, and how much each has, in units. */
#define WAVES(size) ((size) & 0xfff)
#define UNITS(size) ((size) >> 12 & 0x1fff)
#define UNIT 1024u
#define LANES 64u
#define USE_ONCE (1u << 4)

#define INSUFFICIENT 1
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

enum scratch scratch_get(struct queue *queue, uint32_t size)
{
    uint64_t units = ((uint64_t)size * LANES + UNIT - 1) / UNIT;
    uint32_t ring;

    while (size) {
        if (!word_at(queue, RING_SIZE, &ring))
            return SCRATCH_FAULT;
        if (WAVES(ring) && UNITS(ring) >= units)
            break;
        enum scratch found = ask(queue, INSUFFICIENT);
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
