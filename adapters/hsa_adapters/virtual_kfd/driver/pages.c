/* The page table of each GPU: which of its addresses are which bytes of which object. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

struct range {
    uint64_t address, size, offset;
    struct object *object;
    bool writable;
};

static struct table {
    struct range *range;
    size_t count, room;
} tables[MAX_GPUS];

static bool overlaps(const struct range *range, uint64_t address, uint64_t size)
{
    return address < range->address + range->size && range->address < address + size;
}

int pages_map(int gpu, uint64_t address, uint64_t size, struct object *object, uint64_t offset,
              bool writable)
{
    struct table *table = &tables[gpu];

    for (size_t i = 0; i < table->count; i++)
        if (overlaps(&table->range[i], address, size))
            return EINVAL;
    if (table->count == table->room) {
        size_t room = table->room ? 2 * table->room : 64;
        struct range *grown = realloc(table->range, room * sizeof *grown);
        if (!grown)
            return ENOMEM;
        table->range = grown;
        table->room = room;
    }
    table->range[table->count++] = (struct range){address, size, offset, object, writable};
    return 0;
}

static void drop(struct table *table, size_t i)
{
    table->range[i] = table->range[--table->count];
}

int pages_unmap(int gpu, uint64_t address, const struct object *object)
{
    struct table *table = &tables[gpu];

    for (size_t i = 0; i < table->count; i++)
        if (table->range[i].address == address && table->range[i].object == object) {
            drop(table, i);
            return 0;
        }
    return ENOENT;
}

void pages_forget(const struct object *object)
{
    for (int gpu = 0; gpu < MAX_GPUS; gpu++)
        for (size_t i = tables[gpu].count; i-- > 0;)
            if (tables[gpu].range[i].object == object)
                drop(&tables[gpu], i);
}

bool pages_has(int gpu, const struct object *object)
{
    for (size_t i = 0; i < tables[gpu].count; i++)
        if (tables[gpu].range[i].object == object)
            return true;
    return false;
}

uint8_t *pages_find(int gpu, uint64_t address, bool write, uint64_t *left)
{
    for (size_t i = 0; i < tables[gpu].count; i++) {
        const struct range *range = &tables[gpu].range[i];
        uint64_t inside = address - range->address;
        if (address < range->address || inside >= range->size)
            continue;
        uint8_t *bytes = write && !range->writable ? NULL : object_bytes(range->object);
        *left = range->size - inside;
        return bytes ? bytes + range->offset + inside : NULL;
    }
    if (!svm_reaches(gpu, address))
        return NULL;
    *left = PAGE - address % PAGE;
    return (uint8_t *)address;
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
