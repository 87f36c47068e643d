/* A queue of fewer packets than the least size has to be created with the least size.
 *
 * usage: queue-small-sizes [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent or a signal: all have this form */

enum {
    CANNOT_TELL = 77, GPU = 1, INFO_BREAK = 1, INFO_DEVICE = 17, LEAST = 13, ANY = -1,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static int find(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (found)
        memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void need(const char *name, void *function)
{
    if (!find(name, function))
        cannot_tell(name);
}

static void load(int count, char **words)
{
    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
}

static void initialise(void)
{
    int (*init)(void);

    need("hsa_init", &init);
    if (init())
        cannot_tell("hsa_init fails: is there a GPU?");
}

static int (*agent_info)(handle, uint32_t, void *);
static int (*agents)(int (*)(handle, void *), void *);

static int take_gpu(handle agent, void *data)
{
    uint32_t type;

    if (agent_info(agent, INFO_DEVICE, &type) || type != GPU)
        return 0;
    *(handle *)data = agent;
    return INFO_BREAK;
}

static handle find_gpu(void)
{
    handle found = {0};

    need("hsa_agent_get_info", &agent_info);
    need("hsa_iterate_agents", &agents);
    agents(take_gpu, &found);
    if (!found.handle)
        cannot_tell("there is no GPU");
    return found;
}

/* The beginning of a hsa_queue_t. */
struct queue {
    uint32_t type, features;
    void *base;
    handle doorbell;
    uint32_t size;
};

typedef int creator(handle, uint32_t, uint32_t, void *, void *, uint32_t, uint32_t,
                    struct queue **);

int main(int count, char **words)
{
    creator *create;
    struct queue *queue = NULL;
    uint32_t least = 0;
    handle gpu;
    int status;

    load(count, words);
    need("hsa_queue_create", &create);
    initialise();
    gpu = find_gpu();
    if (agent_info(gpu, LEAST, &least) || least < 2)
        cannot_tell("no size is below the least");
    status = create(gpu, least / 2, 0, NULL, NULL, (uint32_t)ANY, (uint32_t)ANY, &queue);
    printf("least size %u, half of it: status %#x\n", least, (unsigned)status);
    return status || queue->size != least;
}
