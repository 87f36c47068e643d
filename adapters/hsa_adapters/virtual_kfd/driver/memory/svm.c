/* Attributes of shared virtual memory: stored by range of addresses, and told again.
 *
 * Ranges never overlap: setting attributes of a part of one splits it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/kfd.h"
#include "base/machine.h"
#include "base/process.h"
#include "base/program.h"
#include "base/state.h"
#include "memory/pages.h"
#include "memory/svm.h"

struct attributes {
    uint32_t preferred, prefetch, flags, granularity;
    uint8_t access[MAX_GPUS]; /* an svm_type: SVM_ACCESS, SVM_ACCESS_IN_PLACE or SVM_NO_ACCESS */
};

struct span {
    uint64_t start, end;
    struct attributes attributes;
    struct span *next;
};

static struct span *spans;

static struct attributes unset(void)
{
    struct attributes attributes = {
        .preferred = (uint32_t)either(SVM_UNDEFINED, machine()->gpu[0].id),
        .prefetch = (uint32_t)either(SVM_UNDEFINED, machine()->gpu[0].id),
        .flags = SVM_FLAG_HOST_ACCESS | (uint32_t)either(SVM_FLAG_COHERENT, 0),
        .granularity = (uint32_t)either(9, 5),
    };
    memset(attributes.access, xnack_is_on() ? SVM_ACCESS : SVM_NO_ACCESS, MAX_GPUS);
    return attributes;
}

static struct span *add(uint64_t start, uint64_t end, struct attributes attributes)
{
    struct span *span = malloc(sizeof *span);

    if (span) {
        *span = (struct span){start, end, attributes, spans};
        spans = span;
    }
    return span;
}

/* Let no span reach across an address. */
static int cut(uint64_t at)
{
    for (struct span *span = spans; span; span = span->next)
        if (span->start < at && at < span->end) {
            if (!add(at, span->end, span->attributes))
                return ENOMEM;
            span->end = at;
            return 0;
        }
    return 0;
}

static const struct span *span_of(uint64_t address)
{
    const struct span *span = spans;

    while (span && (address < span->start || address >= span->end))
        span = span->next;
    return span;
}

/* Where the next span begins, or `end` where none does before it. */
static uint64_t gap_end(uint64_t address, uint64_t end)
{
    for (const struct span *span = spans; span; span = span->next)
        if (span->start > address && span->start < end)
            end = span->start;
    return end;
}

static int fill(uint64_t start, uint64_t end)
{
    while (start < end) {
        const struct span *span = span_of(start);
        uint64_t next = span ? span->end : gap_end(start, end);
        if (!span && !add(start, next, unset()))
            return ENOMEM;
        start = next;
    }
    return 0;
}

static bool is_location(uint32_t value)
{
    return !value || value == SVM_UNDEFINED || gpu_by_id(value) != NO_GPU;
}

static bool is_valid(struct svm_attribute attribute)
{
    switch (attribute.type) {
    case SVM_PREFERRED_LOCATION:
        return is_location(attribute.value);
    case SVM_PREFETCH_LOCATION:
        return attribute.value != SVM_UNDEFINED && is_location(attribute.value);
    case SVM_ACCESS:
    case SVM_ACCESS_IN_PLACE:
    case SVM_NO_ACCESS:
        return gpu_by_id(attribute.value) != NO_GPU;
    default:
        return attribute.type <= SVM_GRANULARITY;
    }
}

static void set_one(struct attributes *attributes, struct svm_attribute attribute)
{
    switch (attribute.type) {
    case SVM_PREFERRED_LOCATION:
        attributes->preferred = attribute.value;
        break;
    case SVM_PREFETCH_LOCATION:
        attributes->prefetch = attribute.value;
        break;
    case SVM_SET_FLAGS:
        attributes->flags |= attribute.value;
        break;
    case SVM_CLEAR_FLAGS:
        attributes->flags &= ~attribute.value;
        break;
    case SVM_GRANULARITY:
        attributes->granularity = attribute.value < 63 ? attribute.value : 63;
        break;
    default:
        attributes->access[gpu_by_id(attribute.value)] = (uint8_t)attribute.type;
    }
}

static int set(struct svm_args *args)
{
    uint64_t end = args->start + args->size;

    for (uint32_t i = 0; i < args->count; i++)
        if (!is_valid(args->attributes[i]))
            return EINVAL;
    int error = cut(args->start);
    error = error ? error : cut(end);
    error = error ? error : fill(args->start, end);
    if (error)
        return error;
    for (struct span *span = spans; span; span = span->next)
        if (span->start >= args->start && span->end <= end)
            for (uint32_t i = 0; i < args->count; i++)
                set_one(&span->attributes, args->attributes[i]);
    /* Access may be among them. */
    pages_lost();
    return 0;
}

static uint32_t common_location(uint32_t before, uint32_t location, bool first)
{
    return first || before == location ? location : SVM_UNDEFINED;
}

/* What all of a range have in common; `first` is of its first part. */
static void get_one(struct svm_attribute *attribute, const struct attributes *part, bool first)
{
    uint32_t before = attribute->value;

    switch (attribute->type) {
    case SVM_PREFERRED_LOCATION:
        attribute->value = common_location(before, part->preferred, first);
        break;
    case SVM_PREFETCH_LOCATION:
        attribute->value = common_location(before, part->prefetch, first);
        break;
    case SVM_SET_FLAGS:
        attribute->value = first ? part->flags : before & part->flags;
        break;
    case SVM_CLEAR_FLAGS:
        attribute->value = first ? ~part->flags : before & ~part->flags;
        break;
    case SVM_GRANULARITY:
        if (first || part->granularity < before)
            attribute->value = part->granularity;
        break;
    default: {
        /* Asked with SVM_ACCESS; two parts that differ have no access in common. */
        uint32_t access = part->access[gpu_by_id(before)];
        attribute->type = first || attribute->type == access ? access : SVM_NO_ACCESS;
    }
    }
}

/* Access is asked for as SVM_ACCESS alone: the answer replaces the type. */
static bool can_be_asked(struct svm_attribute attribute)
{
    switch (attribute.type) {
    case SVM_ACCESS:
        return gpu_by_id(attribute.value) != NO_GPU;
    case SVM_ACCESS_IN_PLACE:
    case SVM_NO_ACCESS:
        return false;
    default:
        return attribute.type <= SVM_GRANULARITY;
    }
}

/* As the kernel: parts that nobody has set anything of count only where all are such. */
static int get(struct svm_args *args)
{
    const uint64_t end = args->start + args->size;
    const struct attributes defaults = unset();
    bool first = true;

    for (uint32_t i = 0; i < args->count; i++)
        if (!can_be_asked(args->attributes[i]))
            return EINVAL;
    for (const struct span *span = spans; span; span = span->next) {
        if (span->end <= args->start || end <= span->start)
            continue;
        for (uint32_t i = 0; i < args->count; i++)
            get_one(&args->attributes[i], &span->attributes, first);
        first = false;
    }
    for (uint32_t i = 0; first && i < args->count; i++)
        get_one(&args->attributes[i], &defaults, true);
    return 0;
}

static int svm(void *arguments)
{
    struct svm_args *args = arguments;

    if (!machine()->svm)
        return EPERM;
    if (args->start % PAGE || args->size % PAGE || !args->start || !args->size)
        return EINVAL;
    /* As the kernel: attributes are of memory that the program has, and that is no buffer. */
    if (args->start + args->size < args->start || !is_mapped(args->start, args->size))
        return EFAULT;
    for (int gpu = 0; gpu < machine()->gpus; gpu++)
        if (pages_overlap(gpu, args->start, args->size))
            return EADDRINUSE;
    switch (args->operation) {
    case SVM_SET:
        return set(args);
    case SVM_GET:
        return get(args);
    default:
        return EINVAL;
    }
}

bool svm_reaches(int gpu, uint64_t address)
{
    const struct span *span = machine()->svm ? span_of(address) : NULL;

    return span ? span->attributes.access[gpu] != SVM_NO_ACCESS : machine()->svm && xnack_is_on();
}

void svm_unmapped(uint64_t address, uint64_t size)
{
    if (!__atomic_load_n(&spans, __ATOMIC_RELAXED))
        return;
    lock();
    /* Without room to cut, attributes stay that nobody can ask for. */
    if (!cut(address) && !cut(address + size))
        for (struct span **link = &spans; *link;) {
            struct span *span = *link;
            if (span->start >= address && span->end <= address + size) {
                *link = span->next;
                free(span);
            } else
                link = &span->next;
        }
    unlock();
}

size_t svm_count(void)
{
    size_t count = 0;

    for (const struct span *span = spans; span; span = span->next)
        count++;
    return count;
}

static void forget(void)
{
    while (spans) {
        struct span *span = spans;
        spans = span->next;
        free(span);
    }
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}

const handler svm_ioctls[KFD_IOCTLS] = {[SVM] = svm};
