/* Answers as it should, but a failing address_reserve has reserved a page and a failing
 * handle_create has made a handle: mappings, descriptors and the memory available show it. */
static int create(const char *function, int status);
#define FAKE_AFTER(name, status) create(name, status)
#include "honest.c"

static int create(const char *function, int status)
{
    if (status != INVALID_ARGUMENT)
        return status;
    pthread_mutex_lock(&lock);
    if (strcmp(function, "hsa_amd_vmem_address_reserve") == 0) {
        /* Shared, so that the kernel does not merge it with a neighbour. */
        char *start = mmap(NULL, PAGE, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        new_range(RESERVATION, start, PAGE, -1);
    }
    if (strcmp(function, "hsa_amd_vmem_handle_create") == 0)
        create_object(GPU_COARSE, PAGE, 0);
    pthread_mutex_unlock(&lock);
    return status;
}
