/* Scratch of a queue: what its own structure says of it, and what the runtime is asked for.
 *
 * A packet processor that needs more, or has used what is for one dispatch, says so through the
 * queue's inactive signal, and goes on when the runtime has set that to 0 again.
 *
 * Newer firmware lets a runtime take scratch back meanwhile. It notes which dispatch was the last to
 * use it; the runtime unmaps the queue, says that no later one may, and maps it again. Scratch of a
 * second kind, for small dispatches, which the same firmware knows, is never used here: no ROCr that
 * such a device has gives any.
 */
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/program.h"
#include "base/state.h"
#include "devices/access.h"
#include "devices/scratch.h"
#include "devices/signals.h"

/* In a queue's structure, seen from its write index: amd_queue_v2_t of ROCr's amd_hsa_queue.h. */
#define CAPABILITIES (40ull - 56)
#define RING_SIZE (140 - 56)
#define PROPERTIES (180 - 56)
#define LAST_TO_USE (184 - 56)
#define USED_BY(die) (256 - 56 + 16 * (uint64_t)(die))
/* Capabilities: that scratch can be taken back, says the firmware, and the runtime. */
#define FIRMWARE_TAKES_BACK 1u
#define RUNTIME_TAKES_BACK 2u
/* The size of the ring: how many waves have room, and how much each has, in units. */
#define WAVES(size) ((size) & 0xfff)
#define UNITS(size) ((size) >> 12 & 0x7fff)
#define USE_ONCE (1u << 4)
/* In the descriptor of a kernel: LLVM's "User Guide for AMDGPU Backend", "Kernel Descriptor". */
#define KERNEL_PROPERTIES 56
#define WAVE_OF_32 (1u << 10)

/* Not enough, for waves of 64 and of 32 work-items; ROCr's amd_aql_queue.cpp reads these. */
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

/* Eight bytes of the queue's structure, NULL where they are not there. The lock is held. */
static uint64_t *field(const struct queue *queue, uint64_t place)
{
    struct view view = gpu_view(queue->gpu, queue->args.write_pointer + place, true);

    return view.bytes && view.left >= 8 && (!view.foreign || is_there(view.bytes, 8, true))
               ? (uint64_t *)view.bytes
               : NULL;
}

void scratch_connect(const struct queue *queue)
{
    if (!machine()->gpu[queue->gpu].reclaiming)
        return;
    uint64_t *capabilities = field(queue, CAPABILITIES);
    if (capabilities)
        *capabilities |= FIRMWARE_TAKES_BACK;
}

/* What is there is enough: use it, or ask for other where the runtime takes it back. */
enum use { USES, ASKS, UNMAPPED };

/* The lock is held: who has unmapped the queue has to see what was used until then. */
static enum use use(const struct queue *queue)
{
    uint32_t dies = machine()->gpu[queue->gpu].reclaiming;

    if (!dies)
        return USES;
    if (!QUEUE_PERCENTAGE(queue->args.percentage))
        return UNMAPPED;
    const uint64_t *capabilities = field(queue, CAPABILITIES), *last = field(queue, LAST_TO_USE);
    if (!capabilities || !last || !(*capabilities & RUNTIME_TAKES_BACK))
        return USES;
    if (queue->position > __atomic_load_n(last, __ATOMIC_ACQUIRE))
        return ASKS;
    for (uint32_t die = 0; die < dies; die++) {
        uint64_t *used = field(queue, USED_BY(die));
        if (used)
            __atomic_store_n(used, queue->position, __ATOMIC_RELEASE);
    }
    return USES;
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
        if (WAVES(ring) && UNITS(ring) >= units) {
            lock();
            enum use used = use(queue);
            unlock();
            if (used != ASKS)
                return used == USES ? SCRATCH_READY : SCRATCH_WAITS;
        }
        enum scratch found = ask(queue, narrow ? INSUFFICIENT_NARROW : INSUFFICIENT);
        if (found != SCRATCH_READY)
            return found;
    }
}

enum scratch scratch_end(struct queue *queue)
{
    uint32_t properties;

    if (!word_at(queue, PROPERTIES, &properties))
        return SCRATCH_FAULT;
    return properties & USE_ONCE ? ask(queue, USED_ONCE) : SCRATCH_READY;
}
