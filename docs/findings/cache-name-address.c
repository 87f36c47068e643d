/* The name of a cache is written as characters, not as their address.
 *
 * usage: cache-name-address [LIBRARY]      (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, or another object: all have this form */

enum {
    CANNOT_TELL = 77, NAME_LENGTH = 0, NAME = 1,
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

static int (*cache_info)(handle, uint32_t, void *);
static int (*caches)(handle, int (*)(handle, void *), void *);

static int defects, seen;

static int check_cache(handle cache, void *data)
{
    char name[1024];
    uint32_t length;

    (void)data;
    memset(name, 0, sizeof name);
    if (cache_info(cache, NAME_LENGTH, &length) || cache_info(cache, NAME, name))
        return 0;
    seen++;
    if (length != strlen(name)) {
        const char *address;

        memcpy(&address, name, sizeof address);
        printf("length %u, and %zu characters; read as an address: %p\n", length, strlen(name),
               (const void *)address);
        defects++;
    }
    return 0;
}

static int check_agent(handle agent, void *data)
{
    (void)data;
    caches(agent, check_cache, NULL);
    return 0;
}

int main(int count, char **words)
{
    int (*agents)(int (*)(handle, void *), void *);

    load(count, words);
    initialise();
    need("hsa_iterate_agents", &agents);
    need("hsa_agent_iterate_caches", &caches);
    need("hsa_cache_get_info", &cache_info);
    agents(check_agent, NULL);
    if (!seen)
        cannot_tell("no agent has a cache");
    return defects > 0;
}
