/* An instruction set architecture is compatible with itself.
 *
 * usage: isa-not-compatible-with-itself [LIBRARY]      (default: libhsa-runtime64.so.1)
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
    CANNOT_TELL = 77,
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

static int (*compatible)(handle, handle, _Bool *);
static int (*isas)(handle, int (*)(handle, void *), void *);

static int defects, seen;

static int check_isa(handle isa, void *data)
{
    _Bool result = 1;

    (void)data;
    if (compatible(isa, isa, &result))
        return 0;
    seen++;
    if (!result) {
        printf("an architecture is not compatible with itself\n");
        defects++;
    }
    return 0;
}

static int check_agent(handle agent, void *data)
{
    (void)data;
    isas(agent, check_isa, NULL);
    return 0;
}

int main(int count, char **words)
{
    int (*agents)(int (*)(handle, void *), void *);

    load(count, words);
    initialise();
    need("hsa_iterate_agents", &agents);
    need("hsa_agent_iterate_isas", &isas);
    need("hsa_isa_compatible", &compatible);
    agents(check_agent, NULL);
    if (!seen)
        cannot_tell("no agent has an instruction set architecture");
    return defects > 0;
}
