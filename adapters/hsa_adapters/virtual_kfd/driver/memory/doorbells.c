/* A page of doorbells for each GPU, as a file in memory. Nobody listens: queues look for themselves. */
#include <unistd.h>

#include "base/base.h"
#include "base/kernel.h"
#include "base/state.h"
#include "memory/doorbells.h"

static struct doorbell_page {
    uint8_t *bytes;
    int memfd;
} pages[MAX_GPUS];

uint8_t *doorbells(int gpu, int *memfd)
{
    struct doorbell_page *page = &pages[gpu];

    if (!page->bytes)
        page->bytes = memory_file("virtual-kfd-doorbells", DOORBELL_BYTES, &page->memfd);
    if (memfd && page->bytes)
        *memfd = page->memfd;
    return page->bytes;
}

static void forget(void)
{
    for (int gpu = 0; gpu < MAX_GPUS; gpu++)
        if (pages[gpu].bytes)
            kernel_close(pages[gpu].memfd);
    for (int gpu = 0; gpu < MAX_GPUS; gpu++)
        pages[gpu] = (struct doorbell_page){0};
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}
