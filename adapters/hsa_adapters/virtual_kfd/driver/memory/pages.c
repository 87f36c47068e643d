/* The page table of each GPU: which of its addresses are which bytes of which object.
 *
 * Ranges never overlap and are kept in the order of their addresses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/kfd.h"
#include "base/state.h"
#include "memory/objects.h"
#include "memory/pages.h"

static struct table {
    struct range *range;
    size_t count, room;
} tables[MAX_GPUS];

static uint64_t losses;

void pages_lost(void)
{
    __atomic_add_fetch(&losses, 1, __ATOMIC_RELEASE);
}

uint64_t pages_losses(void)
{
    return __atomic_load_n(&losses, __ATOMIC_ACQUIRE);
}

/* The place of the first range that ends behind an address. */
static size_t place_of(const struct table *table, uint64_t address)
{
    size_t low = 0, high = table->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->range[middle].address + table->range[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool pages_overlap(int gpu, uint64_t address, uint64_t size)
{
    const struct table *table = &tables[gpu];
    size_t place = place_of(table, address);

    return place < table->count && table->range[place].address < address + size;
}

int pages_map(int gpu, const struct range *range)
{
    struct table *table = &tables[gpu];

    if (pages_overlap(gpu, range->address, range->size))
        return EINVAL;
    if (table->count == table->room) {
        size_t room = table->room ? 2 * table->room : 64;
        struct range *grown = realloc(table->range, room * sizeof *grown);
        if (!grown)
            return ENOMEM;
        table->range = grown;
        table->room = room;
    }
    struct range *at = &table->range[place_of(table, range->address)];
    memmove(at + 1, at, (size_t)(&table->range[table->count++] - at) * sizeof *at);
    *at = *range;
    return 0;
}

int pages_unmap(int gpu, uint64_t address, const struct object *object, enum mapper mapper)
{
    struct table *table = &tables[gpu];
    size_t place = place_of(table, address);
    struct range *at = &table->range[place];

    if (place == table->count || at->address != address || at->object != object ||
        at->mapper != mapper)
        return ENOENT;
    memmove(at, at + 1, (--table->count - place) * sizeof *at);
    pages_lost();
    return 0;
}

void pages_forget(int gpu, const struct object *object, enum mapper mapper)
{
    struct table *table = &tables[gpu];
    size_t kept = 0;

    for (size_t i = 0; i < table->count; i++)
        if (table->range[i].object != object || table->range[i].mapper != mapper)
            table->range[kept++] = table->range[i];
    if (kept < table->count)
        pages_lost();
    table->count = kept;
}

bool pages_range(int gpu, uint64_t address, struct range *range)
{
    const struct table *table = &tables[gpu];
    size_t place = place_of(table, address);

    if (place == table->count || address < table->range[place].address)
        return false;
    *range = table->range[place];
    return true;
}

bool pages_find(int gpu, uint64_t address, bool write, struct view *view)
{
    struct range range;

    if (!pages_range(gpu, address, &range))
        return false;
    *view = (struct view){.read_only = true};
    if (write && !range.writable)
        return true;
    uint8_t *bytes = object_bytes(range.object);
    uint64_t inside = address - range.address;
    *view = (struct view){
        .bytes = bytes ? bytes + range.offset + inside : NULL,
        .left = range.size - inside,
        .foreign = range.object->flags & MEMORY_USERPTR,
    };
    return true;
}

size_t pages_count(void)
{
    size_t count = 0;

    for (int gpu = 0; gpu < MAX_GPUS; gpu++)
        count += tables[gpu].count;
    return count;
}

static void forget(void)
{
    for (int gpu = 0; gpu < MAX_GPUS; gpu++)
        tables[gpu].count = 0;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}
