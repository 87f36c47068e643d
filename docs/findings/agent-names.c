/* Name and vendor of an agent: all of the 64 bytes that are not the name have to be NUL.
 *
 * usage: agent-names [LIBRARY]      (default: libhsa-runtime64.so.1)
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
    CANNOT_TELL = 77, GPU = 1, INFO_NAME = 0, INFO_VENDOR = 1, NAME_BYTES = 64,
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

static int defects;

static void check(handle agent, uint32_t attribute, const char *what)
{
    unsigned char value[NAME_BYTES + 1];
    size_t end;

    memset(value, 0xa5, NAME_BYTES);
    value[NAME_BYTES] = 0;
    if (agent_info(agent, attribute, value))
        return;
    for (end = strlen((char *)value); end < NAME_BYTES; end++)
        if (value[end]) {
            printf("%s %s: byte %zu is %#x\n", what, (char *)value, end, (unsigned)value[end]);
            defects++;
        }
}

static int check_agent(handle agent, void *data)
{
    (void)data;
    check(agent, INFO_NAME, "name");
    check(agent, INFO_VENDOR, "vendor");
    return 0;
}

int main(int count, char **words)
{
    load(count, words);
    initialise();
    find_agents();
    agents(check_agent, NULL);
    return defects > 0;
}
