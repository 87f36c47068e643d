/* Threads may create queues of one GPU at one time, however long an allocation takes.
 *
 * The program has functions of the heap of its own, which stand before those of the C library; that
 * has to be glibc. While the threads create queues, blocks of a size that lists grow to take a moment to
 * be allocated, and are never used again once they are freed: a block which is freed twice is always seen.
 */
#define _GNU_SOURCE
#include "threads.h"
#include "queues.h"

void *__libc_malloc(size_t size);
void __libc_free(void *block);

enum { QUEUES = 8, LARGEST = 128, BLOCKS = 1 << 14, MOMENT = 3000000 /* ns */ };

static struct {
    void *block;
    atomic_int freed;
} seen[BLOCKS];
static atomic_int count, watching, twice;

/* Whether a list of pointers that doubles has this size. */
static bool is_list(size_t size)
{
    return size >= sizeof(void *) && size <= LARGEST && !(size & (size - 1));
}

void *malloc(size_t size)
{
    void *block = __libc_malloc(size);
    int place;

    if (!watching || !is_list(size) || !block)
        return block;
    place = atomic_fetch_add(&count, 1);
    if (place < BLOCKS)
        seen[place].block = block;
    nanosleep(&(struct timespec){.tv_nsec = MOMENT}, NULL);
    return block;
}

void free(void *block)
{
    int last = count < BLOCKS ? count : BLOCKS;

    for (int i = 0; block && i < last; i++)
        if (seen[i].block == block) {
            if (atomic_fetch_add(&seen[i].freed, 1))
                twice = true;
            return;
        }
    __libc_free(block);
}

static hsa_agent_t gpu;

static void *create(void *number)
{
    (void)number;
    meet();
    for (int i = 0; i < QUEUES; i++)
        queue_of(gpu, 0);
    return NULL;
}

static int defect(void)
{
    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    watching = true;
    begin(create);
    watching = false;
    return twice ? DEFECT : NO_DEFECT;
}

int main(int number, char **words)
{
    load(number, words);
    return rate(defect);
}
