/* The objects that exist, found by address, so that a handle of nothing is noticed. */
#include "internal.h"

#define BUCKETS 4096

static struct object *buckets[BUCKETS];

static struct object **bucket_of(uintptr_t address)
{
    return &buckets[(address >> 4 ^ address >> 16) % BUCKETS];
}

void add_object(struct object *object, enum kind kind, uintptr_t address)
{
    struct object **bucket = bucket_of(address);
    *object = (struct object){kind, address, *bucket};
    *bucket = object;
}

struct object *find_object(enum kind kind, uintptr_t address)
{
    for (struct object *object = *bucket_of(address); object; object = object->next)
        if (object->kind == kind && object->address == address)
            return object;
    return NULL;
}

struct object *any_object(enum kind kind)
{
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct object *object = buckets[i]; object; object = object->next)
            if (object->kind == kind)
                return object;
    return NULL;
}

void remove_object(struct object *object)
{
    struct object **link = bucket_of(object->address);
    while (*link != object)
        link = &(*link)->next;
    *link = object->next;
}
