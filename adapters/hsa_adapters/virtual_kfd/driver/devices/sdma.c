/* One packet of an SDMA queue: copies and fills really move the bytes. */
#include <string.h>

#include "base/clocks.h"
#include "base/machine.h"
#include "devices/access.h"
#include "devices/events.h"
#include "devices/queue.h"
#include "devices/sdma.h"

/* Packets are those of ROCr's sdma_registers.h, which names them SDMA_OP_* and SDMA_PKT_*; NOP is in the
 * kernel's drivers/gpu/drm/amd/amdgpu/navi10_sdma_pkt_open.h.
 */
enum operation {
    NOP = 0,
    COPY = 1,
    FENCE = 5,
    TRAP = 6,
    POLL = 8,
    ATOMIC = 10,
    FILL = 11,
    TIMESTAMP = 13,
    CACHE = 17,
};
#define COPY_LINEAR 0
#define COPY_RECT 4
#define ATOMIC_ADD64 47
#define POLL_MEMORY (1u << 31)
#define TIMESTAMP_GLOBAL 2
#define FILL_WORDS 2
#define WORDS 16

static uint64_t address_at(const uint32_t *words, int i)
{
    return words[i] | (uint64_t)words[i + 1] << 32;
}

struct box {
    uint64_t base, pitch, slice;
    uint32_t x, y, z;
};

static struct box box_at(const uint32_t *words, bool wide)
{
    return (struct box){
        .base = address_at(words, 0),
        .x = words[2] & (wide ? 0xffff : 0x3fff),
        .y = words[2] >> 16 & (wide ? 0xffff : 0x3fff),
        .z = words[3] & (wide ? 0x3fff : 0x7ff),
        .pitch = (words[3] >> (wide ? 16 : 13)) + 1ull,
        .slice = (wide ? words[4] : words[4] & 0xfffffff) + 1ull,
    };
}

static bool copy_rect(int gpu, const uint32_t *words, bool wide)
{
    uint64_t element = 1ull << (words[0] >> 29);
    struct box from = box_at(words + 1, wide), to = box_at(words + 6, wide);
    uint32_t width = (words[11] & (wide ? 0xffff : 0x3fff)) + 1;
    uint32_t height = (words[11] >> 16 & (wide ? 0xffff : 0x3fff)) + 1;
    uint32_t depth = (words[12] & (wide ? 0x3fff : 0x7ff)) + 1;

    for (uint32_t z = 0; z < depth; z++)
        for (uint32_t y = 0; y < height; y++) {
            uint64_t source = from.base + ((from.z + z) * from.slice + (from.y + y) * from.pitch +
                                           from.x) * element;
            uint64_t target = to.base + ((to.z + z) * to.slice + (to.y + y) * to.pitch + to.x) *
                                            element;
            if (!gpu_copy(gpu, target, source, width * element))
                return false;
        }
    return true;
}

static bool compares(uint32_t value, uint32_t function, uint32_t with)
{
    switch (function) {
    case 1:
        return value < with;
    case 2:
        return value <= with;
    case 3:
        return value == with;
    case 4:
        return value != with;
    case 5:
        return value >= with;
    case 6:
        return value > with;
    default:
        return true;
    }
}

/* What became of a packet. FAULT: it met memory that the engine was not given. */
enum progress { WAITS, FINISHED, FAULT };

static enum progress poll(int gpu, const uint32_t *words)
{
    uint32_t value;

    /* Of a register: so the path from the host to memory is flushed. */
    if (!(words[0] & POLL_MEMORY))
        return FINISHED;
    if (!gpu_read(gpu, address_at(words, 1), &value, sizeof value))
        return FAULT;
    return compares(value & words[4], words[0] >> 28 & 7, words[3]) ? FINISHED : WAITS;
}

/* Words of a packet, 0 for one that is not imitated. */
static uint32_t length_of(uint32_t head)
{
    uint32_t part = head >> 8 & 0xff;

    switch ((enum operation)(head & 0xff)) {
    case NOP:
        return 1 + (head >> 16 & 0x3fff);
    case COPY:
        return part == COPY_LINEAR ? 7 : part == COPY_RECT ? 13 : 0;
    case FENCE:
        return 4;
    case TRAP:
        return 2;
    case POLL:
        return 6;
    case ATOMIC:
        return head >> 25 == ATOMIC_ADD64 ? 8 : 0;
    case FILL:
        return head >> 30 == FILL_WORDS ? 5 : 0;
    case TIMESTAMP:
        return part == TIMESTAMP_GLOBAL ? 3 : 0;
    case CACHE:
        return 5;
    }
    return 0;
}

static enum progress carry_out(int gpu, const uint32_t *words)
{
    bool wide = !strncmp(machine()->gpu[gpu].name, "gfx12", 5), done = true;

    switch ((enum operation)(words[0] & 0xff)) {
    case COPY:
        if ((words[0] >> 8 & 0xff) == COPY_RECT)
            done = copy_rect(gpu, words, wide);
        else
            done = gpu_copy(gpu, address_at(words, 5), address_at(words, 3),
                            (words[1] & 0x3fffffff) + 1ull);
        break;
    case FENCE:
        done = gpu_write(gpu, address_at(words, 1), &words[3], sizeof words[3]);
        break;
    case TRAP:
        event_interrupt(words[1] & 0xfffffff);
        break;
    case POLL:
        return poll(gpu, words);
    case ATOMIC:
        done = gpu_add(gpu, address_at(words, 1), address_at(words, 3));
        break;
    case FILL:
        done = gpu_fill(gpu, address_at(words, 1), words[3], (words[4] & 0x3fffffff) / 4 + 1);
        break;
    case TIMESTAMP:
        done = gpu_store(gpu, address_at(words, 1), device_ticks(gpu));
        break;
    case NOP:
    case CACHE:
        break;
    }
    return done ? FINISHED : FAULT;
}

/* Read the words from the head of the ring on, which ends where it begins. */
static bool fetch(const struct queue *queue, uint32_t *words)
{
    uint64_t size = queue->now.ring_size, at = queue->position % size, bytes = WORDS * 4;
    uint64_t first = size - at < bytes ? size - at : bytes;

    return gpu_read(queue->gpu, queue->now.ring + at, words, first) &&
           gpu_read(queue->gpu, queue->now.ring, words + first / 4, bytes - first);
}

bool sdma_step(struct queue *queue)
{
    uint32_t words[WORDS];
    uint64_t written;
    int gpu = queue->gpu;

    queue->broken = !gpu_load(gpu, queue->now.write_pointer, &written);
    if (queue->broken || queue->position >= written)
        return false;
    queue->broken = !fetch(queue, words);
    if (queue->broken)
        return false;
    uint32_t length = length_of(words[0]);
    if (!length) {
        complain("SDMA packet", words[0]);
        queue_error(queue, PACKET_UNSUPPORTED);
        return false;
    }
    if (queue->position + 4 * length > written)
        return false;
    enum progress progress = carry_out(gpu, words);
    if (progress == WAITS)
        return false;
    queue->position += 4 * length;
    queue->broken = progress == FAULT || !gpu_store(gpu, queue->now.read_pointer, queue->position);
    return !queue->broken;
}
