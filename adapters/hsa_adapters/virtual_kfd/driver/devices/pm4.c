/* Command buffers that an AQL packet points to. A runtime sends them to make a device forget what
 * its caches hold, and an imitated one has none. What does anything else is refused, not skipped.
 */
#include "devices/access.h"
#include "devices/pm4.h"

/* The head of a packet and its operations: PACKET3_* in the kernel's drivers/gpu/drm/amd/amdgpu/soc15d.h. */
#define TYPE3 3u
#define OPCODE(word) ((word) >> 8 & 0xff)
#define WORDS(word) (((word) >> 16 & 0x3fff) + 2)
#define NOP 0x10
#define INDIRECT_BUFFER 0x3f
#define ACQUIRE_MEM 0x58
#define MOST_WORDS 256u

bool pm4_is_buffer(const uint32_t jump[4])
{
    return jump[0] >> 30 == TYPE3 && OPCODE(jump[0]) == INDIRECT_BUFFER;
}

enum pm4 pm4_run(int gpu, const uint32_t jump[4])
{
    uint64_t address = (jump[1] & ~3u) | (uint64_t)(jump[2] & 0xffff) << 32;
    uint32_t count = jump[3] & 0xfffff, words[MOST_WORDS];

    if (count > MOST_WORDS)
        return PM4_UNKNOWN;
    if (!gpu_read(gpu, address, words, 4 * (uint64_t)count))
        return PM4_FAULT;
    for (uint32_t at = 0; at < count; at += WORDS(words[at])) {
        uint32_t opcode = OPCODE(words[at]);
        if (words[at] >> 30 != TYPE3 || (opcode != NOP && opcode != ACQUIRE_MEM))
            return PM4_UNKNOWN;
    }
    return PM4_DONE;
}
