/* What a GPU reads and writes goes through its page table, or is a fault.
 *
 * The lock is held while bytes move, so nobody unmaps them. The program's own memory may go all
 * the same, so it is asked for first.
 */
#include <string.h>

#include "base/base.h"
#include "base/program.h"
#include "base/state.h"
#include "memory/pages.h"
#include "memory/svm.h"
#include "devices/access.h"
#include "devices/events.h"

#define CHUNK (1ull << 20)

struct view gpu_view(int gpu, uint64_t address, bool write)
{
    struct view view;

    if (pages_find(gpu, address, write, &view))
        return view;
    if (svm_reaches(gpu, address))
        return (struct view){(uint8_t *)address, PAGE - address % PAGE, true, false};
    return (struct view){0};
}

/* Find bytes, at most `size` of them. On success the lock is held; give it back. */
static bool reach(int gpu, uint64_t address, uint64_t size, bool write, struct view *view)
{
    lock();
    *view = gpu_view(gpu, address, write);
    if (view->left > size)
        view->left = size;
    if (view->left > CHUNK)
        view->left = CHUNK;
    if (view->bytes && (!view->foreign || is_there(view->bytes, view->left, write)))
        return true;
    unlock();
    event_memory_fault(gpu, address, view->read_only);
    return false;
}

bool gpu_read(int gpu, uint64_t address, void *bytes, uint64_t size)
{
    struct view view;

    for (uint64_t done = 0; done < size; done += view.left) {
        if (!reach(gpu, address + done, size - done, false, &view))
            return false;
        memcpy((uint8_t *)bytes + done, view.bytes, view.left);
        unlock();
    }
    return true;
}

bool gpu_write(int gpu, uint64_t address, const void *bytes, uint64_t size)
{
    struct view view;

    for (uint64_t done = 0; done < size; done += view.left) {
        if (!reach(gpu, address + done, size - done, true, &view))
            return false;
        memcpy(view.bytes, (const uint8_t *)bytes + done, view.left);
        unlock();
    }
    return true;
}

bool gpu_copy(int gpu, uint64_t to, uint64_t from, uint64_t size)
{
    uint8_t bytes[PAGE];
    uint64_t part;

    for (uint64_t done = 0; done < size; done += part) {
        part = size - done < sizeof bytes ? size - done : sizeof bytes;
        if (!gpu_read(gpu, from + done, bytes, part) || !gpu_write(gpu, to + done, bytes, part))
            return false;
    }
    return true;
}

bool gpu_fill(int gpu, uint64_t to, uint32_t value, uint64_t words)
{
    uint32_t bytes[PAGE / sizeof value];
    uint64_t size = words * sizeof value, part;

    for (uint64_t i = 0; i < PAGE / sizeof value; i++)
        bytes[i] = value;
    for (uint64_t done = 0; done < size; done += part) {
        part = size - done < PAGE ? size - done : PAGE;
        if (!gpu_write(gpu, to + done, bytes, part))
            return false;
    }
    return true;
}

/* In atomics.c of the device, which works on lists. */
void hsa_device_modify(int operation, int size, uint64_t count, const uint64_t *addresses,
                       const uint64_t *values, const uint64_t *compares, uint64_t *old);

bool gpu_change(int gpu, int operation, int size, const struct change *change, uint64_t *old)
{
    struct view view;

    if (!reach(gpu, change->address, (uint64_t)size, true, &view))
        return false;
    const uint64_t place = (uint64_t)view.bytes;
    hsa_device_modify(operation, size, 1, &place, &change->value, &change->compare, old);
    unlock();
    return true;
}

/* The other accesses are atomic, of eight bytes at an address that is a multiple of eight. */
static uint64_t *reach_word(int gpu, uint64_t address, bool write)
{
    struct view view;

    if (address % sizeof(uint64_t)) {
        event_memory_fault(gpu, address, false);
        return NULL;
    }
    return reach(gpu, address, sizeof(uint64_t), write, &view) ? (uint64_t *)view.bytes : NULL;
}

bool gpu_load(int gpu, uint64_t address, uint64_t *value)
{
    const uint64_t *word = reach_word(gpu, address, false);

    if (!word)
        return false;
    *value = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    unlock();
    return true;
}

bool gpu_store(int gpu, uint64_t address, uint64_t value)
{
    uint64_t *word = reach_word(gpu, address, true);

    if (!word)
        return false;
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    unlock();
    return true;
}

bool gpu_add(int gpu, uint64_t address, uint64_t value)
{
    uint64_t *word = reach_word(gpu, address, true);

    if (!word)
        return false;
    __atomic_add_fetch(word, value, __ATOMIC_ACQ_REL);
    unlock();
    return true;
}
