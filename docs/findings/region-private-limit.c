/* The largest private memory of a work-group has to be answered for a region.
 *
 * usage: region-private-limit [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, a region, a pool, or a signal: all have this form */

enum {
    CANNOT_TELL = 77, SUCCESS = 0, MAX_PRIVATE_WORKGROUP_SIZE = 8,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static void need(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (!found)
        cannot_tell(name);
    memcpy(function, &found, sizeof found);
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

static int wrong;

static int note_region(handle region, void *data)
{
    int (*info)(handle, uint32_t, void *);
    uint32_t value = 0;
    int status;

    (void)data;
    need("hsa_region_get_info", &info);
    status = info(region, MAX_PRIVATE_WORKGROUP_SIZE, &value);
    printf("status %#x\n", (unsigned)status);
    wrong |= status != SUCCESS;
    return 0;
}

static int note_agent(handle agent, void *data)
{
    int (*iterate)(handle, int (*)(handle, void *), void *);

    need("hsa_agent_iterate_regions", &iterate);
    return iterate(agent, note_region, data);
}

int main(int count, char **words)
{
    int (*iterate)(int (*)(handle, void *), void *);

    load(count, words);
    initialise();
    need("hsa_iterate_agents", &iterate);
    iterate(note_agent, NULL);
    return wrong;
}
