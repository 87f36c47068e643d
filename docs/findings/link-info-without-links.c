/* Where an agent reaches a pool over no link, no link may be written.
 *
 * usage: link-info-without-links [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, a pool, or virtual memory: all have this form */

enum {
    CANNOT_TELL = 77, GPU = 1, LINK_HOPS = 1, LINKS = 2, FILL = 0xa5,
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

static void find_agents(void)
{
    need("hsa_agent_get_info", &agent_info);
    need("hsa_iterate_agents", &agents);
}

static int (*pool_info)(handle, uint32_t, void *);
static int (*pools)(handle, int (*)(handle, void *), void *);

static void find_pools(void)
{
    need("hsa_amd_memory_pool_get_info", &pool_info);
    need("hsa_amd_agent_iterate_memory_pools", &pools);
}

static int (*link_info)(handle, handle, uint32_t, void *);
static int asked, defects;

static int check_pool(handle pool, void *data)
{
    unsigned char value[256];
    uint32_t hops;
    size_t written = sizeof value;

    if (link_info(*(handle *)data, pool, LINK_HOPS, &hops) || hops)
        return 0;
    memset(value, FILL, sizeof value);
    if (link_info(*(handle *)data, pool, LINKS, value))
        return 0;
    asked++;
    while (written && value[written - 1] == FILL)
        written--;
    if (written) {
        printf("no links, and %zu bytes were written\n", written);
        defects++;
    }
    return 0;
}

static int check_agent(handle agent, void *data)
{
    (void)data;
    pools(agent, check_pool, &agent);
    return 0;
}

int main(int count, char **words)
{
    load(count, words);
    initialise();
    find_agents();
    find_pools();
    need("hsa_amd_agent_memory_pool_get_info", &link_info);
    agents(check_agent, NULL);
    if (!asked)
        cannot_tell("no pool is reached without links");
    return defects > 0;
}
