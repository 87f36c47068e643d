/* The program's own memory may go at any time, so it is asked for before it is touched. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

#include "base/base.h"
#include "base/program.h"

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
