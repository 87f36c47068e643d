/* What a GPU reads and writes goes through its page table, or is a fault.
 *
 * The lock is held while bytes move, so nobody unmaps them. The program's own memory may go all
 * the same, so it is asked for first.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "driver.h"

#define CHUNK (1ull << 20)

/* An old kernel cannot be asked: then the program's memory is taken to be there. */
static bool can_ask;

__attribute__((constructor)) static void find_out(void)
{
    uint64_t here = (uint64_t)&can_ask & ~(PAGE - 1);

    can_ask = !madvise((void *)here, PAGE, MADV_POPULATE_READ);
}

bool is_there(const void *address, uint64_t size, bool write)
{
    uint64_t start = (uint64_t)address & ~(PAGE - 1);
    uint64_t end = PAGES((uint64_t)address + size);
    int advice = write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ;

    return !can_ask || !madvise((void *)start, end - start, advice);
}

bool is_mapped(uint64_t address, uint64_t size)
{
    uint64_t start = address & ~(PAGE - 1);

    return !msync((void *)start, PAGES(address + size) - start, MS_ASYNC) || errno != ENOMEM;
}

/* Find bytes, at most `size` of them. On success the lock is held; give it back. */
static bool reach(int gpu, uint64_t address, uint64_t size, bool write, struct view *view)
{
    lock();
    *view = pages_find(gpu, address, write);
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
