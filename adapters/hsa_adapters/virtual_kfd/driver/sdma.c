/* One packet of an SDMA queue: copies and fills really move the bytes. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver.h"

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
#define POLL_FLUSH (1u << 26)
#define EXCEPTION_UNSUPPORTED 20
#define CHUNK 65536u
#define WORDS 16

static uint64_t address_at(const uint32_t *words, int i)
{
    return words[i] | (uint64_t)words[i + 1] << 32;
}

static bool copy(int gpu, uint64_t to, uint64_t from, uint64_t size)
{
    static __thread uint8_t bytes[CHUNK];

    for (uint64_t done = 0; done < size;) {
        uint64_t part = size - done < CHUNK ? size - done : CHUNK;
        if (!gpu_read(gpu, from + done, bytes, part) || !gpu_write(gpu, to + done, bytes, part))
            return false;
        done += part;
    }
    return true;
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
            if (!copy(gpu, target, source, width * element))
                return false;
        }
    return true;
}

static bool fill(int gpu, const uint32_t *words)
{
    uint64_t to = address_at(words, 1);
    uint64_t count = (words[4] & 0x3fffffff) / 4 + 1;

    for (uint64_t i = 0; i < count; i++)
        if (!gpu_write(gpu, to + 4 * i, &words[3], 4))
            return false;
    return true;
}

static bool poll_is_met(int gpu, const uint32_t *words, bool *fault)
{
    uint32_t value = 0;

    if (words[0] & POLL_FLUSH)
        return true;
    *fault = !gpu_read(gpu, address_at(words, 1), &value, sizeof value);
    value &= words[4];
    switch (words[0] >> 28 & 7) {
    case 1:
        return value < words[3];
    case 2:
        return value <= words[3];
    case 3:
        return value == words[3];
    case 4:
        return value != words[3];
    case 5:
        return value >= words[3];
    case 6:
        return value > words[3];
    default:
        return true;
    }
}

static bool add(int gpu, const uint32_t *words)
{
    uint64_t left;

    lock();
    uint8_t *found = pages_find(gpu, address_at(words, 1), true, &left);
    unlock();
    if (!found || left < 8) {
        event_memory_fault(gpu, address_at(words, 1), false);
        return false;
    }
    __atomic_add_fetch((uint64_t *)found, address_at(words, 3), __ATOMIC_ACQ_REL);
    return true;
}

static bool timestamp(int gpu, uint64_t address)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    uint64_t raw = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    uint64_t ticks = raw / 1000 * machine()->gpu[gpu].counter_khz / 1000;
    return gpu_write(gpu, address, &ticks, sizeof ticks);
}

/* Words of a packet, 0 for one that no engine knows. */
static uint32_t length_of(uint32_t head)
{
    switch ((enum operation)(head & 0xff)) {
    case NOP:
        return 1 + (head >> 16 & 0x3fff);
    case COPY:
        return (head >> 8 & 0xff) == COPY_LINEAR ? 7 : (head >> 8 & 0xff) == COPY_RECT ? 13 : 0;
    case FENCE:
        return 4;
    case TRAP:
        return 2;
    case POLL:
        return 6;
    case ATOMIC:
        return head >> 25 == ATOMIC_ADD64 ? 8 : 0;
    case FILL:
        return 5;
    case TIMESTAMP:
        return 3;
    case CACHE:
        return 5;
    }
    return 0;
}

/* Return whether the packet did what it says; a fault has been reported where it did not. */
static bool carry_out(const struct queue *queue, const uint32_t *words)
{
    int gpu = queue->gpu;
    bool wide = !strncmp(machine()->gpu[gpu].name, "gfx12", 5);

    switch ((enum operation)(words[0] & 0xff)) {
    case COPY:
        if ((words[0] >> 8 & 0xff) == COPY_RECT)
            return copy_rect(gpu, words, wide);
        return copy(gpu, address_at(words, 5), address_at(words, 3),
                    (words[1] & 0x3fffffff) + 1ull);
    case FENCE:
        return gpu_write(gpu, address_at(words, 1), &words[3], 4);
    case TRAP:
        event_signal(words[1] & 0xfffffff);
        return true;
    case ATOMIC:
        return add(gpu, words);
    case FILL:
        return fill(gpu, words);
    case TIMESTAMP:
        return timestamp(gpu, address_at(words, 1));
    default:
        return true;
    }
}

bool sdma_step(struct queue *queue)
{
    uint64_t written = __atomic_load_n((uint64_t *)queue->args.write_pointer, __ATOMIC_ACQUIRE);
    uint64_t size = queue->args.ring_size;
    const uint32_t *ring = (const uint32_t *)queue->args.ring;
    uint32_t words[WORDS];
    bool fault = false;

    if (queue->position >= written)
        return false;
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = ring[(queue->position / 4 + i) % (size / 4)];
    uint32_t length = length_of(words[0]);
    if (!length) {
        queue_error(queue, EXCEPTION_UNSUPPORTED);
        return true;
    }
    if ((words[0] & 0xff) == POLL && !poll_is_met(queue->gpu, words, &fault) && !fault)
        return false;
    if (fault || !carry_out(queue, words)) {
        queue->halted = true;
        return true;
    }
    queue->position += 4 * length;
    __atomic_store_n((uint64_t *)queue->args.read_pointer, queue->position, __ATOMIC_RELEASE);
    return true;
}
